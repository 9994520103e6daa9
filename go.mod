module github.com/pinring/pinring

go 1.26

require (
	github.com/asticode/go-astiav v0.16.0
	go.uber.org/goleak v1.3.0
	pgregory.net/rapid v1.3.0
)

require github.com/asticode/go-astikit v0.42.0 // indirect
