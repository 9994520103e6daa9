package report

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
)

// PrintBench writes one JSON object.
func (JSON) PrintBench(w io.Writer, b *Bench) error {
	out := *b
	out.Schema = Schema
	return encode(w, &out)
}

// PrintBench writes a table for each thing that was measured.
func (Text) PrintBench(w io.Writer, b *Bench) error {
	var out bytes.Buffer
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if b.Device != nil {
		fmt.Fprintf(&out, "%s, %s\n", b.Device.Kind, printable(b.Device.Name))
	}
	for _, table := range []func(*tabwriter.Writer, *Bench){benchCopies, benchAllocs, benchRing, benchKernels, benchStages} {
		table(t, b)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	writeList(&out, "notes", b.Notes)
	_, err := w.Write(out.Bytes())
	return err
}

func benchCopies(t *tabwriter.Writer, b *Bench) {
	if len(b.Copies) == 0 {
		return
	}
	fmt.Fprintf(t, "\ncopies\tof\tup\tdown\tboth at once\t\n")
	for _, c := range b.Copies {
		both := none
		if v, ok := known(c.Both); ok {
			both = size(int64(v)) + "/s"
		}
		fmt.Fprintf(t, "%s\t%s\t%s/s\t%s/s\t%s\t\n", c.Kind, size(int64(c.Bytes)), size(int64(c.Up)), size(int64(c.Down)), both)
	}
}

func benchAllocs(t *tabwriter.Writer, b *Bench) {
	if len(b.Allocations) == 0 {
		return
	}
	fmt.Fprintf(t, "\nallocating\tof\tp50\tp99\tfreeing p50\tp99\t\n")
	for _, a := range b.Allocations {
		if a.Alloc == nil || a.Free == nil {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", a.Kind, size(int64(a.Bytes)), micros(a.Alloc.P50), micros(a.Alloc.P99), micros(a.Free.P50), micros(a.Free.P99))
	}
}

func benchRing(t *tabwriter.Writer, b *Bench) {
	r := b.Ring
	if r == nil {
		return
	}
	fmt.Fprintf(t, "\nring path\tup\tdown\tin flight\tfps\tbare loop\tof it (least, median, most)\tchurn\tfaster than it by\t\n")
	bare, share := none, none
	if v, ok := known(r.BareFPS); ok && r.Share != nil {
		bare, share = rate(v), fmt.Sprintf("%.3f, %.3f, %.3f", r.Share.Least, r.Share.Median, r.Share.Most)
	}
	fmt.Fprintf(t, "%dx%d %s, %s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%sx\t\n", r.Width, r.Height, r.Format, r.Chain,
		size(int64(r.UpBytes)), size(int64(r.DownBytes)), r.InFlight, rate(r.FPS), bare, share, rate(r.ChurnFPS), factor(r.OverChurn.Median))
}

func benchKernels(t *tabwriter.Writer, b *Bench) {
	if len(b.Kernels) == 0 {
		return
	}
	fmt.Fprintf(t, "\nkernels\tfrom\tlaunches\ta picture\tread and written\t\n")
	for _, k := range b.Kernels {
		fmt.Fprintf(t, "%s\t%dx%d %s\t%d\t%s\t%s/s\t\n", k.Chain, k.Width, k.Height, k.Format, k.Launches, micros(k.Micros), size(int64(k.Rate)))
	}
}

func benchStages(t *tabwriter.Writer, b *Bench) {
	if len(b.Stages) == 0 || b.Input == nil {
		return
	}
	fmt.Fprintf(t, "\nstage\tfps if it were alone\t\t\n")
	for _, s := range b.Stages {
		mark := ""
		if b.Limit != nil && *b.Limit == s.Stage {
			mark = "<- the run waits for this"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", s.Stage, rate(s.FPS), mark)
	}
}
