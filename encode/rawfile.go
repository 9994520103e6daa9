package encode

import (
	"github.com/pinring/pinring/internal/av"
)

// rawFile is an output of unencoded pictures: a muxer with one stream, and the file it writes.
type rawFile struct {
	m     *av.Muxer
	t     *target // nil for standard output
	ready bool    // the header is written
}

// newRawFile makes the muxer; path "-" is standard output.
func newRawFile(p Params, format, path string) (*rawFile, error) {
	m, err := av.NewMuxer(format, "")
	if err != nil {
		return nil, err
	}
	r := &rawFile{m: m}
	if path != "-" {
		if r.t, err = newTarget(path, p.Input, p.Overwrite); err != nil {
			m.Close()
			return nil, err
		}
		path = r.t.path
	}
	if err := m.Open(path); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *rawFile) maxHeld() int      { return 0 }
func (r *rawFile) followsSize() bool { return false }
func (r *rawFile) hurry()            { r.m.Hurry() }
func (r *rawFile) written() int64    { return r.m.Bytes() }

func (r *rawFile) partial() string {
	if r.t == nil {
		return ""
	}
	return r.t.partial()
}

func (r *rawFile) finish() error {
	if !r.ready {
		return ErrNoFrames
	}
	if err := r.m.Finish(); err != nil {
		return err
	}
	if r.t == nil {
		return nil
	}
	return r.t.commit()
}

func (r *rawFile) close() {
	r.m.Close()
	if r.t != nil {
		r.t.abandon()
	}
}
