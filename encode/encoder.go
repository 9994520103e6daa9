package encode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// chooseEncoder completes p.VCodec and checks what can be checked before the first frame.
func chooseEncoder(p *Params, m *av.Muxer) error {
	if p.VCodec == "" {
		p.VCodec = defaultEncoder(m)
	}
	wrong := func(what, hint string, err error) error {
		return &Error{Output: p.Output, What: what, Err: err, Settings: true, Hint: hint}
	}
	if p.VCodec == "" {
		return wrong(fmt.Sprintf("holds no video: the container is %s", m.Format()), ".mp4, .mkv, .mov, .webm and .ts do", nil)
	}
	if p.VCodec == "copy" {
		return wrong("cannot be written without encoding: pinring processes pictures, and a copied stream has none", "`ffmpeg -c copy` copies streams", nil)
	}
	switch kind := av.EncoderKind(p.VCodec); {
	case kind == "":
		hint := "`ffmpeg -encoders` lists what FFmpeg can encode here"
		near := commonEncoders[strings.ToLower(p.VCodec)]
		if near == "" {
			near = nearestName(p.VCodec, av.Encoders("video"))
		}
		if near != "" {
			hint = fmt.Sprintf("did you mean %s?", near)
		}
		return wrong("cannot be encoded", hint, fmt.Errorf("%w (%s)", av.ErrNoEncoder, p.VCodec))
	case kind != "video":
		return wrong(fmt.Sprintf("cannot be encoded: %s encodes %s", p.VCodec, kind), "--acodec names the encoder of the sound", nil)
	}
	if codec := av.EncoderCodec(p.VCodec); !m.Holds(codec) {
		return wrong(fmt.Sprintf("cannot hold %s: the container is %s", codec, m.Format()),
			fmt.Sprintf("--vcodec %s fits this container; .mkv holds nearly everything", defaultEncoder(m)), nil)
	}
	if err := checkSoundEncoder(p, m); err != nil {
		return err
	}
	return checkOptions(p, wrong)
}

// defaultEncoder is what most players can play, where the container can hold it.
func defaultEncoder(m *av.Muxer) string {
	switch {
	case m.Format() == "webm":
		return "libvpx-vp9"
	case m.Holds("h264") && av.EncoderKind(DefaultVCodec) != "":
		return DefaultVCodec
	}
	return m.DefaultEncoder("video")
}

// checkOptions refuses options that the encoder does not have, and presets whose names it does not
// know, before a frame is decoded.
func checkOptions(p *Params, wrong func(what, hint string, err error) error) error {
	names := av.EncoderOptionNames(p.VCodec)
	lacks := func(name, hint string) error {
		return wrong("cannot be encoded", hint, fmt.Errorf("encoder %s has no option %q", p.VCodec, name))
	}
	for k := range p.Opts {
		if !slices.Contains(names, k) {
			hint := fmt.Sprintf("`ffmpeg -h encoder=%s` lists its options", p.VCodec)
			if near := nearestName(k, names); near != "" {
				hint = fmt.Sprintf("did you mean %s? %s", near, hint)
			}
			return lacks(k, hint)
		}
	}
	if p.CRF != nil && !slices.Contains(names, "crf") {
		return lacks("crf", qualityHint(p.VCodec, names))
	}
	if p.Preset != "" && !slices.Contains(names, "preset") {
		return lacks("preset", fmt.Sprintf("`ffmpeg -h encoder=%s` lists its options", p.VCodec))
	}
	if err := checkPreset(p, wrong); err != nil {
		return err
	}
	if most := highestCRF(p.VCodec); p.CRF != nil && *p.CRF > most {
		return wrong("cannot be encoded", fmt.Sprintf("crf takes 0 to %v", most), fmt.Errorf("encoder %s does not take crf=%v", p.VCodec, *p.CRF))
	}
	return tryOptions(p, wrong)
}

// commonEncoders are the encoders that people mean by the names of formats and libraries.
var commonEncoders = map[string]string{
	"h264": "libx264", "avc": "libx264", "x264": "libx264", "h265": "libx265", "hevc": "libx265", "x265": "libx265",
	"vp8": "libvpx", "vp9": "libvpx-vp9", "av1": "libsvtav1", "svtav1": "libsvtav1", "prores": "prores_ks", "jpeg": "mjpeg", "nvenc": "h264_nvenc",
}

