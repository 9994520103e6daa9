package kernels_test

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
)

func plan(t *testing.T, chain string, in frame.Info, want frame.PixelFormat) (*kernels.Plan, error) {
	t.Helper()
	c, err := kernels.Parse(chain)
	if err != nil {
		t.Fatalf("%s: %v", chain, err)
	}
	return c.Plan(in, want)
}

// What shares a pass and what is nothing at all.
func TestPasses(t *testing.T) {
	for _, c := range []struct {
		chain    string
		in, want frame.PixelFormat
		launches int
		scratch  int
	}{
		{"", frame.YUV420P, "", 0, 0},
		{"", frame.YUV420P, frame.YUV420P, 0, 0},
		{"", frame.YUV420P, frame.NV12, 1, 0},
		{"scale=iw:ih", frame.YUV420P, "", 0, 0},
		{"format=yuv420p", frame.YUVJ420P, "", 0, 0},
		{"negate,negate", frame.RGB24, "", 0, 0},
		{"negate=y,negate=u", frame.YUV420P, "", 1, 0},
		{"scale=32:32,format=rgb24,negate", frame.YUV420P, "", 1, 0},
		{"scale=32:32,negate", frame.YUV420P, frame.NV12, 2, 1},
		{"eq,unsharp=la=0", frame.YUV420P, "", 0, 0},
		{"eq=saturation=2,unsharp=la=0:ca=1", frame.Gray, "", 0, 0},
		{"eq=contrast=2,negate,eq=gamma=2", frame.YUV420P, "", 1, 0},
		{"scale=32:32,eq=contrast=2", frame.YUV420P, "", 1, 0},
		{"scale=32:32,format=nv12,eq=contrast=2,negate", frame.YUV420P, "", 1, 0},
		{"format=yuv444p,eq=contrast=2", frame.RGB24, "", 1, 0},
		{"unsharp,eq=contrast=2,negate", frame.NV12, "", 1, 0},
		{"scale=32:32,unsharp,eq=contrast=2", frame.YUV420P, "", 2, 1},
		{"eq=contrast=2,unsharp", frame.YUV420P, "", 2, 1},
		{"unsharp,unsharp", frame.YUV420P, "", 2, 1},
		{"unsharp,format=nv12", frame.YUV420P, "", 2, 1},
		{"eq=contrast=2,scale=out_range=pc", frame.YUV420P, "", 2, 1},
		{"format=rgb24,format=yuv420p", frame.YUV420P, "", 2, 1},
		{"scale=32:32,scale=64:64", frame.YUV420P, "", 2, 1},
		{"transpose=clock,hflip", frame.YUV420P, "", 1, 0},
		{"transpose=clock,transpose=cclock", frame.YUV420P, "", 0, 0},
		{"hflip,vflip,hflip,vflip", frame.RGB24, "", 0, 0},
		{"scale=32:32,transpose,negate", frame.YUV420P, "", 3, 2},
		{"transpose", frame.YUV422P, "", 2, 1}, // chroma of full size first
		{"negate,scale=32:32,negate,scale=20:20,format=gray,scale=30:30", frame.YUV420P, "", 4, 2},
	} {
		p, err := plan(t, c.chain, frame.Info{Format: c.in, Width: 64, Height: 48}, c.want)
		if err != nil {
			t.Errorf("%s: %v", c.chain, err)
			continue
		}
		if p.Launches() != c.launches || len(p.Scratch) != c.scratch || p.Identity != (c.launches == 0) {
			t.Errorf("%s on %s: %d launches, %d scratch buffers, identity %v; want %d, %d",
				c.chain, c.in, p.Launches(), len(p.Scratch), p.Identity, c.launches, c.scratch)
		}
	}
}

func TestOutInfo(t *testing.T) {
	in := frame.Info{Format: frame.YUV420P, Width: 720, Height: 576, SAR: frame.Rational{Num: 64, Den: 45},
		TimeBase: frame.Rational{Num: 1, Den: 25}, FrameRate: frame.Rational{Num: 25, Den: 1},
		Color: frame.Color{Range: "tv", Matrix: "bt470bg", Primaries: "bt470bg", Transfer: "bt709", ChromaLocation: "left"}}
	p, err := plan(t, "scale=1024:576,format=rgb24", in, "")
	if err != nil {
		t.Fatal(err)
	}
	want := in
	want.Format, want.Width, want.SAR = frame.RGB24, 1024, frame.Rational{Num: 1, Den: 1}
	want.Color = frame.Color{Range: "pc", Matrix: "gbr", Primaries: "bt470bg", Transfer: "bt709"}
	if p.Out != want {
		t.Errorf("out is %+v, want %+v", p.Out, want)
	}
	if p.OutLayout.Stride[0] != 3072 || p.OutLayout.Size != 3072*576 {
		t.Errorf("layout is %+v", p.OutLayout)
	}
	if len(p.Notes) != 0 {
		t.Errorf("notes about a tagged picture: %q", p.Notes)
	}
}

