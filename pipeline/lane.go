package pipeline

import (
	"errors"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/transfer"
)

// lane carries one frame at a time over the device. It belongs to whoever took it from the free
// list: the drive goroutine until the submit, the device until the event, then deliver.
type lane struct {
	dev    gpu.Device
	stream gpu.Stream
	done   gpu.Event           // behind each frame's last command
	marks  [numMarks]gpu.Event // between the steps of a frame whose time is taken
	cmds   gpu.Commands

	in          gpu.Buffer // uploaded picture; nil on a Unified device
	out         gpu.Buffer // result before its download; nil on a Unified device
	scratch     []gpu.Buffer
	scratchAddr []gpu.Addr

	index     int64
	staged    transfer.Staged
	result    *frame.Frame // what the sink gets; nil when the device failed
	bands     banded       // what is still to be fetched when the frame is done
	submitted bool         // done was recorded for this frame
	stands    int64        // how many frames the marks of this one stand for, 0: they were not recorded
	err       error        // what the device reported
	completed chan<- *lane
}

// banded is a result that comes down in bands, if its slot says so.
type banded struct {
	slot  *transfer.Slot
	from  gpu.Addr
	bytes int
}

// The marks in a lane's stream, with timing. See Note [Timing a sample of the frames].
const (
	markStart = iota
	markUploaded
	markComputed
	markEnd
	numMarks
)

func newLane(dev gpu.Device, completed chan<- *lane) (*lane, error) {
	l := &lane{dev: dev, completed: completed}
	var err error
	if l.stream, err = dev.NewStream(); err != nil {
		return nil, err
	}
	if l.done, err = dev.NewEvent(false); err != nil {
		return nil, errors.Join(err, l.close())
	}
	for i := range l.marks {
		if l.marks[i], err = dev.NewEvent(true); err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	return l, nil
}

// mark records a mark, in frames whose time is taken.
func (l *lane) mark(i int) {
	if l.stands > 0 {
		l.cmds.Record(l.marks[i])
	}
}

// Completed implements transfer.Completion: the device is through with the lane's frame.
func (l *lane) Completed(err error) {
	l.err = err
	l.completed <- l // has room for every lane
}

// ensure makes *b a buffer of at least bytes.
func (l *lane) ensure(b *gpu.Buffer, bytes int) error {
	if *b != nil {
		if (*b).Bytes() >= bytes {
			return nil
		}
		if err := (*b).Free(); err != nil {
			return err
		}
		*b = nil
	}
	n, err := l.dev.Alloc(bytes)
	if err == nil {
		*b = n
	}
	return err
}

// prepare makes the buffers for the uploaded picture, between passes, and for the result; 0 bytes
// is none.
func (l *lane) prepare(inBytes int, scratch []int, outBytes int) error {
	if inBytes > 0 {
		if err := l.ensure(&l.in, inBytes); err != nil {
			return err
		}
	}
	l.scratchAddr = l.scratchAddr[:0]
	for len(l.scratch) < len(scratch) {
		l.scratch = append(l.scratch, nil)
	}
	for i, n := range scratch {
		if err := l.ensure(&l.scratch[i], n); err != nil {
			return err
		}
		l.scratchAddr = append(l.scratchAddr, l.scratch[i].Addr())
	}
	if outBytes == 0 {
		return nil
	}
	return l.ensure(&l.out, outBytes)
}

// drop ends the lane's frame without delivering it.
func (l *lane) drop() {
	l.bands = banded{}
	if l.result != nil {
		l.result.Release()
		l.result = nil
	}
	l.staged.Done()
}

func (l *lane) close() error {
	var errs []error
	if l.stream != nil { // first: after an error bands may still be under way
		errs = append(errs, l.stream.Close())
	}
	for _, b := range append(l.scratch, l.in, l.out) {
		if b != nil {
			errs = append(errs, b.Free())
		}
	}
	for _, e := range append(l.marks[:], l.done) {
		if e != nil {
			errs = append(errs, e.Close())
		}
	}
	return errors.Join(errs...)
}
