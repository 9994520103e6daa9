package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/report"
)

func page(t testing.TB, c *report.Compare) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (report.HTML{}).PrintCompare(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// With PINRING_REPORT_DIR the pages are kept there, to be looked at.
func TestPagesToLookAt(t *testing.T) {
	dir := os.Getenv("PINRING_REPORT_DIR")
	if dir == "" {
		t.Skip("PINRING_REPORT_DIR is not set: no pages are kept")
	}
	for name, c := range samples() {
		if err := os.WriteFile(filepath.Join(dir, name+".html"), page(t, c), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
