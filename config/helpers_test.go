package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/pinring/pinring/config"
)

// samples are texts that a user may write for each setting, and what the listing shows for them.
var samples = map[string][]string{
	"device":          {"auto", "cpu", "cuda", "cuda:0", "cuda:7"},
	"source":          {"file", "memory"},
	"stream":          {"auto", "v:0", "v:12", "3"},
	"no-autorotate":   {"true", "false"},
	"frames":          {"all", "1", "9000000000"},
	"start":           {"0", "1.5", "90", "3723.000001"},
	"duration":        {"all", "0.04", "7200"},
	"on-error":        {"conceal", "skip", "repeat", "abort"},
	"decoder-threads": {"auto", "1", "128"},

	"allow-references": {"true", "false"},
	"max-pixels":       {"auto", "1", "8294400"},
	"max-streams":      {"auto", "1", "1000000"},
	"probe-size":       {"auto", "32", "5000000", "50MiB"},
	"analyze-duration": {"auto", "0.5", "60"},
	"give-up-bytes":    {"auto", "1", "100MiB"},
	"give-up-after":    {"never", "0.000001", "30"},

	"filter":         {"", "negate", "scale=1280:720,format=nv12"},
	"staging":        {"reuse", "registered", "mapped", "managed", "pageable", "churn"},
	"churn":          {"upload", "download", "both"},
	"staging-format": {"native", "rgb24"},
	"emulate":        {"", "article-video", "article-video,reclaim=5s"},
	"force":          {"true", "false"},
	"guard":          {"on", "observe", "off"},
	"guard-policy":   {"wait", "degrade", "fail"},
	"slots":          {"auto", "1", "1024"},
	"max-pinned":     {"auto", "1MiB", "2GiB", "6220801"},
	"in-flight":      {"auto", "1", "64"},
	"vcodec":         {"auto", "libx264", "prores_ks"},
	"crf":            {"auto", "0", "18.5", "63"},
	"preset":         {"auto", "veryfast"},
	"vopt":           {"", "tune=film", "x264-params=a=1:b=2"},
	"bitrate":        {"auto", "4M", "2500k", "800k", "123456"},
	"acodec":         {"auto", "copy", "aac", "libopus"},
	"no-audio":       {"true", "false"},
	"no-subtitles":   {"true", "false"},
	"start-number":   {"0", "1", "1000"},
	"yes":            {"true", "false"},
	"skip-existing":  {"true", "false"},
	"jobs":           {"1", "2", "64"},
	"fail-fast":      {"true", "false"},
	"json":           {"", "-", "out.json"},
	"quiet":          {"true", "false"},
}

// isolate puts the test into an empty working directory, without variables of ours.
func isolate(t testing.TB) {
	t.Helper()
	for _, kv := range os.Environ() {
		if name, old, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "PINRING_") {
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Setenv(name, old) })
		}
	}
	old, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chdir(old) })
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Clean(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// flags parses a command line as run does.
func flags(t testing.TB, args ...string) *pflag.FlagSet {
	t.Helper()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return fs
}

func row(t testing.TB, l *config.Loaded, key string) config.Row {
	t.Helper()
	for _, r := range l.Rows() {
		if r.Key == key {
			return r
		}
	}
	t.Fatalf("no row %q", key)
	return config.Row{}
}
