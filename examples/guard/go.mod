// A module outside of pinring's, so that it can use nothing but the public packages. Your own has no
// replace line.
module example.com/guard

go 1.26.0

require github.com/pinring/pinring v0.0.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/pinring/pinring => ../..