// Untagged colour is guessed by size, and said once.
func TestUntaggedColour(t *testing.T) {
	for size, want := range map[[2]int]string{{1280, 720}: "bt709", {720, 576}: "smpte170m", {1024, 577}: "bt709", {1279, 576}: "smpte170m"} {
		in := frame.Info{Format: frame.YUV420P, Width: size[0], Height: size[1]}
		p, err := plan(t, "format=rgb24,negate", in, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], want) {
			t.Errorf("%v: notes %q, want one about %s", size, p.Notes, want)
		}
		in.Color.Matrix = want
		tagged, err := plan(t, "format=rgb24,negate", in, "")
		if err != nil {
			t.Fatal(err)
		}
		if string(tagged.Tables) != string(p.Tables) {
			t.Errorf("%v: untagged differs from %s", size, want)
		}
	}
}

// YUV that is tagged as RGB is untagged: FFmpeg's H.264 decoder keeps the tag of the pictures before.
func TestYUVTaggedAsRGB(t *testing.T) {
	in := frame.Info{Format: frame.YUV420P, Width: 64, Height: 48}
	for _, chain := range []string{"format=rgb24", "format=gray,format=rgb24"} {
		in.Color.Matrix = ""
		want, err := plan(t, chain, in, "")
		if err != nil {
			t.Fatal(err)
		}
		in.Color.Matrix = "gbr"
		if got, err := plan(t, chain, in, ""); err != nil || string(got.Tables) != string(want.Tables) {
			t.Errorf("%s: %v, or it differs from untagged", chain, err)
		}
	}
	in.Color.Matrix = "ycgco"
	var e *kernels.MatrixError
	if _, err := plan(t, "format=rgb24", in, ""); !errors.As(err, &e) || e.Matrix != "ycgco" {
		t.Errorf("ycgco: %v", err)
	}
}

func TestPlanErrors(t *testing.T) {
	ok := frame.Info{Format: frame.YUV420P, Width: 64, Height: 48}
	with := func(f func(*frame.Info)) frame.Info { i := ok; f(&i); return i }
	for _, c := range []struct {
		chain   string
		in      frame.Info
		want    frame.PixelFormat
		message string
	}{
		{"negate", with(func(i *frame.Info) { i.Format = "bayer_rggb8" }), "", "those that work: yuv420p,"},
		{"negate", with(func(i *frame.Info) { i.Format = "pal8" }), "", `input: no kernel reads or writes pixel format "pal8"`},
		{"", ok, "xyz12le", `output format: no kernel reads or writes pixel format "xyz12le"`},
		{"negate", with(func(i *frame.Info) { i.Width = 0 }), "", "picture size 0x48"},
		{"scale=-5:0", with(func(i *frame.Info) { i.Width, i.Height = 1, 4000 }), "", "output size 0x4000"},
		{"scale=70000:2", ok, "", "size 70000x2 is not within"},
		{"scale=1000000:2", ok, "", "size 1000000x2 is not within"},
		{"scale=iw*1e300:2", ok, "", "e+30"},
		{"scale=iw/0:2", ok, "", "is not within"},
		{"scale=ow*2:100", ok, "", "is not within"}, // refers to itself
		{"scale=-iw:20", ok, "", "output size 0x20"},
		{"scale=oh:ow", ok, "", "is not within"},
		{"scale=1:1", with(func(i *frame.Info) { i.Width, i.Height = 60000, 2 }), "", "scale in two steps"},
		{"format=rgb24", with(func(i *frame.Info) { i.Color.Matrix = "ycgco" }), "", `colour matrix "ycgco" has no conversion`},
		{"eq", with(func(i *frame.Info) { i.Format = frame.RGB24 }), "", `filter 1 (eq): eq does not work on pixel format "rgb24"`},
		{"unsharp", with(func(i *frame.Info) { i.Format = frame.RGB24 }), "", `unsharp does not work on pixel format "rgb24"`},
		{"scale=out_color_matrix=bt709", with(func(i *frame.Info) { i.Color.Matrix = "bt470bg" }), "", "no kernel changes the matrix"},
	} {
		_, err := plan(t, c.chain, c.in, c.want)
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%q on %s: error %v does not say %q", c.chain, c.in.Format, err, c.message)
		}
	}
	// A format without kernels passes an empty chain.
	if p, err := plan(t, "", with(func(i *frame.Info) { i.Format = "pal8" }), ""); err != nil || !p.Identity {
		t.Errorf("empty chain on pal8: %v", err)
	}
}

