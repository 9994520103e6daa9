package probe

import (
	"context"
	"strings"
)

// videoLibrary checks a library of the driver that decodes or encodes on the card.
func videoLibrary(name, linux, windows string) func(context.Context, *known) []Finding {
	return func(_ context.Context, k *known) []Finding {
		if !k.usable() || k.Library == nil {
			return nil
		}
		library := linux
		if k.OS == "windows" {
			library = windows
		}
		if err := k.Library(library); err != nil {
			advice := "install the driver's video libraries (libnvidia-decode, libnvidia-encode)"
			if k.container() != "" {
				advice = "start the container with NVIDIA_DRIVER_CAPABILITIES=compute,video,utility"
			}
			return warn(name, advice, "%v", err)
		}
		return ok(name, "%s opens; whether the card has the engine is only seen by using it. pinring decodes and encodes on the CPU", library)
	}
}

func checkFFmpeg(ctx context.Context, k *known) []Finding {
	const name = "FFmpeg"
	if k.FFmpeg == nil {
		return nil
	}
	versions, _ := k.FFmpeg()
	out := ok(name, "built with %s", strings.Join(versions, ", "))
	if k.Tool == nil {
		return out
	}
	line, err := k.Tool(ctx, "ffmpeg", "-version")
	if err != nil {
		return append(out, Finding{name, OK, "the program ffmpeg is not here; pinring does not need it", ""})
	}
	return append(out, Finding{Name: name, Text: "the program: " + line})
}

// wanted are the encoders that people ask for by name.
var wanted = []string{"libx264", "libx265", "libsvtav1", "libvpx-vp9", "prores_ks", "ffv1", "mjpeg"}

func checkEncoders(_ context.Context, k *known) []Finding {
	const name = "encoders"
	if k.FFmpeg == nil {
		return nil
	}
	_, have := k.FFmpeg()
	var here, missing []string
	for _, e := range wanted {
		if have[e] {
			here = append(here, e)
		} else {
			missing = append(missing, e)
		}
	}
	switch {
	case !have["libx264"]:
		return warn(name, "use an FFmpeg with libx264, or choose another with --vcodec", "%s; without libx264, the default", strings.Join(here, " "))
	case len(missing) > 0:
		return ok(name, "%s; not %s", strings.Join(here, " "), strings.Join(missing, " "))
	}
	return ok(name, "%s", strings.Join(here, " "))
}
