// Ring puts nothing but pinring's staging rings into a program that has its own CUDA context, its own
// stream and its own work on them (foreign_cuda.go). Pictures go up, are worked on, and come back;
// the slots are page-locked once, at the start, and used again and again.
//
//	go run . -device cpu                                   without a GPU
//	eval "$(pinring env)" && go run -tags cuda .           in the program's own CUDA context
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/transfer"
)

// foreign is the program that the rings are put into: what it has made for itself.
type foreign interface {
	// Device and Stream are its context and its stream, wrapped.
	Device() gpu.Device
	Stream() gpu.Stream
	// Work submits the program's own work to its stream: bytes from src to dst, both on the device.
	Work(dst, src gpu.Addr, bytes int) error
	// Close ends the context and the stream. They are the program's own; pinring left them alone.
	Close() error
}

// A picture is 1920 × 1080 pixels of 3 bytes.
const (
	rowBytes = 1920 * 3
	rows     = 1080
	picture  = rowBytes * rows
)

func main() {
	device := flag.String("device", defaultDevice, "cpu, or cuda (needs -tags cuda)")
	frames := flag.Int("frames", 120, "number of pictures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *device, *frames, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ring:", err)
		os.Exit(1)
	}
}

// run opens what the program has of its own and sends the pictures through it.
func run(ctx context.Context, device string, frames int, out io.Writer) (err error) {
	var f foreign
	switch device {
	case "cpu":
		f, err = openCPU()
	case "cuda":
		f, err = openCUDA()
	default:
		err = fmt.Errorf("-device is %q: want cpu or cuda", device)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info := f.Device().Info()
	fmt.Fprintf(out, "device: %s\n", info.Kind)
	fmt.Fprintln(os.Stderr, "ring: this is", info.Name)
	return send(ctx, f, frames, out)
}

// inFlight pictures are on their way at once.
const inFlight = 3

// lane is what one picture in flight needs besides its slots.
type lane struct {
	src, dst     gpu.Buffer   // on the device
	cmds         gpu.Commands // reused, since a stream borrows it until it is done
	back         gpu.Commands
	copied, done gpu.Event // behind the copy up, and behind the copy down
	result       *transfer.Slot
	frame        int
}

// send makes the rings and runs the loop. Everything is allocated before it.
func send(ctx context.Context, f foreign, frames int, out io.Writer) (err error) {
	dev := f.Device()
	limit := transfer.NewCap(64 << 20) // no more page-locked memory than that, of both rings together
	up, err := transfer.NewRing(dev, transfer.RingParams{Slots: inFlight, SlotBytes: picture, Cap: limit})
	if err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	defer func() { err = errors.Join(err, up.Close()) }()
	down, err := transfer.NewRing(dev, transfer.RingParams{Slots: inFlight, SlotBytes: picture, Cap: limit})
	if err != nil {
		return fmt.Errorf("download: %w", err)
	}
	defer func() { err = errors.Join(err, down.Close()) }()
	var lanes [inFlight]lane
	// Deferred last, so done first: nothing is freed while a command may use it, and every slot has
	// come home before its ring is closed.
	defer func() { err = errors.Join(err, f.Stream().Synchronize(), closeLanes(lanes[:])) }()
	for i := range lanes {
		if err := lanes[i].open(dev); err != nil {
			return err
		}
	}

	began := time.Now()
	for n := range frames + inFlight {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &lanes[n%inFlight]
		if err := l.finish(); err != nil {
			return err
		}
		if n >= frames {
			continue // only the last ones have to be finished
		}
		if err := l.start(ctx, f, up, down, n); err != nil {
			return fmt.Errorf("picture %d: %w", n, err)
		}
	}
	fmt.Fprintln(os.Stderr, "ring: took", time.Since(began).Round(time.Millisecond))
	fmt.Fprintf(out, "%d pictures of %d bytes went up, were worked on and came back right\n", frames, picture)
	for _, r := range []struct {
		name string
		*transfer.Ring
	}{{"upload", up}, {"download", down}} {
		s := r.Stats()
		fmt.Fprintf(out, "%s ring: %d slots of %d bytes, %d allocations, %d frees\n", r.name, s.Slots, s.SlotBytes, s.Allocs, s.Frees)
	}
	return nil
}

func (l *lane) open(dev gpu.Device) (err error) {
	if l.src, err = dev.Alloc(picture); err != nil {
		return err
	}
	if l.dst, err = dev.Alloc(picture); err != nil {
		return err
	}
	if l.copied, err = dev.NewEvent(false); err != nil {
		return err
	}
	l.done, err = dev.NewEvent(false)
	return err
}

// start sends picture n on its way.
func (l *lane) start(ctx context.Context, f foreign, up, down *transfer.Ring, n int) error {
	// There are as many slots as lanes, and the oldest comes first: it is this lane's last one, so its
	// event is done and may be recorded anew.
	in, err := up.Acquire(ctx)
	if err != nil {
		return err
	}
	paint(in.Data(), n)
	l.cmds.Reset()
	l.cmds.Copy(gpu.OpCopyH2D, l.src.Addr(), in.Addr(), picture)
	l.cmds.Record(l.copied)
	if err := f.Stream().Submit(&l.cmds); err != nil {
		in.Release()
		return err
	}
	in.ReleaseAfter(l.copied) // comes home when the copy is done; nobody waits for that here

	if err := f.Work(l.dst.Addr(), l.src.Addr(), picture); err != nil {
		return err
	}

	res, err := down.Acquire(ctx)
	if err != nil {
		return err
	}
	l.back.Reset()
	l.back.Copy(gpu.OpCopyD2H, res.Addr(), l.dst.Addr(), picture)
	l.back.Record(l.done)
	if err := f.Stream().Submit(&l.back); err != nil {
		res.Release()
		return err
	}
	l.result, l.frame = res, n
	return nil
}

// finish waits for the lane's picture, looks at it and gives its slot back.
func (l *lane) finish() error {
	if l.result == nil {
		return nil
	}
	err := l.done.Synchronize()
	if err == nil {
		err = check(l.result.Data(), l.frame)
	}
	l.result.Release()
	l.result = nil
	return err
}

func closeLanes(lanes []lane) error {
	var errs []error
	for i := range lanes {
		l := &lanes[i]
		if l.result != nil { // after an error in the middle
			l.result.Release()
		}
		for _, b := range []gpu.Buffer{l.src, l.dst} {
			if b != nil {
				errs = append(errs, b.Free())
			}
		}
		for _, e := range []gpu.Event{l.copied, l.done} {
			if e != nil {
				errs = append(errs, e.Close())
			}
		}
	}
	return errors.Join(errs...)
}

// paint makes picture n.
func paint(p []byte, n int) {
	row := p[:rowBytes]
	for x := range row {
		row[x] = byte(x + n)
	}
	for y := 1; y < rows; y++ {
		copy(p[y*rowBytes:(y+1)*rowBytes], row)
	}
}

// check compares with what paint makes.
func check(p []byte, n int) error {
	var row [rowBytes]byte
	for x := range row {
		row[x] = byte(x + n)
	}
	for y := range rows {
		if !bytes.Equal(p[y*rowBytes:(y+1)*rowBytes], row[:]) {
			return fmt.Errorf("picture %d did not come back as it was: row %d differs", n, y)
		}
	}
	return nil
}
