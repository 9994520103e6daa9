// Package env tells with which environment programs that import gpu/cuda are built: the same as
// scripts/cuda-env.sh, for projects that have this module in their module cache. It has no cgo.
package env

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is the one whose folder holds gpu/cuda.
const module = "github.com/pinring/pinring"

// ModuleDir asks the go command where the module lies, as seen from the working folder.
func ModuleDir() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w; run it inside a module that requires %s", module, err, module)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", fmt.Errorf("%s has not been downloaded: run go mod download %s", module, module)
	}
	return dir, nil
}

// Exports are the lines for a shell, given the module's folder.
func Exports(moduleDir string) ([]string, error) {
	include := filepath.Join(moduleDir, "gpu", "cuda", "include")
	header, err := os.ReadFile(filepath.Join(include, "cuda.h"))
	if err != nil {
		return nil, err
	}
	cflags := fmt.Sprintf("-g -O2 -I%s -DPINRING_CUDA_STAMP=%d -Wno-deprecated-declarations", include, cksum(header))
	ldflags := fmt.Sprintf("-g -O2 -L%s -Wl,-z,lazy", filepath.Join(moduleDir, "gpu", "cuda", "lib"))
	return []string{
		fmt.Sprintf("export CGO_CFLAGS='%s'", cflags),
		fmt.Sprintf("export CGO_LDFLAGS='%s'", ldflags),
	}, nil
}

// cksum is the checksum of POSIX cksum(1): a CRC with polynomial 0x04c11db7 over the bytes and
// then their number, least significant byte first, complemented.
func cksum(text []byte) uint32 {
	var crc uint32
	step := func(b byte) {
		crc ^= uint32(b) << 24
		for range 8 {
			if crc&(1<<31) != 0 {
				crc = crc<<1 ^ 0x04c11db7
			} else {
				crc <<= 1
			}
		}
	}
	for _, b := range text {
		step(b)
	}
	for n := len(text); n > 0; n >>= 8 {
		step(byte(n))
	}
	return ^crc
}
