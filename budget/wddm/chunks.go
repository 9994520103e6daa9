package wddm

import (
	"errors"

	"github.com/pinring/pinring/gpu"
)

// numClasses classes of chunks: a class is twice the one before, so with a granule of 2 MiB the
// largest chunk has 1 GiB. Filling 130 GB then takes some 130 calls, and any change of a few
// granules a few.
const numClasses = 10

// chunks is device memory that nobody uses, in pieces of a granule, two, four … of which any sum can
// be had. Not safe for concurrent use.
type chunks struct {
	dev     gpu.Device
	granule int64
	class   [numClasses][]gpu.Buffer
	held    int64 // bytes of all
}

func (c *chunks) size(k int) int64 { return c.granule << k }

// grow takes bytes more, a multiple of the granule. Where a large piece cannot be had, smaller ones
// are tried. When the memory ends it gives back what it took, and fails with the driver's error.
func (c *chunks) grow(bytes int64) error {
	before := c.held
	for k := numClasses - 1; k >= 0; k-- {
		for before+bytes-c.held >= c.size(k) {
			err := c.take(k)
			if err == nil {
				continue
			}
			if k > 0 && errors.Is(err, gpu.ErrOutOfMemory) {
				break // in smaller pieces
			}
			if back := c.shrink(c.held - before); back != nil {
				return back
			}
			return err
		}
	}
	return nil
}

func (c *chunks) take(k int) error {
	b, err := c.dev.Alloc(int(c.size(k)))
	if err != nil {
		return err
	}
	c.class[k] = append(c.class[k], b)
	c.held += c.size(k)
	return nil
}

// shrink gives back bytes, a multiple of the granule and not more than are held. Where only a larger
// piece is left it goes, and what is too much is taken again; if somebody else was faster, fewer
// bytes than wanted are left.
func (c *chunks) shrink(bytes int64) error {
	for k := numClasses - 1; k >= 0; k-- {
		for bytes >= c.size(k) && len(c.class[k]) > 0 {
			if err := c.give(k); err != nil {
				return err
			}
			bytes -= c.size(k)
		}
	}
	if bytes == 0 {
		return nil
	}
	for k := range numClasses {
		if c.size(k) > bytes && len(c.class[k]) > 0 {
			if err := c.give(k); err != nil {
				return err
			}
			if err := c.grow(c.size(k) - bytes); !errors.Is(err, gpu.ErrOutOfMemory) {
				return err
			}
			return nil
		}
	}
	return nil
}

// give frees one piece; one that cannot be freed stays.
func (c *chunks) give(k int) error {
	n := len(c.class[k])
	if err := c.class[k][n-1].Free(); err != nil {
		return err
	}
	c.class[k][n-1] = nil
	c.class[k] = c.class[k][:n-1]
	c.held -= c.size(k)
	return nil
}

// close frees everything that can be freed and reports the first failure.
func (c *chunks) close() (err error) {
	for k := range c.class {
		for _, b := range c.class[k] {
			if e := b.Free(); e != nil {
				if err == nil {
					err = e
				}
				continue
			}
			c.held -= c.size(k)
		}
		c.class[k] = nil
	}
	return err
}
