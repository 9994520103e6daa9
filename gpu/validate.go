package gpu

import "fmt"

// Validate says what is wrong with the i-th command of the list, or nil: things that no device
// could do, whatever is in its memory. maxRows is the device's Limits.MaxGridRows.
func (c *Commands) Validate(i, maxRows int) error {
	cmd := &c.List[i]
	switch cmd.Op {
	case OpCopyH2D, OpCopyD2H, OpCopyD2D:
		return cmd.validateCopy()
	case OpFill:
		if cmd.Dst == 0 && cmd.Width > 0 {
			return fmt.Errorf("fill of %d bytes at address 0", cmd.Width)
		}
	case OpLaunch:
		return c.validateLaunch(cmd, maxRows)
	case OpWait, OpRecord:
	default:
		return fmt.Errorf("unknown command %d", cmd.Op)
	}
	return nil
}

func (cmd *Command) validateCopy() error {
	if cmd.Width == 0 || cmd.Rows == 0 {
		return nil
	}
	if cmd.Dst == 0 || cmd.Src == 0 {
		return fmt.Errorf("copy of %d × %d bytes from %#x to %#x", cmd.Width, cmd.Rows, cmd.Src, cmd.Dst)
	}
	if cmd.Rows > 1 && (cmd.DstPitch < cmd.Width || cmd.SrcPitch < cmd.Width) {
		return fmt.Errorf("copy of rows of %d bytes with pitches of %d and %d bytes: they overlap", cmd.Width, cmd.SrcPitch, cmd.DstPitch)
	}
	return nil
}

func (c *Commands) validateLaunch(cmd *Command, maxRows int) error {
	switch {
	case cmd.Handle == 0:
		return fmt.Errorf("launch of no kernel")
	case cmd.NumArgs > MaxArgs:
		return fmt.Errorf("launch with %d arguments, a kernel takes at most %d", cmd.NumArgs, MaxArgs)
	case uint64(cmd.FirstArg)+uint64(cmd.NumArgs) > uint64(len(c.Args)):
		return fmt.Errorf("launch with arguments [%d,%d) of %d", cmd.FirstArg, cmd.FirstArg+cmd.NumArgs, len(c.Args))
	case cmd.Width == 0 || cmd.Rows == 0:
		return fmt.Errorf("launch over %d × %d items", cmd.Width, cmd.Rows)
	case cmd.Rows > uint64(maxRows):
		return fmt.Errorf("launch over %d rows, the device takes at most %d", cmd.Rows, maxRows)
	}
	return nil
}