// checkPreset refuses names of presets that the encoder does not have.
func checkPreset(p *Params, wrong func(what, hint string, err error) error) error {
	known := presets(p.VCodec)
	if p.Preset == "" || len(known) == 0 || slices.Contains(known, p.Preset) {
		return nil
	}
	if _, err := strconv.Atoi(p.Preset); err == nil { // some count them; tryOptions knows how far
		return nil
	}
	hint := "its presets: " + strings.Join(known, ", ")
	if near := nearestName(p.Preset, known); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return wrong("cannot be encoded", hint, fmt.Errorf("encoder %s has no preset %q", p.VCodec, p.Preset))
}

// highestCRF is the constant rate factor that gives the smallest file. x264 takes larger ones for this without a
// word.
func highestCRF(codec string) float64 {
	switch codec {
	case "libx264", "libx264rgb", "libx265":
		return 51
	}
	return math.Inf(1)
}

func qualityHint(codec string, names []string) string {
	for _, o := range []string{"cq", "qscale", "quality"} {
		if slices.Contains(names, o) {
			return fmt.Sprintf("its quality is set by --vopt %s=N, its size by --bitrate", o)
		}
	}
	return fmt.Sprintf("--bitrate sets its size; `ffmpeg -h encoder=%s` lists its options", codec)
}

// presets are the names that an encoder takes, nil when they are not known.
func presets(codec string) []string {
	switch codec {
	case "libx264", "libx264rgb", "libx265":
		return []string{"ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"}
	}
	return av.EncoderOptionValues(codec, "preset")
}

// options are the encoder's, the named ones put among the others.
func (c *coded) options(h *frame.HDR) map[string]string {
	opts := c.p.own()
	addHDR(opts, c.p.VCodec, h)
	return quiet(c.p.VCodec, opts)
}

// quiet keeps x265 from talking past FFmpeg's log.
func quiet(codec string, opts map[string]string) map[string]string {
	if codec != "libx265" || strings.Contains(opts["x265-params"], "log-level") {
		return opts
	}
	if opts == nil {
		opts = map[string]string{}
	}
	opts["x265-params"] = join(opts["x265-params"], "log-level=error")
	return opts
}

// join puts encoder parameters behind others; later ones would win, so own ones come first.
func join(own, more string) string {
	if own == "" {
		return more
	}
	return more + ":" + own
}

// defaultQuantiser is for encoders whose default is a bit rate that suits small pictures only.
const defaultQuantiser = 3

func (c *coded) quantiser() float64 { return quantiserFor(&c.p) }

func quantiserFor(p *Params) float64 {
	for _, o := range []string{"b", "global_quality", "qmax", "flags"} {
		if _, ok := p.Opts[o]; ok {
			return 0
		}
	}
	switch p.VCodec {
	case "mjpeg", "mpeg4", "mpeg1video", "mpeg2video":
		if p.BitRate == 0 {
			return defaultQuantiser
		}
	}
	return 0
}

// encoderError explains an encoder that did not open.
func (c *coded) encoderError(f *frame.Frame, err error) error {
	if e := nvencError(c.p.Output, c.p.VCodec, err); e != nil {
		return e
	}
	return &Error{Output: c.p.Output, What: "cannot be encoded", Err: err, Settings: true, Hint: c.hint(f)}
}

// hint says what to do about an encoder that did not open.
func (c *coded) hint(f *frame.Frame) string {
	if c.p.VCodec == "libsvtav1" && (f.Width < 64 || f.Height < 64) {
		return "SVT-AV1 takes pictures of 64x64 and more; libaom-av1 takes smaller ones"
	}
	d, ok := av.Describe(f.Format)
	if ok && (d.Log2ChromaW > 0 && f.Width%2 != 0 || d.Log2ChromaH > 0 && f.Height%2 != 0) {
		return fmt.Sprintf("many encoders take no odd sizes in %s: -f scale=%d:%d makes them even, -f format=yuv444p keeps them where the encoder takes 4:4:4",
			f.Format, f.Width+f.Width%2, f.Height+f.Height%2)
	}
	return fmt.Sprintf("check the encoder's options; `ffmpeg -h encoder=%s` lists them", c.p.VCodec)
}
