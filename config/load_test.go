package config_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/pinring/pinring/config"
)

// reason is why the system does not read a file, in its words.
func reason(name string) string {
	_, err := os.ReadFile(name)
	return errors.Unwrap(err).Error()
}

func TestDefaults(t *testing.T) {
	isolate(t)
	l, err := config.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(l.Config, config.Default()) {
		t.Errorf("nothing chosen gives %+v, want %+v", l.Config, config.Default())
	}
	for _, r := range l.Rows() {
		if r.Origin.String() != "default" {
			t.Errorf("%s comes from %s", r.Key, r.Origin)
		}
	}
}

// Every setting can be given in each layer, in each of its spellings, and is listed with its origin.
func TestEverySettingInEveryLayer(t *testing.T) {
	for _, key := range config.Keys() {
		texts := samples[key]
		if len(texts) == 0 {
			t.Errorf("%s has no samples", key)
		}
		variable := "PINRING_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
		for _, text := range texts {
			t.Run(key+"="+text, func(t *testing.T) {
				isolate(t)
				writeFile(t, "a.yaml", "# first line\n"+key+": \""+text+"\"\n")
				check := func(args []string, origin string) {
					t.Helper()
					l, err := config.Load(flags(t, args...))
					if err != nil {
						t.Fatal(err)
					}
					if r := row(t, l, key); r.Value != text || r.Origin.String() != origin {
						t.Errorf("got %q from %s, want %q from %s", r.Value, r.Origin, text, origin)
					}
				}
				check([]string{"--config=a.yaml"}, "a.yaml:2")
				t.Setenv("PINRING_CONFIG", "a.yaml")
				check(nil, "a.yaml:2")
				t.Setenv(variable, text)
				check([]string{"--config", "a.yaml"}, variable)
				check([]string{"--" + key + "=" + text}, "--"+key)
			})
		}
	}
}

func TestErrorsNameKeyValueLayerAndWhatIsAllowed(t *testing.T) {
	tests := []struct {
		name string
		file string
		env  [2]string
		args []string
		want []string
	}{
		{name: "unknown key", file: "slot: 3\n", want: []string{`pinring.yaml:1: unknown key "slot", the nearest is "slots"`}},
		{name: "unknown key, nothing near", file: "zzzzzzzz: 3\n", want: []string{`pinring.yaml:1: unknown key "zzzzzzzz"`}},
		{name: "capitals", file: "Slots: 3\n", want: []string{`pinring.yaml:1: unknown key "Slots", the nearest is "slots"`}},
		{name: "dotted key", file: "slots.x: 3\n", want: []string{`unknown key "slots.x", the nearest is "slots"`}},
		{name: "nested key", file: "slots:\n  x: 3\n", want: []string{`pinring.yaml:1: slots: "" is not a plain value (allowed: auto, or 1 to 1024)`}},
		{name: "unknown variable", env: [2]string{"PINRING_MAX_PINED", "1GiB"},
			want: []string{`unknown variable PINRING_MAX_PINED in the environment, the nearest is "PINRING_MAX_PINNED"`}},
		{name: "twice", file: "slots: 3\nquiet: true\nslots: 4\n", want: []string{`pinring.yaml:3: "slots" was already given in line 1`}},
		{name: "no value", file: "slots:\n", want: []string{`slots: "" is no value`}},
		{name: "list for one", file: "slots: [1, 2]\n", want: []string{`slots: "1,2" is a list, but one value is needed`}},
		{name: "not a mapping", file: "- slots\n", want: []string{`pinring.yaml:1: lines of the form key: value are expected`}},
		{name: "not YAML", file: "slots: [\n", want: []string{`pinring.yaml: is not YAML: `}},
		{name: "two documents", file: "slots: 3\n---\nslots: 4\n", want: []string{`pinring.yaml: holds more than one YAML document`}},
		{name: "no number, file", file: "slots: many\n", want: []string{`pinring.yaml:1: slots: "many" is not a whole number (allowed: auto, or 1 to 1024)`}},
		{name: "octal is no number of ours", file: "slots: 0o17\n", want: []string{`"0o17" is not a whole number`}},
		{name: "no number, variable", env: [2]string{"PINRING_SLOTS", "1.5"},
			want: []string{`PINRING_SLOTS: "1.5" is not a whole number (allowed: auto, or 1 to 1024)`}},
		{name: "no number, flag", args: []string{"--slots", ""}, want: []string{`--slots: "" is not a whole number`}},
		{name: "zero", args: []string{"--slots", "0"}, want: []string{`--slots: "0" is not positive`}},
		{name: "negative", args: []string{"--slots=-1"}, want: []string{`--slots: "-1" is not positive`}},
		{name: "too many", args: []string{"--slots", "1025"}, want: []string{`--slots: "1025" is more than 1024`}},
		{name: "out of range", args: []string{"--frames", "99999999999999999999"}, want: []string{`is out of range`}},
		{name: "threads", args: []string{"--decoder-threads", "129"}, want: []string{`is more than 128`}},
		{name: "in flight", args: []string{"--in-flight", "65"}, want: []string{`is more than 64`}},
		{name: "size", args: []string{"--max-pinned", "lots"}, want: []string{`"lots" is not a size such as 64MiB`}},
		{name: "size too small", args: []string{"--max-pinned", "4k"}, want: []string{`"4k" is less than 1MiB`}},
		{name: "size zero", args: []string{"--max-pinned", "0"}, want: []string{`is not positive`}},
		{name: "size too large", args: []string{"--max-pinned", "16EiB"}, want: []string{`is not a size`}},
		{name: "size larger than int64", args: []string{"--max-pinned", "15EiB"}, want: []string{`is larger than any memory`}},
		{name: "device", args: []string{"--device", "gpu"}, want: []string{`--device: "gpu" is not known (allowed: auto, cpu, cuda or cuda:N)`}},
		{name: "stream", args: []string{"--stream", "a:0"}, want: []string{`--stream: "a:0" is not known`}},
		{name: "unknown direction", args: []string{"--churn", "sideways"}, want: []string{`--churn: "sideways" is not known (allowed: upload, download or both)`}},
		{name: "unknown staging", args: []string{"--staging", "x"}, want: []string{`--staging: "x" is not known (allowed: reuse, registered, mapped, managed, pageable or churn)`}},
		{name: "unknown guard", args: []string{"--guard", "maybe"}, want: []string{`--guard: "maybe" is not known (allowed: on, observe or off)`}},
		{name: "crf", args: []string{"--crf", "64"}, want: []string{`--crf: "64" is not between 0 and 63`}},
		{name: "crf not a number", args: []string{"--crf", "NaN"}, want: []string{`--crf: "NaN" is not a number`}},
		{name: "codec", args: []string{"--vcodec", "x 264"}, want: []string{`--vcodec: "x 264" is not known`}},
		{name: "preset", args: []string{"--preset", ""}, want: []string{`--preset: "" is not known`}},
		{name: "option", args: []string{"--vopt", "a=b", "--vopt", "tune"}, want: []string{`--vopt: "a=b,tune" has "tune", which is not name=value`}},
		{name: "switch", env: [2]string{"PINRING_QUIET", "yes"}, want: []string{`PINRING_QUIET: "yes" is neither true nor false`}},
		{name: "hidden mistakes count", file: "slots: many\n", args: []string{"--slots", "3"}, want: []string{`pinring.yaml:1: slots: "many"`}},
		{name: "all at once", file: "slot: 3\ncrf: x\n", env: [2]string{"PINRING_QUIET", "2"}, args: []string{"--device", "gpu"},
			want: []string{`unknown key "slot"`, `crf: "x"`, `PINRING_QUIET: "2"`, `--device: "gpu"`}},
		{name: "file missing", args: []string{"--config", "none.yaml"}, want: []string{`none.yaml: cannot be read: ` + reason("none.yaml")}},
		{name: "file without a name", args: []string{"--config", ""}, want: []string{"--config or PINRING_CONFIG is empty"}},
		{name: "file is a folder", args: []string{"--config", "."}, want: []string{`.: cannot be read: ` + reason(".")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			isolate(t)
			if tt.file != "" {
				writeFile(t, "pinring.yaml", tt.file)
			}
			if tt.env[0] != "" {
				t.Setenv(tt.env[0], tt.env[1])
			}
			_, err := config.Load(flags(t, tt.args...))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got  %s\nwant %s", err, want)
				}
			}
			if lines := strings.Count(err.Error(), "\n") + 1; lines != len(tt.want) {
				t.Errorf("%d lines, want %d:\n%s", lines, len(tt.want), err)
			}
		})
	}
}

