// A module outside of pinring's, so that it can use nothing but the public packages. Your own has no
// replace line.
module example.com/ring

go 1.26.0

require github.com/pinring/pinring v0.0.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	golang.org/x/sys v0.50.0 // indirect
	gorgonia.org/cu v0.9.6 // indirect
)

replace github.com/pinring/pinring => ../..
