package cudaapi

// poisonous are the results after which the context is lost. For each of them the driver API's
// description of CUresult says that further work returns the same error, or that the context
// cannot be used any more. Uncorrectable memory and link errors (214, 220) are taken for such, too:
// what they hit cannot be trusted.
var poisonous = map[int]bool{
	CUDA_ERROR_ECC_UNCORRECTABLE:     true,
	CUDA_ERROR_NVLINK_UNCORRECTABLE:  true,
	CUDA_ERROR_CONTAINED:             true,
	CUDA_ERROR_ILLEGAL_ADDRESS:       true,
	CUDA_ERROR_LAUNCH_TIMEOUT:        true,
	CUDA_ERROR_CONTEXT_IS_DESTROYED:  true,
	CUDA_ERROR_ASSERT:                true,
	CUDA_ERROR_HARDWARE_STACK_ERROR:  true,
	CUDA_ERROR_ILLEGAL_INSTRUCTION:   true,
	CUDA_ERROR_MISALIGNED_ADDRESS:    true,
	CUDA_ERROR_INVALID_ADDRESS_SPACE: true,
	CUDA_ERROR_INVALID_PC:            true,
	CUDA_ERROR_LAUNCH_FAILED:         true,
	CUDA_ERROR_TENSOR_MEMORY_LEAK:    true,
	CUDA_ERROR_EXTERNAL_DEVICE:       true,
}

// Poisonous reports whether a context is lost after the result.
func Poisonous(code int) bool { return poisonous[code] }
