package avtest_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// Pictures of H.264 whose header does not say how many wait for others come in order, none is lost: also in
// fragments, of which the index of an mp4 says nothing.
func TestOrderThatTheHeaderDoesNotTell(t *testing.T) {
	for _, c := range []struct{ name, bframes, flags string }{
		{"whole.mp4", "3", "+faststart"},
		{"fragments.mp4", "3", "frag_keyframe+empty_moov"},
		{"deep.mp4", "8", "frag_keyframe+empty_moov"},
		{"each.mp4", "3", "frag_every_frame+empty_moov+delay_moov"},
		{"first-inside.mp4", "3", "frag_keyframe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := avtest.Clip(t, c.name, "testsrc2=size=320x240:rate=25:duration=2", "-c:v", "libx264", "-pix_fmt", "yuv420p",
				"-bf", c.bframes, "-b_strategy", "0", "-movflags", c.flags)
			silent := filepath.Join(t.TempDir(), c.name)
			withoutVUI(t, file, silent)
			equalToFFprobe(t, opened(t, silent).Video, silent)
			if got := countPictures(t, silent); got != 50 {
				t.Errorf("%d pictures of 50", got)
			}
		})
	}
}

func countPictures(t *testing.T, file string) (n int) {
	t.Helper()
	s, err := decode.Open(context.Background(), decode.Params{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for {
		f, err := s.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Release()
		n++
	}
}

// withoutVUI copies an mp4, of which the sequence parameter set then ends before its VUI (ITU-T H.264, 7.3.2.1.1).
func withoutVUI(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte("avcC")) + 4
	size := int(binary.BigEndian.Uint16(b[at+6:]))
	sps := b[at+8 : at+8+size]
	r := bits{b: bytes.ReplaceAll(sps, []byte{0, 0, 3}, []byte{0, 0})}
	end := r.vui()
	short := make([]byte, (end+2+7)/8) // the flag is 0, the stop bit 1
	r.at = 0
	for i := range end {
		short[i/8] |= byte(r.u(1)) << (7 - i%8)
	}
	short[(end+1)/8] |= 0x80 >> ((end + 1) % 8)
	escaped := escape(short)
	if len(escaped) > size {
		t.Fatal("the header has become longer")
	}
	clear(sps)
	copy(sps, escaped)
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// escape keeps start codes out of a header.
func escape(b []byte) (out []byte) {
	zeros := 0
	for _, v := range b {
		if zeros >= 2 && v <= 3 {
			out, zeros = append(out, 3), 0
		}
		out = append(out, v)
		if zeros++; v != 0 {
			zeros = 0
		}
	}
	return out
}

// bits reads a header.
type bits struct {
	b  []byte
	at int
}

func (r *bits) u(n int) (v int) {
	for range n {
		v = v<<1 | int(r.b[r.at/8]>>(7-r.at%8)&1)
		r.at++
	}
	return v
}

func (r *bits) ue() int {
	n := 0
	for r.u(1) == 0 {
		n++
	}
	return 1<<n - 1 + r.u(n)
}

// vui returns where vui_parameters_present_flag lies, in a header of High profile without scaling lists.
func (r *bits) vui() int {
	r.u(32)
	r.ue() // seq_parameter_set_id
	r.ue() // chroma_format_idc
	r.ue()
	r.ue()
	r.u(2)
	r.ue() // log2_max_frame_num
	if r.ue() == 0 {
		r.ue() // of the picture order count
	}
	r.ue()
	r.u(1)
	r.ue() // width
	r.ue() // height
	if r.u(1) == 0 {
		r.u(1)
	}
	r.u(1)
	if r.u(1) == 1 { // cropping
		for range 4 {
			r.ue()
		}
	}
	return r.at
}
