package kernels

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pinring/pinring/frame"
)

// sizeRule is how scale finds its output size.
type sizeRule struct {
	w, h      *expr
	keep      int // 0, -1 shrink, 1 grow to keep the aspect ratio
	divisible int
}

// sizes are abbreviations of FFmpeg's.
var sizes = map[string][2]int{
	"sqcif": {128, 96}, "qcif": {176, 144}, "cif": {352, 288}, "4cif": {704, 576}, "16cif": {1408, 1152},
	"ntsc": {720, 480}, "pal": {720, 576}, "qqvga": {160, 120}, "qvga": {320, 240}, "vga": {640, 480},
	"svga": {800, 600}, "xga": {1024, 768}, "uxga": {1600, 1200}, "hd480": {852, 480}, "hd720": {1280, 720},
	"hd1080": {1920, 1080}, "2k": {2048, 1080}, "4k": {4096, 2160}, "uhd2160": {3840, 2160}, "uhd4320": {7680, 4320},
	"nhd": {640, 360}, "qhd": {960, 540},
}

func buildSize(v values) (sizeRule, error) {
	var r sizeRule
	var err error
	if r.keep, err = choice(v, "force_original_aspect_ratio", []string{"disable", "decrease", "increase"},
		map[string]int{"disable": 0, "0": 0, "decrease": -1, "1": -1, "increase": 1, "2": 1}); err != nil {
		return r, err
	}
	if r.divisible, err = v.integer("force_divisible_by", 1, 256); err != nil {
		return r, err
	}
	name := "size"
	if v.has("w") && !v.has("h") {
		name = "w" // as FFmpeg, a lone first value is a size
	}
	if v.has(name) && (name == "w" || !v.has("h")) {
		r.w, r.h, err = namedSize(v, name)
		return r, err
	}
	if v.has("size") {
		return r, &valueError{"size", 0, errors.New("size and w or h exclude each other")}
	}
	if r.w, err = compileOption(v, "w"); err != nil {
		return r, err
	}
	r.h, err = compileOption(v, "h")
	return r, err
}

// namedSize reads "WxH" or an abbreviation.
func namedSize(v values, option string) (w, h *expr, err error) {
	s := v.get(option)
	if option == "w" && v.has("size") {
		return nil, nil, &valueError{"size", 0, errors.New("size and w or h exclude each other")}
	}
	if wh, ok := sizes[s]; ok {
		return constant(float64(wh[0])), constant(float64(wh[1])), nil
	}
	ws, hs, ok := strings.Cut(s, "x")
	wn, err1 := strconv.Atoi(ws)
	hn, err2 := strconv.Atoi(hs)
	if !ok || err1 != nil || err2 != nil || wn <= 0 || hn <= 0 {
		msg := fmt.Errorf("%q is not a size such as 1280x720 or hd720", s)
		if option == "w" {
			msg = fmt.Errorf("%w; for a width alone say what the height shall be: scale=%s:-2 keeps the aspect ratio", msg, s)
		}
		return nil, nil, &valueError{option, 0, msg}
	}
	return constant(float64(wn)), constant(float64(hn)), nil
}

// sizeVars are the names that size expressions know, as in FFmpeg's scale.
var sizeVars = []string{"in_w", "iw", "in_h", "ih", "out_w", "ow", "out_h", "oh", "a", "sar", "dar", "hsub", "vsub", "ohsub", "ovsub"}

func compileOption(v values, option string) (*expr, error) {
	e, err := compileExpr(v.get(option), sizeVars)
	if err != nil {
		return nil, &valueError{option, err.offset, errors.New(err.message)}
	}
	return e, nil
}

// eval gives the output size for an input picture. The rules are those of FFmpeg's scale: w and h may
// refer to each other; 0 is the input's; -n keeps the aspect ratio, rounded to a multiple of n.
func (r sizeRule) eval(in frame.Info, d *frame.Desc) (int, int, error) {
	vars := r.vars(in, d)
	setOut(vars, "out_w", "ow", r.w.eval(vars))
	setOut(vars, "out_h", "oh", r.h.eval(vars))
	setOut(vars, "out_w", "ow", r.w.eval(vars))
	wv, hv := vars["ow"], r.h.eval(vars)
	for _, v := range []float64{wv, hv} {
		if math.IsNaN(v) || math.Abs(v) > maxSide {
			return 0, 0, fmt.Errorf("output size %.15gx%.15g is not within 1x1 and %dx%d", wv, hv, maxSide, maxSide)
		}
	}
	w, h := r.adjust(orElse(int(wv), in.Width), orElse(int(hv), in.Height), in)
	if w < 1 || h < 1 || w > maxSide || h > maxSide {
		return 0, 0, fmt.Errorf("output size %dx%d is not within 1x1 and %dx%d", w, h, maxSide, maxSide)
	}
	return w, h, nil
}

func (r sizeRule) vars(in frame.Info, d *frame.Desc) map[string]float64 {
	w, h := float64(in.Width), float64(in.Height)
	sar := 1.0
	if in.SAR.Valid() {
		sar = in.SAR.Float()
	}
	hsub, vsub := float64(int(1)<<d.Log2ChromaW), float64(int(1)<<d.Log2ChromaH)
	return map[string]float64{
		"in_w": w, "iw": w, "in_h": h, "ih": h, "a": w / h, "sar": sar, "dar": w / h * sar,
		"hsub": hsub, "vsub": vsub, "ohsub": hsub, "ovsub": vsub,
		"out_w": math.NaN(), "ow": math.NaN(), "out_h": math.NaN(), "oh": math.NaN(),
	}
}

func setOut(vars map[string]float64, long, short string, v float64) { vars[long], vars[short] = v, v }

func orElse(v, zero int) int {
	if v == 0 {
		return zero
	}
	return v
}

// adjust resolves negative sizes and force_original_aspect_ratio.
func (r sizeRule) adjust(w, h int, in frame.Info) (int, int) {
	fw, fh := max(1, -w), max(1, -h)
	if w < 0 && h < 0 {
		w, h = in.Width, in.Height
	}
	if w < 0 {
		w = rescale(h, in.Width, in.Height*fw) * fw
	}
	if h < 0 {
		h = rescale(w, in.Height, in.Width*fh) * fh
	}
	if r.keep == 0 {
		return w, h
	}
	tw, th, up := rescale(h, in.Width, in.Height), rescale(w, in.Height, in.Width), 0
	if r.keep < 0 {
		w, h = min(w, tw), min(h, th)
	} else {
		w, h, up = max(w, tw), max(h, th), r.divisible-1
	}
	return (w + up) / r.divisible * r.divisible, (h + up) / r.divisible * r.divisible
}

// rescale is v*num/den rounded to nearest, halves up.
func rescale(v, num, den int) int { return (v*num + den/2) / den }
