package kernels

// spanOutputs is how many outputs an item of resize.cu makes, spanColumns how many source columns may
// lie under them.
const (
	spanOutputs = 4
	spanColumns = 12
)

// bySpan gives each output weights for the spanColumns columns that begin under the first output of its
// item, zeros where its filter does not reach. Nil when some filter does not fit, or is none.
func (f *filter) bySpan() []int16 {
	if f.taps < 2 || f.taps > spanColumns {
		return nil
	}
	n := len(f.pos) / spanOutputs * spanOutputs
	out := make([]int16, n*spanColumns)
	for i := range n {
		at := int(f.pos[i] - f.pos[i/spanOutputs*spanOutputs])
		if at+f.taps > spanColumns {
			return nil
		}
		copy(out[i*spanColumns+at:], f.row(i))
	}
	return out
}
