//go:build linux && cgo

package testmodule

/*
#include <stdint.h>
void pinring_test_affine(const uint64_t *args, int row0, int row1);
void pinring_test_tally(const uint64_t *args, int row0, int row1);
void pinring_test_churn(const uint64_t *args, int row0, int row1);
void pinring_test_cells(const uint64_t *args, int row0, int row1);
*/
import "C"

import "unsafe"

func hostKernels() map[string]unsafe.Pointer {
	return map[string]unsafe.Pointer{
		"affine": C.pinring_test_affine,
		"tally":  C.pinring_test_tally,
		"churn":  C.pinring_test_churn,
		"cells":  C.pinring_test_cells,
	}
}
