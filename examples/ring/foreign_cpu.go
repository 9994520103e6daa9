package main

import (
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
)

// host stands in for a CUDA program where there is no GPU: the processor, used like a card with memory
// of its own, so that pictures are really copied.
type host struct {
	dev    gpu.Device
	stream gpu.Stream
	cmds   [2 * inFlight]gpu.Commands // of work that may still be on its way
	next   int
}

func openCPU() (foreign, error) {
	d, err := cpu.Open(cpu.Options{})
	if err != nil {
		return nil, err
	}
	h := &host{dev: gpu.Discrete(d)}
	if h.stream, err = h.dev.NewStream(); err != nil {
		d.Close()
		return nil, err
	}
	return h, nil
}

func (h *host) Device() gpu.Device { return h.dev }
func (h *host) Stream() gpu.Stream { return h.stream }

func (h *host) Work(dst, src gpu.Addr, bytes int) error {
	c := &h.cmds[h.next]
	h.next = (h.next + 1) % len(h.cmds)
	c.Reset()
	c.Copy(gpu.OpCopyD2D, dst, src, bytes)
	return h.stream.Submit(c)
}

func (h *host) Close() error {
	err := h.stream.Close()
	if e := h.dev.Close(); err == nil {
		err = e
	}
	return err
}
