package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// makeHostile makes the inputs that the scripts about limits and references need.
func makeHostile(t *testing.T, dir string, make func(name string, args ...string)) {
	t.Helper()
	video := []string{"-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.2", "-c:v", "mpeg2video"}
	make("short.ts", video...)
	make("sound.ts", "-f", "lavfi", "-i", "sine=d=3", "-c:a", "mp2", "-f", "mpegts")
	make("data.mov", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.2", "-c:v", "mjpeg")
	make("moving.gif", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1")
	make("still.tiff", "-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1")
	make("first.mpg", "-f", "lavfi", "-i", "sine=d=12", "-c:a", "mp2")
	make("then.mpg", "-f", "lavfi", "-i", "sine=d=0.4", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.4", "-map", "0", "-map", "1", "-c:a", "mp2", "-c:v", "mpeg2video",
		"-output_ts_offset", "12")
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write("late.mpg", append(read("first.mpg"), read("then.mpg")...))
	write("null.ts", bytes.Repeat(nullPacket(), 5000))
	write("dref.mov", withReference(t, read("data.mov"), "data.mov"))
}

// nullPacket is a packet of a transport stream that only fills it up.
func nullPacket() []byte {
	p := bytes.Repeat([]byte{0xff}, 188)
	copy(p, []byte{0x47, 0x1f, 0xff, 0x10})
	return p
}

// withReference makes a QuickTime file that says that its data lies in another one: the entry of its
// data reference box, which says "in this file", becomes an alias. The boxes around it grow.
func withReference(t *testing.T, mov []byte, target string) []byte {
	t.Helper()
	at := bytes.Index(mov, []byte("dref")) + 12 // behind version and count
	size := int(binary.BigEndian.Uint32(mov[at:]))
	alias := macAlias(target)
	out := append(bytes.Clone(mov[:at]), alias...)
	out = append(out, mov[at+size:]...)
	for _, box := range []string{"moov", "trak", "mdia", "minf", "dinf", "dref"} {
		i := bytes.Index(out, []byte(box)) - 4
		if i < 0 || i > at {
			t.Fatalf("no %s before the reference: the muxer writes another order", box)
		}
		binary.BigEndian.PutUint32(out[i:], binary.BigEndian.Uint32(out[i:])+uint32(len(alias)-size))
	}
	// The pictures themselves are not in this file.
	data := bytes.Index(out, []byte("mdat"))
	n := int(binary.BigEndian.Uint32(out[data-4:]))
	clear(out[data+4 : data-4+n])
	return out
}

// macAlias is an entry "alis" of a data reference box: a Mac OS alias to a file in the same folder.
func macAlias(name string) []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.BigEndian, v) } // a buffer takes everything
	put(uint32(0))                                                   // the size, below
	b.WriteString("alis")
	put(uint32(0)) // version, flags
	body := make([]byte, 150)
	body[131], body[133] = 1, 1 // levels up from here, and down to the target
	b.Write(body)
	record := func(kind int16, text []byte) {
		put(kind)
		put(int16(len(text)))
		b.Write(text)
		if len(text)%2 == 1 {
			b.WriteByte(0)
		}
	}
	record(2, []byte("volume:"+name))
	put(int16(-1))
	put(int16(0))
	out := b.Bytes()
	binary.BigEndian.PutUint32(out, uint32(len(out)))
	return out
}
