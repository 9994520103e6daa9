package env

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSameAsScript: the shell's cksum and the script's flags are the reference.
func TestSameAsScript(t *testing.T) {
	if _, err := exec.LookPath("cksum"); err != nil {
		t.Skip("no cksum on this machine")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	want, err := exec.Command("sh", filepath.Join(root, "scripts", "cuda-env.sh")).Output()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Exports(root)
	if err != nil {
		t.Fatal(err)
	}
	if g, w := strings.Join(got, "\n"), strings.TrimSpace(string(want)); g != w {
		t.Errorf("Exports:\n%s\nscripts/cuda-env.sh:\n%s", g, w)
	}
}

// TestChecksum compares with cksum of coreutils ("printf %s 123456789 | cksum").
func TestChecksum(t *testing.T) {
	if got := cksum([]byte("123456789")); got != 930766865 {
		t.Errorf("cksum = %d, want 930766865", got)
	}
}

func TestModuleDir(t *testing.T) {
	dir, err := ModuleDir()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Exports(dir); err != nil {
		t.Error(err)
	}
	if _, err := Exports(t.TempDir()); err == nil {
		t.Error("a folder without the header gave flags")
	}
}
