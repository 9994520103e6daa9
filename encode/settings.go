package encode

import (
	"fmt"

	"github.com/pinring/pinring/internal/av"
)

// CheckSettings refuses what is wrong with the settings whatever the input is: a name that means no
// container, encoders and options that do not exist or do not fit, values that they do not take. It touches no file.
// Errors are *Error with Settings.
func CheckSettings(p Params) error {
	p.Note = nil
	switch kindOf(p.Output) {
	case imageOutput:
		_, err := checkImages(&p)
		return err
	case codedOutput:
		m, err := newMuxer(&p)
		if err != nil {
			return err
		}
		defer m.Close()
		return chooseEncoder(&p, m)
	}
	return nil
}

func newMuxer(p *Params) (*av.Muxer, error) {
	m, err := av.NewMuxer("", p.Output)
	if err != nil {
		return nil, &Error{Output: p.Output, What: "is of no known kind", Err: err, Settings: true,
			Hint: "end the name in .mp4, .mkv, .mov, .webm, .ts, .y4m, .png or .jpg, or write to null: or md5:"}
	}
	return m, nil
}

// checkSoundEncoder refuses names that are no encoder of sound, and encoders that the container cannot hold.
func checkSoundEncoder(p *Params, m *av.Muxer) error {
	wrong := func(what, hint string) error {
		return &Error{Output: p.Output, What: what, Settings: true, Hint: hint}
	}
	switch kind := av.EncoderKind(p.ACodec); {
	case p.ACodec == "", p.ACodec == "copy":
		return nil
	case kind == "":
		hint := "`ffmpeg -encoders` lists what FFmpeg can encode here"
		if near := nearestName(p.ACodec, av.Encoders("audio")); near != "" {
			hint = fmt.Sprintf("did you mean %s?", near)
		}
		return wrong(fmt.Sprintf("sound cannot be encoded: %v (%s)", av.ErrNoEncoder, p.ACodec), hint)
	case kind != "audio":
		return wrong(fmt.Sprintf("sound cannot be encoded: %s encodes %s", p.ACodec, kind), "--vcodec names the encoder of the pictures")
	}
	if codec := av.EncoderCodec(p.ACodec); !m.Holds(codec) {
		return wrong(fmt.Sprintf("cannot hold %s: the container is %s", codec, m.Format()), fmt.Sprintf("--acodec %s fits this container", soundEncoder(m)))
	}
	return nil
}
