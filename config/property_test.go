package config_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agext/levenshtein"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/pinring/pinring/config"
)

// Whatever layers hold a setting, the highest of them wins, setting by setting.
func TestPrecedence(t *testing.T) {
	isolate(t)
	rapid.Check(t, func(rt *rapid.T) {
		os.Clearenv()
		type want struct{ value, origin string }
		wants := map[string]want{}
		file := map[string]string{}
		var args []string
		for _, key := range config.Keys() {
			pick := func(layer string) (string, bool) {
				return rapid.SampledFrom(samples[key]).Draw(rt, layer+" "+key), rapid.Bool().Draw(rt, "has "+layer+" "+key)
			}
			if v, has := pick("file"); has {
				file[key] = v
				wants[key] = want{v, "file"}
			}
			if v, has := pick("environment"); has {
				if err := os.Setenv("PINRING_"+strings.ToUpper(strings.ReplaceAll(key, "-", "_")), v); err != nil {
					rt.Fatal(err)
				}
				wants[key] = want{v, "environment"}
			}
			if v, has := pick("flag"); has {
				args = append(args, "--"+key+"="+v)
				wants[key] = want{v, "flag"}
			}
		}
		text, err := yaml.Marshal(file)
		if err != nil {
			rt.Fatal(err)
		}
		writeFile(t, "pinring.yaml", string(text))
		l, err := config.Load(flags(t, args...))
		if err != nil {
			rt.Fatal(err)
		}
		for _, r := range l.Rows() {
			w, chosen := wants[r.Key]
			if !chosen {
				w = want{r.Value, "default"}
			}
			if r.Value != w.value || r.Origin.Layer.String() != w.origin {
				rt.Errorf("%s is %q from %s, want %q from the %s", r.Key, r.Value, r.Origin, w.value, w.origin)
			}
		}
	})
}

// A misspelt key is refused, and one wrong letter still finds the right one, or another that is as near:
// "codec" may be acodec or vcodec.
func TestNearestFindsTheKey(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		keys := slices.DeleteFunc(config.Keys(), func(k string) bool { return len(k) < 5 })
		key := rapid.SampledFrom(keys).Draw(rt, "key")
		at := rapid.IntRange(0, len(key)-1).Draw(rt, "at")
		typo := rapid.SampledFrom([]string{
			key[:at] + key[at+1:],              // a letter left out
			key[:at] + "q" + key[at:],          // one too many
			key[:at] + "Q" + key[at+1:],        // a wrong one
			key[:at] + key[at:at+1] + key[at:], // one twice
		}).Draw(rt, "typo")
		if got := config.Nearest(typo, config.Keys()); got != key && levenshtein.Distance(typo, got, nil) > 1 {
			rt.Errorf("%q is nearest to %q, want %q", typo, got, key)
		}
	})
}

func TestByteSizeRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := config.ByteSize(rapid.Int64Min(1).Draw(rt, "bytes"))
		back, err := config.ParseByteSize(b.String())
		if err != nil || back != b {
			rt.Errorf("%d is written %q and read %d (%v)", int64(b), b.String(), int64(back), err)
		}
	})
}

func TestByteSizeUnits(t *testing.T) {
	for text, want := range map[string]config.ByteSize{
		"1": 1, "6220800": 6220800, "64MiB": 64 << 20, "64mib": 64 << 20, "2GiB": 2 << 30, "2 GiB": 2 << 30,
		"512M": 512_000_000, "512MB": 512_000_000, "1.5GiB": 3 << 29, "1Ki": 1024, "3k": 3000, "2TiB": 2 << 40,
	} {
		if got, err := config.ParseByteSize(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1XB", "1..5G", "inf", "0x10", "1e3", "١k"} {
		if got, err := config.ParseByteSize(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}

// FuzzFile feeds the strict reader anything: it must refuse it in our own words, or come to
// settings which, written down and read again, are the same.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{
		"", "slots: 3\n", "slots: auto\nfilter: \"scale=2:2\"\nvopt: [a=1, b=2]\n", "a: &x 1\nslots: *x\n",
		"<<: {slots: 3}\n", "? [a]\n: b\n", "slots: {a: 1}\n", "vopt: [[a]]\n", "slots: 3\nslots: 4\n", "--- 1\n--- 2\n",
		"max-pinned: 1e3MiB\n", "crf: 0.1\n", "{\"slots\": 3, \"quiet\": true}", "slots: !!binary AA==\n", "\x00", "\xff\xfe", "%YAML 9",
		"slots: 3 # comment\n", "filter: |\n  scale=2:2,\n  negate\n", "vopt: []\n", "&a [*a]", "vopt: &a [*a]",
	} {
		f.Add([]byte(seed))
	}
	isolate(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		writeFile(t, "fuzz.yaml", string(data))
		first, err := config.Load(flags(t, "--config=fuzz.yaml"))
		if err != nil {
			if s := err.Error(); s == "" || !strings.Contains(s, "fuzz.yaml") {
				t.Errorf("the error does not name the file: %q", s)
			}
			return
		}
		again := map[string]any{}
		for _, r := range first.Rows() {
			again[r.Key] = r.Value
			if list, ok := r.Plain.([]string); ok {
				again[r.Key] = list
			}
		}
		text, err := yaml.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, "again.yaml", string(text))
		second, err := config.Load(flags(t, "--config=again.yaml"))
		if err != nil {
			t.Fatalf("what was accepted is refused when written down: %v\n%s", err, text)
		}
		for i, r := range second.Rows() {
			if want := first.Rows()[i].Value; r.Value != want {
				t.Errorf("%s: %q became %q", r.Key, want, r.Value)
			}
		}
	})
}
