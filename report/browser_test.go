package report_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browser is the Chromium that is installed.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed: the pages are not opened in a browser")
	return ""
}

// dump opens a page without a window and returns its document once scripts have run, and what the
// console said.
func dump(t *testing.T, browser string, data []byte) (document string, console []string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--dump-dom", "file://"+file)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errors.String())
	}
	for line := range strings.Lines(errors.String()) {
		if strings.Contains(line, "CONSOLE") {
			console = append(console, line)
		}
	}
	return string(out), console
}

// A page whose script fails must be seen to fail, or the test below proves nothing.
func TestBrowserReportsErrors(t *testing.T) {
	_, console := dump(t, browser(t), []byte(`<!DOCTYPE html><script>nothing.there()</script>`))
	if len(console) == 0 {
		t.Error("the console said nothing about a script that fails")
	}
}

func TestPagesInABrowser(t *testing.T) {
	b := browser(t)
	for name, want := range map[string]struct{ charts, curves int }{
		// Each chart is there twice, wide and narrow: usage, two of speed, times.
		"video": {8, 8}, "both": {16, 16}, "hostile": {8, 8}, "broken": {4, 2}, "none": {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			document, console := dump(t, b, page(t, samples()[name]))
			if len(console) > 0 {
				t.Errorf("the console says %q", console)
			}
			if !strings.Contains(document, `data-ready="yes"`) {
				t.Error("the script did not run to its end")
			}
			if n := strings.Count(document, "<svg "); n != want.charts {
				t.Errorf("%d charts, want %d", n, want.charts)
			}
			if n := strings.Count(document, `class="curve `); n != want.curves {
				t.Errorf("%d curves, want %d", n, want.curves)
			}
			if n := strings.Count(document, "<title>"); n != 1 || strings.Contains(document, "<title>owned") {
				t.Error("the title was changed from within")
			}
		})
	}
}

// The content security policy must stop a script that somehow got into a page.
func TestPolicyStopsForeignScripts(t *testing.T) {
	data := page(t, video())
	data = []byte(strings.Replace(string(data), "</main>", "<script>document.title='owned'</script></main>", 1))
	document, console := dump(t, browser(t), data)
	if strings.Contains(document, "<title>owned") || len(console) == 0 {
		t.Error("a foreign script ran")
	}
}
