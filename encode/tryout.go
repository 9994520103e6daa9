package encode

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Note [Wrong values of options]
//
// An encoder is opened by the first frame, which may be decoded only after minutes. So what the user says of it
// is tried before: each value alone, as far as FFmpeg's table of options knows, then all of them in an encoder for
// small pictures that is closed again. Since values may suit some pixel formats only, and an encoder may refuse small
// pictures, options are to blame only when no format opens with them and one does without. What depends on the
// pictures is still found with the first of them. Encoders of hardware are not opened: they would take a session.

// own are the options that the user chose, under the encoder's names.
func (p *Params) own() map[string]string {
	opts := maps.Clone(p.Opts)
	if opts == nil {
		opts = map[string]string{}
	}
	if p.Preset != "" {
		opts["preset"] = p.Preset
	}
	if p.CRF != nil {
		opts["crf"] = strconv.FormatFloat(*p.CRF, 'g', -1, 64)
	}
	if p.BitRate > 0 {
		opts["b"] = strconv.FormatInt(p.BitRate, 10)
	}
	return opts
}

// trials are the encoders and options that were opened well, so that a thousand files are not a thousand trials.
var trials sync.Map

// tryOptions refuses values that the encoder cannot have.
func tryOptions(p *Params, wrong func(what, hint string, err error) error) error {
	opts := p.own()
	names := slices.Sorted(maps.Keys(opts))
	if len(names) == 0 {
		return nil
	}
	refuse := func(name, why, allowed string) error {
		return wrong("cannot be encoded", allowedHint(p.VCodec, name, allowed), fmt.Errorf("encoder %s does not take %s=%s%s", p.VCodec, name, opts[name], why))
	}
	for _, name := range names {
		if known := knownValues(p.VCodec, name); known != nil && !knows(known, name, opts[name]) {
			return refuse(name, "", strings.Join(known, ", "))
		}
		if ok, allowed := av.EncoderTakes(p.VCodec, name, opts[name]); !ok {
			return refuse(name, "", allowed)
		}
	}
	if hardware(p.VCodec) {
		return nil
	}
	key := p.VCodec + fmt.Sprint(opts) // maps are printed in order
	if _, done := trials.Load(key); done {
		return nil
	}
	if name, err := blame(p, opts, names); err != nil {
		return refuse(name, ": "+err.Error(), "")
	}
	trials.Store(key, true)
	return nil
}

// blame opens the encoder with all options and, when that fails, finds the one that it fails by.
func blame(p *Params, opts map[string]string, names []string) (string, error) {
	formats, err := av.EncoderFormats(p.VCodec)
	if err != nil || opens(p, formats, opts) == nil {
		return "", nil
	}
	if opens(p, formats, nil) != nil {
		return "", nil // it is not the options
	}
	for _, name := range names {
		if err := opens(p, formats, map[string]string{name: opts[name]}); err != nil {
			return name, err
		}
	}
	return "", nil // each alone is well: the first frame tells
}

// opens is nil when an encoder with these options opens for one of the formats, else the first failure.
func opens(p *Params, formats []frame.PixelFormat, opts map[string]string) (first error) {
	for _, f := range formats {
		err := av.TryEncoder(av.EncoderOptions{Codec: p.VCodec, Options: quiet(p.VCodec, maps.Clone(opts)), Quantiser: quantiserFor(p)}, f)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// hardware reports whether an encoder is a card's.
func hardware(codec string) bool {
	_, unit, _ := strings.Cut(codec, "_")
	return slices.Contains([]string{"nvenc", "vaapi", "qsv", "amf", "v4l2m2m", "omx", "videotoolbox", "mf"}, unit)
}

// knownValues are the texts that an option of x264 or x265 takes; these complain past FFmpeg's log.
func knownValues(codec, option string) []string {
	switch codec + " " + option {
	case "libx264 preset", "libx264rgb preset", "libx265 preset":
		return presets(codec)
	case "libx264 tune", "libx264rgb tune":
		return []string{"film", "animation", "grain", "stillimage", "psnr", "ssim", "fastdecode", "zerolatency"}
	case "libx265 tune":
		return []string{"psnr", "ssim", "grain", "zerolatency", "fastdecode", "animation"}
	case "libx264 profile", "libx264rgb profile":
		return []string{"baseline", "main", "high", "high10", "high422", "high444"}
	case "libx265 profile":
		return []string{"main", "main10", "main12", "mainstillpicture", "msp", "main-intra", "main10-intra", "main12-intra",
			"main422-10", "main422-10-intra", "main422-12", "main422-12-intra", "main444-8", "main444-intra", "main444-stillpicture",
			"main444-10", "main444-10-intra", "main444-12", "main444-12-intra", "main444-16-intra", "main444-16-stillpicture"}
	}
	return nil
}

// knows looks a value up. x264 takes presets as numbers, and several tunings at once.
func knows(known []string, option, value string) bool {
	if n, err := strconv.Atoi(value); err == nil && option == "preset" {
		return n >= 0 && n < len(known)
	}
	values := []string{value}
	if option == "tune" {
		values = strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(",./-+", r) })
	}
	for _, v := range values {
		if !slices.Contains(known, v) {
			return false
		}
	}
	return len(values) > 0
}

func allowedHint(codec, name, allowed string) string {
	if allowed == "" {
		return fmt.Sprintf("`ffmpeg -h encoder=%s` lists its options", codec)
	}
	return fmt.Sprintf("%s takes %s", name, allowed)
}
