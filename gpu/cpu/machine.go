//go:build linux && cgo

package cpu

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/pinring/pinring/gpu"
)

// processorName is the model name of /proc/cpuinfo, or the architecture where there is none.
func processorName() string {
	name := runtime.GOARCH
	each("/proc/cpuinfo", func(key, value string) bool {
		if key == "model name" {
			name = value
			return false
		}
		return true
	})
	return name
}

// memInfo reads /proc/meminfo (proc(5)): MemAvailable is the kernel's estimate of what can be
// allocated without swapping.
func memInfo() (gpu.MemInfo, error) {
	m := gpu.MemInfo{Free: -1, Total: -1}
	err := each("/proc/meminfo", func(key, value string) bool {
		switch key {
		case "MemTotal":
			m.Total = kibibytes(value)
		case "MemAvailable":
			m.Free = kibibytes(value)
		}
		return m.Free < 0 || m.Total < 0
	})
	if err == nil && (m.Free < 0 || m.Total < 0) {
		err = fmt.Errorf("/proc/meminfo: no MemTotal and MemAvailable")
	}
	return m, err
}

// kibibytes turns "123 kB" into bytes, -1 when it is something else.
func kibibytes(s string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(s, "kB")), 10, 64)
	if err != nil {
		return -1
	}
	return n << 10
}

// each calls f with the "key: value" lines of a file until f returns false.
func each(file string, f func(key, value string) bool) error {
	r, err := os.Open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if ok && !f(strings.TrimSpace(key), strings.TrimSpace(value)) {
			return nil
		}
	}
	return lines.Err()
}