// Sizes and aspect ratios are those of FFmpeg's scale.
func TestSizesAgainstFFmpeg(t *testing.T) {
	path, err := exec.LookPath("ffprobe")
	if err != nil {
		t.Skip("the ffprobe program is not installed: no comparison with it")
	}
	for _, chain := range []string{
		"scale=320:240", "scale=iw/2:ih/2", "scale=-1:100", "scale=-2:101", "scale=333:-4", "scale=0:77", "scale=iw*2:-1",
		"scale=-8:-8", "scale=hd720", "scale=400x300", "scale=trunc(oh*a/2)*2:99",
		`scale='min(100,iw)':'max(90,ih)'`, "scale=w=oh:h=90", "scale=100:100:force_original_aspect_ratio=decrease",
		"scale=100:100:force_original_aspect_ratio=increase:force_divisible_by=8", "scale='if(gt(iw,300),50,60)':-2",
		"scale=iw*sar:ih", "scale=2^6:hsub*50",
	} {
		b, err := exec.Command(path, "-v", "error", "-f", "lavfi", "-i", "color=s=322x182,format=yuv420p,setsar=4/3,"+chain,
			"-show_entries", "stream=width,height,sample_aspect_ratio", "-of", "csv=p=0").Output()
		if err != nil {
			t.Errorf("ffprobe %s: %v", chain, err)
			continue
		}
		p, err := plan(t, chain, frame.Info{Format: frame.YUV420P, Width: 322, Height: 182, SAR: frame.Rational{Num: 4, Den: 3}}, "")
		if err != nil {
			t.Errorf("%s: %v", chain, err)
			continue
		}
		got := fmt.Sprintf("%d,%d,%d:%d", p.Out.Width, p.Out.Height, p.Out.SAR.Num, p.Out.SAR.Den)
		if got != strings.TrimSpace(string(b)) {
			t.Errorf("%s gives %s, FFmpeg gives %s", chain, got, strings.TrimSpace(string(b)))
		}
	}
}

type noKernels struct{}

func (noKernels) Kernel(name string) (gpu.Kernel, error) {
	return gpu.Kernel{}, fmt.Errorf("no kernel %q", name)
}
func (noKernels) Close() error { return nil }

func TestBindReportsMissingKernels(t *testing.T) {
	p, err := plan(t, "negate", frame.Info{Format: frame.RGB24, Width: 4, Height: 4}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Bind(noKernels{}); err == nil || !strings.Contains(err.Error(), `no kernel "planes"`) {
		t.Errorf("error %v", err)
	}
}

func TestCatalogue(t *testing.T) {
	for _, f := range kernels.Filters() {
		if f.Name == "" || !strings.HasSuffix(f.Summary, ".") {
			t.Errorf("filter %+v is not fully described", f)
		}
		for _, o := range f.Options {
			if o.Name == "" || o.Type == "" || o.Help == "" {
				t.Errorf("%s: option %+v is not fully described", f.Name, o)
			}
		}
	}
}

// named has every kernel and notes which were asked for.
type named struct{ asked []string }

func (n *named) Kernel(name string) (gpu.Kernel, error) {
	n.asked = append(n.asked, name)
	return gpu.Kernel{Name: name}, nil
}
func (*named) Close() error { return nil }

// The kernel that makes four outputs an item is taken where its way of filtering goes, else one that spreads
// the work over more items.
func TestChoiceOfTheScaleKernel(t *testing.T) {
	for _, c := range []struct {
		format       frame.PixelFormat
		chain, wants string
	}{
		{frame.YUV420P, "scale=1280:720", "resize"},
		{frame.YUV420P10, "scale=3840:2160", "resize"},
		{frame.NV12, "scale=1280:720:flags=bilinear", "resize"},
		{"gbrp", "scale=1280:720,negate", "resize"},
		{frame.YUV420P, "scale=320:180", "planes"},  // filters too long
		{frame.YUV420P, "scale=1920:720", "planes"}, // nothing to share between neighbours
		{frame.RGB24, "scale=1280:720", "planes"},
		{"p010le", "scale=1280:720", "planes"},
		{frame.YUV420P, "format=yuv444p", "planes"},
		{frame.YUV420P, "scale=1280:720,format=rgb24", "to_rgb"},
		{"yuv420p16le", "scale=1280:720", "wide_planes"},
	} {
		p, err := plan(t, c.chain, frame.Info{Format: c.format, Width: 1920, Height: 1080}, "")
		if err != nil {
			t.Fatal(err)
		}
		var n named
		if _, err := p.Bind(&n); err != nil || len(n.asked) != 1 || n.asked[0] != c.wants {
			t.Errorf("%s %s: kernels %v, want %s (%v)", c.format, c.chain, n.asked, c.wants, err)
		}
	}
}
