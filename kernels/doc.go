// Package kernels turns a filter chain into launches on a device: the catalogue of filters, the
// parser of FFmpeg's chain syntax, the planner, and the kernels themselves, as PTX for NVIDIA
// devices and as C functions for the host, built from one source (*.cu) and equal to the byte.
//
// # From text to launches
//
//	chain, err := kernels.Parse("scale=1280:720,negate") // grammar, names, values
//	plan, err := chain.Plan(info, "")                    // once per picture size and format
//	bound, err := plan.Bind(program)                     // once per device
//	bound.Record(&commands, src, dst, scratch, tables)   // per frame; does not allocate
//
// A plan is a list of passes, one launch each. A pass can change size, subsampling, bit depth,
// range, colour model and polarity at once, so neighbouring filters share passes: scale, format and
// negate in a row are one launch, and eq, which works on single samples, joins any of them. Between passes pictures lie in scratch buffers.
//
// # Arithmetic
//
// Samples are processed as 14-bit integers with room for overshoot; products are rounded 16-bit
// fixed point (Q15), longer filters sum exact 32-bit products. There is no floating point in any
// kernel. Tables of filter weights and colour matrices are computed in Go, once per plan.
//
// # Agreement with FFmpeg
//
// Filters, weights, cut-offs and sample positions follow swscale with flags
// bicubic+accurate_rnd+full_chroma_int+full_chroma_inp; the tests state the differences. Choices
// that differ on purpose:
//
//   - Conversions between YUV formats keep the range (FFmpeg 5.1 squeezes some full-range pictures
//     into limited range unasked); yuvj420p is yuv420p of full range, grey is of full range.
//   - Fewer bits: rounded, not dithered. More bits: limited range and chroma are shifted; full range
//     is stretched, so that white stays white.
//   - rgb24 is scaled as it is, not by way of subsampled YUV.
//   - unsharp and eq give the bytes of FFmpeg's filters in 8 bits. In more bits FFmpeg's eq converts to
//     8 first and FFmpeg 5.1's unsharp divides the amount by 256; here both do what they do in 8.
//   - YUV from RGB is BT.709 from 1280 wide or over 576 lines, else BT.601, limited range.
package kernels
