package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
)

// What bench cannot use is refused before anything is measured, and the input's stages are in the result.
func TestBench(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		want int
		args []string
	}{
		{exitUsage, []string{"bench", "--json", filepath.Join(dir, "none", "x.json")}},
		{exitInput, []string{"bench", filepath.Join(dir, "none.mp4")}},
		{exitInput, []string{"bench", "bench_test.go"}},
	} {
		if code, talk := pinring(t, nil, c.args...); code != c.want || strings.Contains(talk, "kernel") {
			t.Errorf("%v: exit code %d, want %d: %s", c.args, code, c.want, talk)
		}
	}
	file := filepath.Join(dir, "x.json")
	if code, talk := pinring(t, nil, "bench", "../../samples/sample.mp4", "--frames", "10", "-f", "negate", "--json", file); code != exitDone {
		t.Fatalf("exit code %d: %s", code, talk)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b report.Bench
	if err := json.Unmarshal(raw, &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Stages) == 0 || b.Limit == nil || len(b.Kernels) != 1 || b.Input == nil {
		t.Errorf("stages %v, limit %v, kernels %v, input %v", b.Stages, b.Limit, b.Kernels, b.Input)
	}
}
