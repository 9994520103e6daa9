// Command cudah writes the header gpu/cuda/include/cuda.h, the library stand-in
// gpu/cuda/lib/libcuda.a, and the program that checks the header against a real one, all from the
// table driver.api.
//
//	go run ./tools/cudah -o gpu/cuda            # header and library
//	go run ./tools/cudah -check abi.c -real /usr/local/cuda/include/cuda.h
//
// # Why an own header
//
// gorgonia.org/cu includes <cuda.h> and links -lcuda, so a program that uses it cannot be built
// without NVIDIA's toolkit and cannot start without NVIDIA's driver. Here every function of the
// header is a forwarder that looks its symbol up in libcuda.so.1 when it is first called. A
// missing library or symbol is then an ordinary result code. libcuda.a is an archive without
// members: it satisfies -lcuda and adds nothing.
package main
