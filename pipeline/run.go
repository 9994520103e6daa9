package pipeline

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/stopwatch"
	"github.com/pinring/pinring/kernels"
)

// Run drives the source's frames through the device into the sink until the stream, the frame
// limit or ctx ends. The Result is never nil.
func Run(ctx context.Context, p Params) (*Result, error) {
	p.withDefaults()
	r := &run{Params: p, began: stopwatch.Now()}
	r.makeRoad()
	err := r.travel(ctx)
	err = errors.Join(err, r.tearDown(err))
	r.result.Counters = r.counters()
	r.result.Seconds = stopwatch.Since(r.began).Seconds()
	return &r.result, err
}

// run is the state of one Run.
type run struct {
	Params
	began   time.Duration
	program gpu.Program
	own     gpu.Program // the one that the run has loaded for itself

	frames    chan *frame.Frame // decoded, not yet admitted
	free      chan *lane
	completed chan *lane // in the order of submission
	lanes     []*lane

	// of the drive goroutine
	route   *route
	first   *frame.Info // what the first result looked like, for sinks that cannot follow changes
	changes []string    // shapes of pictures that such a sink did not follow, as far as they were said

	admission context.Context    // ends with an interrupt, and with the road
	stop      context.CancelFunc // ends the admission
	sourceErr error              // of the decode goroutine; read after it has ended
	exhausted error              // of the drive goroutine: the guard gave up
	recorded  int64              // of the drive goroutine: frames whose commands were recorded
	untimed   int64              // of the drive goroutine: the last of them whose time was not taken
	ended     bool               // of the drive goroutine: no frame is admitted any more

	admitted, delivered, discarded, toEncoder atomic.Int64
	inFlight, inFlightMax, onDevice           atomic.Int32

	result Result
}

func (r *run) makeRoad() {
	r.frames = make(chan *frame.Frame, 1)
	r.free = make(chan *lane, r.InFlight)
	r.completed = make(chan *lane, r.InFlight)
}

// setUp makes what frames need on the device, while the first are being decoded.
func (r *run) setUp() (err error) {
	if r.Program != nil {
		r.program, err = r.Program()
	} else {
		r.own, err = r.Device.Load(kernels.Module())
		r.program = r.own
	}
	if err != nil {
		return stageError("device", -1, err)
	}
	return stageError("device", -1, r.makeLanes())
}

func (r *run) makeLanes() error {
	for range r.InFlight {
		l, err := newLane(r.Device, r.completed)
		if err != nil {
			return err
		}
		r.lanes = append(r.lanes, l)
		r.free <- l
	}
	return nil
}

// travel runs the goroutines until the last frame is delivered, then finishes the sink.
func (r *run) travel(ctx context.Context) error {
	// An interrupt ends the admission only: the road itself has a context that lives on.
	g, road := errgroup.WithContext(context.WithoutCancel(ctx))
	admission, stop := context.WithCancel(ctx)
	r.admission, r.stop = admission, stop
	defer stop()
	defer context.AfterFunc(road, stop)() // a broken road needs no more frames
	g.Go(func() error { r.decode(admission, road, ctx); return nil })
	g.Go(func() error {
		early, err := r.gather(r.setUp)
		if err == nil {
			err = r.drive(road, early)
		}
		return err
	})
	g.Go(func() error { return r.deliver(road) })
	err := g.Wait()
	for f := range r.frames {
		r.discard(f)
	}
	if err != nil {
		return errors.Join(err, r.sourceErr)
	}
	early := errors.Join(r.sourceErr, r.exhausted)
	if r.delivered.Load() == 0 && (early != nil || r.result.Interrupted) {
		return early // there is nothing to finish
	}
	if early != nil || r.PartWhenInterrupted && r.result.Interrupted {
		r.Sink.Partial()
	}
	start := stopwatch.Now()
	err = stageError("encode", -1, r.Sink.Finish(context.WithoutCancel(ctx)))
	r.result.Busy.Encode += stopwatch.Since(start)
	return errors.Join(early, err)
}

// decode feeds the road until the stream or the admission ends. ctx, the caller's, tells an
// interrupt from a broken road; a road may break after an interrupt, too.
func (r *run) decode(admission, road, ctx context.Context) {
	defer close(r.frames)
	defer func() { r.result.Interrupted = ctx.Err() != nil }()
	for n := int64(0); r.MaxFrames == 0 || n < r.MaxFrames; n++ {
		if admission.Err() != nil {
			return
		}
		start := stopwatch.Now()
		f, err := r.Source.Next(admission)
		r.result.Busy.Decode += stopwatch.Since(start)
		if err != nil {
			if !errors.Is(err, io.EOF) && admission.Err() == nil {
				r.sourceErr = stageError("decode", n, err)
			}
			return
		}
		r.admitted.Add(1)
		select {
		case r.frames <- f:
		case <-admission.Done():
			// An interrupt: the frame is decoded, so let it ride. A broken road: nobody will take it.
			if ctx.Err() == nil {
				r.discard(f)
				return
			}
			select {
			case r.frames <- f:
			case <-road.Done():
				r.discard(f)
				return
			}
		}
	}
}

func (r *run) discard(f *frame.Frame) {
	r.discarded.Add(1)
	f.Release()
}

func (r *run) counters() Counters {
	return Counters{
		Admitted: r.admitted.Load(), Delivered: r.delivered.Load(), Discarded: r.discarded.Load(),
		CopiedToEncoder: r.toEncoder.Load(),
		InFlight:        int(r.inFlight.Load()), InFlightMax: int(r.inFlightMax.Load()),
	}
}

// tearDown brings every frame home and frees what the run made. After a poisoned or hung device
// nothing is freed: the driver would fail or, worse, wait.
func (r *run) tearDown(cause error) error {
	if gpu.Poisoned(cause) {
		return nil
	}
	for len(r.free) < len(r.lanes) {
		l := <-r.completed
		r.discarded.Add(1)
		l.drop()
		r.release(l)
	}
	var errs []error
	for _, l := range r.lanes {
		errs = append(errs, l.close())
	}
	errs = append(errs, r.route.close())
	if r.own != nil {
		errs = append(errs, r.own.Close())
	}
	return errors.Join(errs...)
}
