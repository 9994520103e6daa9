package host

import (
	"fmt"
	"io"
	"io/fs"
)

// file reads a small file of /proc or /sys again and again. Where the system allows it the file
// stays open and is read from its beginning, which is how the kernel makes it anew.
type file struct {
	fsys fs.FS
	name string
	open fs.File
}

// read returns the content in buf's memory; it is valid until buf is used again. Files longer than
// buf are cut.
func (f *file) read(buf []byte) ([]byte, error) {
	b, err := f.try(buf)
	if err != nil { // it may be a new file by that name
		f.close()
		b, err = f.try(buf)
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return b, nil
}

func (f *file) try(buf []byte) (b []byte, err error) {
	if f.open == nil {
		if f.open, err = f.fsys.Open(f.name); err != nil {
			return nil, err
		}
	}
	n := 0
	if at, ok := f.open.(io.ReaderAt); ok {
		n, err = at.ReadAt(buf, 0)
	} else {
		n, err = io.ReadFull(f.open, buf)
		f.close()
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return buf[:n], nil
}

func (f *file) close() {
	if f.open != nil {
		f.open.Close()
		f.open = nil
	}
}
