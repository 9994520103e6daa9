package gpu

// Op is what a command does.
type Op uint32

// The commands.
const (
	OpCopyH2D Op = iota + 1 // host to device
	OpCopyD2H               // device to host
	OpCopyD2D               // within the device
	OpFill                  // set bytes of device memory
	OpLaunch                // run a kernel
	OpWait                  // hold the stream until an event is done
	OpRecord                // mark an event
)

// Launch block: each thread computes one item; a block is BlockCols × BlockRows items.
const (
	BlockCols = 32
	BlockRows = 8
)

// MaxArgs is the number of argument cells that a kernel can take. Every CUDA kernel has one
// parameter, a struct of MaxArgs cells, of which a launch fills the first.
const MaxArgs = 32

// Command is one recorded command. It is plain memory without pointers, mirrored by a C struct, so
// that a whole list crosses into C in one call.
type Command struct {
	Op       Op
	FirstArg uint32 // OpLaunch: index of its first argument cell
	NumArgs  uint32
	Value    uint32 // OpFill: the byte
	Dst, Src Addr
	// Copies: Rows rows of Width bytes, DstPitch and SrcPitch bytes apart. A 1D copy has Rows 1.
	Width, Rows        uint64
	DstPitch, SrcPitch uint64
	// OpLaunch: the kernel; Width columns × Rows rows of items. OpWait, OpRecord: the event.
	Handle uint64
}

// Commands is a list of commands under construction, reused from frame to frame. The zero value is
// empty. Not safe for concurrent use.
type Commands struct {
	List   []Command
	Args   []uint64 // argument cells of all launches, 8 bytes each
	Events []Event  // the events of OpWait and OpRecord, in order, for devices that need them
}

// Reset empties the list and keeps its memory.
func (c *Commands) Reset() {
	c.List, c.Args, c.Events = c.List[:0], c.Args[:0], c.Events[:0]
}

// Copy records a copy of bytes; op is one of the OpCopy commands.
func (c *Commands) Copy(op Op, dst, src Addr, bytes int) {
	c.List = append(c.List, Command{Op: op, Dst: dst, Src: src, Width: uint64(bytes), Rows: 1})
}

// Copy2D records a copy of rows rows of width bytes with the given pitches (bytes from one row to
// the next, not less than width).
func (c *Commands) Copy2D(op Op, dst Addr, dstPitch int, src Addr, srcPitch, width, rows int) {
	c.List = append(c.List, Command{Op: op, Dst: dst, Src: src, Width: uint64(width), Rows: uint64(rows),
		DstPitch: uint64(dstPitch), SrcPitch: uint64(srcPitch)})
}

// Fill records setting bytes of device memory to value.
func (c *Commands) Fill(dst Addr, value byte, bytes int) {
	c.List = append(c.List, Command{Op: OpFill, Dst: dst, Width: uint64(bytes), Rows: 1, Value: uint32(value)})
}

// Launch records running a kernel over cols × rows items. The kernel gets at most MaxArgs args as
// 8-byte cells, sees 0 in the cells that were not given, and must itself leave out threads beyond cols and rows (grids are rounded up to whole blocks).
func (c *Commands) Launch(k Kernel, cols, rows int, args ...uint64) {
	c.List = append(c.List, Command{Op: OpLaunch, Handle: k.Handle, Width: uint64(cols), Rows: uint64(rows),
		FirstArg: uint32(len(c.Args)), NumArgs: uint32(len(args))})
	c.Args = append(c.Args, args...)
}

// Wait records that later commands of the stream wait for the event.
func (c *Commands) Wait(e Event) { c.event(OpWait, e) }

// Record records marking the event.
func (c *Commands) Record(e Event) { c.event(OpRecord, e) }

func (c *Commands) event(op Op, e Event) {
	c.List = append(c.List, Command{Op: op, Handle: e.Handle()})
	c.Events = append(c.Events, e)
}