func TestErrorsAreTyped(t *testing.T) {
	isolate(t)
	writeFile(t, "pinring.yaml", "slot: 3\n")
	_, err := config.Load(flags(t, "--crf", "x"))
	var unknown *config.UnknownError
	var value *config.ValueError
	if !errors.As(err, &unknown) || unknown.Nearest != "slots" || unknown.Origin.Layer != config.LayerFile {
		t.Errorf("no UnknownError with the nearest key in %v", err)
	}
	if !errors.As(err, &value) || value.Key != "crf" || value.Origin.Layer != config.LayerFlag {
		t.Errorf("no ValueError of crf in %v", err)
	}
	_, err = config.Load(flags(t, "--config", "none.yaml"))
	var file *config.FileError
	if !errors.As(err, &file) || file.File != "none.yaml" {
		t.Errorf("no FileError in %v", err)
	}
}

func TestVariablesThatAreNoSettings(t *testing.T) {
	isolate(t)
	for _, name := range []string{"PINRING_RUNTIME_DIR", "PINRING_MEDIA", "PINRING_REQUIRE_CUDA", "PINRING_TEST_ANYTHING"} {
		t.Setenv(name, "1")
	}
	if _, err := config.Load(nil); err != nil {
		t.Error(err)
	}
}

func TestListsInEachLayer(t *testing.T) {
	isolate(t)
	writeFile(t, "pinring.yaml", "vopt: [\"tune=film\", 'params=a=1,b=2']\n")
	check := func(want []string, args ...string) {
		t.Helper()
		l, err := config.Load(flags(t, args...))
		if err != nil {
			t.Fatal(err)
		}
		if got := []string(l.Output.Options); !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check([]string{"tune=film", "params=a=1,b=2"})
	t.Setenv("PINRING_VOPT", "a=1,b=2")
	check([]string{"a=1", "b=2"})
	check([]string{`a="x", y`, "b=[1]"}, "--vopt", `a="x", y`, "--vopt", "b=[1]")
	t.Setenv("PINRING_VOPT", "")
	check(nil)
}

func TestEmptyFilesAreFiles(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n", "{}\n", "~\n"} {
		isolate(t)
		writeFile(t, "pinring.yaml", text)
		if _, err := config.Load(nil); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFileTooLarge(t *testing.T) {
	isolate(t)
	writeFile(t, "pinring.yaml", strings.Repeat("# padding\n", 200_000))
	if _, err := config.Load(nil); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("got %v", err)
	}
}
