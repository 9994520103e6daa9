package gpu

// Discrete wraps a Unified device so that it is used like a card with memory of its own: pictures
// are copied up and results down, really, between two pieces of host memory. It stands in for a
// card where there is none: in tests, and under an emulated card.
func Discrete(d Device) Device { return discrete{d} }

type discrete struct{ Device }

// Info implements Device.
func (d discrete) Info() Info {
	i := d.Device.Info()
	i.Unified = false
	return i
}
