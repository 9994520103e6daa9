package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/cmd/internal/survey/surveytest"
	"github.com/pinring/pinring/gpu/gputest/driverdouble"
)

func TestBrokenLibraries(t *testing.T) {
	surveytest.Broken(t, func(args ...string) *exec.Cmd { return command(t, nil, args...) })
}

// boasting is a management library that tells of more cards than there can be, of which it knows nothing.
const boasting = `
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlSystemGetDriverVersion(char *s, unsigned n) { s[0] = 0; return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 4294967295u; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = d; return 0; }
int nvmlDeviceGetName(void *d, char *s, unsigned n) { return 3; }
int nvmlDeviceGetMemoryInfo(void *d, void *m) { return 3; }
const char *nvmlErrorString(int r) { return "not supported"; }
`

// doctor believes in a limited number of cards, and so ends in time.
func TestDoctorWithFourBillionCards(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "nvml.c")
	if err := os.WriteFile(source, []byte(boasting), 0o644); err != nil {
		t.Fatal(err)
	}
	g := driverdouble.Linux()
	if out, err := exec.Command(g.CC, "-shared", "-fPIC", "-o", filepath.Join(dir, g.Management), source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := command(t, nil, "doctor")
	cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "it opens and shows 64 cards") || strings.Contains(string(out), "no answer") {
		t.Errorf("%v\n%.2000s", err, out)
	}
}
