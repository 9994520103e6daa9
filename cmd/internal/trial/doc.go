// Package trial runs frames through ring, guard and kernels without decoder and encoder: one row of a
// comparison for programs that have neither, such as the one for Windows. Frames are [Pictures]:
// synthetic, or read once from a y4m stream, and repeated.
package trial
