//go:build !cuda || !linux

package main

import "errors"

const defaultDevice = "cpu"

func openCUDA() (foreign, error) {
	return nil, errors.New(`this program was built without CUDA: eval "$(pinring env)" && go run -tags cuda .`)
}
