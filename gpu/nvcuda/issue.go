//go:build windows || linux

package nvcuda

import (
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

// issue makes the call for one command, which has been validated. The context is current.
func (s *stream) issue(c *gpu.Command, args []uint64) int {
	lib := s.dev.lib
	switch c.Op {
	case gpu.OpFill:
		if c.Width == 0 {
			return cudaapi.CUDA_SUCCESS
		}
		return lib.plain(cudaapi.CuMemsetD8Async, uintptr(c.Dst), uintptr(byte(c.Value)), uintptr(c.Width), s.handle)
	case gpu.OpLaunch:
		return s.launch(c, args)
	case gpu.OpWait:
		return lib.plain(cudaapi.CuStreamWaitEvent, s.handle, uintptr(c.Handle), 0)
	case gpu.OpRecord:
		return lib.plain(cudaapi.CuEventRecord, uintptr(c.Handle), s.handle)
	}
	return s.copy(c)
}

// copy copies bytes. Rows that lie close are one row; rows with pitches are a 2D copy.
func (s *stream) copy(c *gpu.Command) int {
	bytes := c.Width * c.Rows
	if bytes == 0 {
		return cudaapi.CUDA_SUCCESS
	}
	if c.Rows > 1 && (c.DstPitch != c.Width || c.SrcPitch != c.Width) {
		return s.copyRows(c)
	}
	f := cudaapi.CuMemcpyDtoDAsync
	switch c.Op {
	case gpu.OpCopyH2D:
		f = cudaapi.CuMemcpyHtoDAsync
	case gpu.OpCopyD2H:
		f = cudaapi.CuMemcpyDtoHAsync
	}
	return s.dev.lib.plain(f, uintptr(c.Dst), uintptr(c.Src), uintptr(bytes), s.handle)
}

// copyRows fills in both the host's and the device's address; the memory type says which one counts.
func (s *stream) copyRows(c *gpu.Command) int {
	s.rows = cudaapi.CUDA_MEMCPY2D{
		SrcMemoryType: cudaapi.CU_MEMORYTYPE_DEVICE, SrcHost: uint64(c.Src), SrcDevice: uint64(c.Src), SrcPitch: c.SrcPitch,
		DstMemoryType: cudaapi.CU_MEMORYTYPE_DEVICE, DstHost: uint64(c.Dst), DstDevice: uint64(c.Dst), DstPitch: c.DstPitch,
		WidthInBytes: c.Width, Height: c.Rows,
	}
	switch c.Op {
	case gpu.OpCopyH2D:
		s.rows.SrcMemoryType = cudaapi.CU_MEMORYTYPE_HOST
	case gpu.OpCopyD2H:
		s.rows.DstMemoryType = cudaapi.CU_MEMORYTYPE_HOST
	}
	return s.dev.lib.plain(cudaapi.CuMemcpy2DAsync, uintptr(unsafe.Pointer(&s.rows)), s.handle)
}

// launch passes the cells as the kernel's only parameter, a struct of gpu.MaxArgs cells, which the
// driver copies before it returns. Cells that were not given are 0.
func (s *stream) launch(c *gpu.Command, args []uint64) int {
	n := copy(s.cells[:], args[c.FirstArg:c.FirstArg+c.NumArgs])
	clear(s.cells[n:])
	cols := (c.Width + gpu.BlockCols - 1) / gpu.BlockCols
	rows := (c.Rows + gpu.BlockRows - 1) / gpu.BlockRows
	return s.dev.lib.plain(cudaapi.CuLaunchKernel, uintptr(c.Handle), uintptr(cols), uintptr(rows), 1,
		gpu.BlockCols, gpu.BlockRows, 1, 0, s.handle, uintptr(unsafe.Pointer(&s.parameters)), 0)
}
