// Command cudah writes the header gpu/cuda/include/cuda.h, the library stand-in
// gpu/cuda/lib/libcuda.a, the constants and entry points of gpu/internal/cudaapi, and the program
// that checks all of it against a real header, from the table driver.api.
//
//	go run ./tools/cudah -o gpu/cuda            # header and library
//	go run ./tools/cudah -go gpu/internal/cudaapi/zz_api.go
//	go run ./tools/cudah -check abi.c -real /usr/local/cuda/include/cuda.h
//
// # Why an own header
//
// gorgonia.org/cu includes <cuda.h> and links -lcuda, so a program that uses it cannot be built
// without NVIDIA's toolkit and cannot start without NVIDIA's driver. Here every function of the
// header is a forwarder that looks its symbol up in libcuda.so.1 when it is first called. A
// missing library or symbol is then an ordinary result code. libcuda.a is an archive without
// members: it satisfies -lcuda and adds nothing. With PINRING_CUDA_DECLARE defined the header only
// declares the functions, for whoever makes a library that has them (gpu/gputest/driverdouble).
package main
