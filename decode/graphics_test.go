package decode

import (
	"encoding/binary"
	"testing"
)

// The subtitle of a DVD that is on the screen from 0 to 300 units of 1024/90000 s, as the format has it: size,
// place of the controls, a picture of two bytes, and two sequences of controls.
var dvdSubtitle = []byte{0, 18, 0, 6, 1, 2, 0, 0, 0, 12, 1, 0xff, 1, 44, 0, 12, 2, 0xff}

func TestTimeInsideDVDSubtitles(t *testing.T) {
	b := append([]byte(nil), dvdSubtitle...)
	if got, want := lastOfDVD(b), int64(300*1024)*second/90_000; got != want {
		t.Fatalf("it is shown for %d us, want %d", got, want)
	}
	hastenDVD(b, 100*1024*second/90_000+1)
	if first, last := binary.BigEndian.Uint16(b[6:]), binary.BigEndian.Uint16(b[12:]); first != 0 || last != 200 {
		t.Errorf("controls at %d and %d, want 0 and 200", first, last)
	}
}

// Packets may hold anything.
func FuzzGraphics(f *testing.F) {
	f.Add("dvd_subtitle", dvdSubtitle)
	f.Add("hdmv_pgs_subtitle", []byte{0x16, 0, 11, 0, 64, 0, 48, 0x10, 0, 1, 0x80, 0, 0, 1})
	f.Add("dvb_subtitle", []byte{0x20, 0, 0x0f, 0x10, 0, 1, 0, 2, 30, 8, 0x0f, 0x80, 0, 1, 0, 0})
	f.Fuzz(func(t *testing.T, codec string, b []byte) {
		g := describeGraphics(codec, b)
		if g.lasts < 0 {
			t.Errorf("lasts %d", g.lasts)
		}
		whole := len(b)
		hastenDVD(b, 1_000_000)
		if len(b) != whole || lastOfDVD(b) < 0 {
			t.Error("the packet is another one")
		}
	})
}
