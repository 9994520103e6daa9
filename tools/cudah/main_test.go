package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommittedFiles fails when the table was edited and the files were not generated again.
func TestCommittedFiles(t *testing.T) {
	a, err := parse(table)
	if err != nil {
		t.Fatal(err)
	}
	pure, err := golang(a)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"gpu/cuda/include/cuda.h": header(a), "gpu/cuda/lib/libcuda.a": emptyArchive, "gpu/internal/cudaapi/zz_api.go": pure,
	} {
		got, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what the table gives: run go run ./tools/cudah -o gpu/cuda -go gpu/internal/cudaapi/zz_api.go", name)
		}
	}
}

func TestTableErrors(t *testing.T) {
	for text, want := range map[string]string{
		"CU_A 1":                 "before the first section",
		"[define]\nCU_A":         "needs two words",
		"[functions]\ncuA int":   "no colon",
		"[enum CUa]":             "wrong number of words",
		"[nonsense]\nCU_A 1":     "unknown section",
		"[define]\n\nCU_A 1\nCU": "driver.api:4",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parse(%q) = %v, want an error with %q", text, err, want)
		}
	}
}

// TestNoDuplicates: C would take a second enum value silently as long as the name differs.
func TestNoDuplicates(t *testing.T) {
	a, err := parse(table)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	note := func(name string) {
		if seen[name] {
			t.Errorf("%s stands twice in driver.api", name)
		}
		seen[name] = true
	}
	for _, e := range a.enums {
		for _, v := range e.values {
			note(e.prefix + v.name)
		}
	}
	for _, f := range a.functions {
		note(f.symbol)
	}
	if len(a.functions) < 150 || len(seen) < 300 {
		t.Fatalf("the table has %d functions and %d names: it was not read to its end", len(a.functions), len(seen))
	}
}
