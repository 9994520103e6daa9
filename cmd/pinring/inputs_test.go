package main

import (
	"strings"
	"testing"
)

// Whatever a list holds: each name is one that can be, and joining them gives the list again.
func FuzzList(f *testing.F) {
	for _, s := range []string{"", "a.mp4\nb.mkv\n", "a\r\n\r\nb", "a\x00b\x00", "\xff\n", " a \n"} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, nul bool) {
		l := list{file: "list", nul: nul}
		names, err := l.parse(text)
		end := "\n"
		if nul {
			end = "\x00"
		}
		if err != nil {
			if nul || !strings.Contains(string(text), "\x00") {
				t.Fatal(err)
			}
			return
		}
		for _, n := range names {
			if n == "" || strings.Contains(n, end) {
				t.Errorf("the name %q", n)
			}
		}
		again, err := l.parse([]byte(strings.Join(names, end)))
		if err != nil || len(again) > len(names) {
			t.Errorf("%q becomes %q, %v", names, again, err)
		}
	})
}

// Names without placeholders come out as they are; braces are written twice.
func FuzzNaming(f *testing.F) {
	for _, s := range []string{"out/{name}.mp4", "{index}{ext}{dir}", "{{}}", "{", "}", "{na", "a%05d.png", "md5:x/"} {
		f.Add(s, "d/in.tar.gz")
	}
	f.Fuzz(func(t *testing.T, output, input string) {
		n, err := parseNaming(output)
		if err != nil {
			if exitCode(err) != exitUsage || hintOf(err) == "" {
				t.Errorf("%q: %v", output, err)
			}
			return
		}
		if got := n.of(input, 0, 1); !strings.ContainsAny(output, "{}") && !n.folder && got != output {
			t.Errorf("%q becomes %q", output, got)
		}
		doubled, err := parseNaming(strings.NewReplacer("{", "{{", "}", "}}").Replace(output))
		if err != nil {
			t.Fatal(err)
		}
		if got := doubled.of(input, 0, 1); !doubled.folder && got != output {
			t.Errorf("%q with its braces doubled becomes %q", output, got)
		}
	})
}

func TestNaming(t *testing.T) {
	for _, c := range []struct{ output, input, want string }{
		{"out/{name}.mp4", "d/a.tar.mkv", "out/a.tar.mp4"},
		{"{dir}/{name}-x.{ext}", "/d/a.mov", "/d/a-x.mov"},
		{"{dir}/{name}.mp4", "a.mov", "./a.mp4"},
		{"{index}.mp4", "a", "03.mp4"},
		{"{name}|{ext}", ".hidden", ".hidden|"},
		{"{{name}}", "a.mp4", "{name}"},
		{"{name}.mp4", "-", "stdin.mp4"},
		{"out/", "d/a.mov", "out/a.mov"},
		{"{name}.mp4", "{dir}.mkv", "{dir}.mp4"},
	} {
		n, err := parseNaming(c.output)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.of(c.input, 2, 12); got != c.want {
			t.Errorf("-o %s of %s is %s, want %s", c.output, c.input, got, c.want)
		}
	}
}
