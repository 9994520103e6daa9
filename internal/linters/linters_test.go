package linters

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// tracked lists the files that git knows or would add, relative to the root.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("the files cannot be listed, since this is no git work tree or git is missing: %v", err)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	return slices.DeleteFunc(files, func(f string) bool {
		_, err := os.Lstat(filepath.Join(root, f))
		return errors.Is(err, fs.ErrNotExist) // deleted, not committed yet
	})
}

// texts calls check with each line of each tracked text file.
func texts(t *testing.T, check func(file string, number int, line []byte)) {
	t.Helper()
	for _, file := range tracked(t) {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Error(err)
			continue
		}
		if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
			continue // binary
		}
		number := 0
		for line := range bytes.Lines(data) {
			number++
			check(file, number, line)
		}
	}
}

var links = regexp.MustCompile(`\]\(([^)\s]+)[^)]*\)|(?:src|srcset|href)="([^"]+)"`)

// deadLinks returns the relative links of a Markdown text that lead to nothing from folder dir.
func deadLinks(dir string, text []byte) []string {
	var dead []string
	for _, m := range links.FindAllSubmatch(text, -1) {
		link := string(m[1]) + string(m[2])
		if strings.Contains(link, "://") || strings.HasPrefix(link, "#") || strings.HasPrefix(link, "mailto:") {
			continue
		}
		path, _, _ := strings.Cut(link, "#")
		if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
			dead = append(dead, link)
		}
	}
	return dead
}

func TestLinksBetweenDocuments(t *testing.T) {
	seen := 0
	for _, file := range tracked(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		seen++
		path := filepath.Join(root, file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range deadLinks(filepath.Dir(path), text) {
			t.Errorf("%s: the link %s leads to nothing", file, link)
		}
	}
	if seen == 0 {
		t.Error("there is no document at all")
	}
}

func TestDeadLinksAreSeen(t *testing.T) {
	text := []byte(`[a](linters_test.go) [b](none.md#x) [c](https://example.org/none) [d](#here) <img src="none.svg">`)
	if got, want := deadLinks(".", text), []string{"none.md#x", "none.svg"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Folders that exist on the machine of whoever wrote a file, and nowhere else. The first character
// of each is set apart so that this file does not find itself.
var machinePaths = regexp.MustCompile(`(^|[^A-Za-z0-9_./$}>])[/](work|farm|root|home/[a-z]+|Users/[A-Za-z]+|tmp/[a-z]+)/`)

func TestNoPathsOfOneMachine(t *testing.T) {
	texts(t, func(file string, number int, line []byte) {
		if machinePaths.Match(line) {
			t.Errorf("%s:%d names a path of one machine: %s", file, number, bytes.TrimSpace(line))
		}
	})
}

func TestMachinePathsAreSeen(t *testing.T) {
	for line, want := range map[string]bool{
		"see /" + "work/x": true, "open(\"/" + "home/me/x\")": true, "\"/" + "tmp/abc/x\"": true,
		"a/" + "work/x": false, "$DIR/" + "root/": false, "/usr/local/cuda/include": false,
	} {
		if machinePaths.MatchString(line) != want {
			t.Errorf("%q: want %t", line, want)
		}
	}
}

var marks = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX|HA` + `CK)\b`)

func TestNoUnfinishedMarks(t *testing.T) {
	texts(t, func(file string, number int, line []byte) {
		if marks.Match(line) {
			t.Errorf("%s:%d is marked as unfinished: %s", file, number, bytes.TrimSpace(line))
		}
	})
}

// room is the folder at the top, or below internal, that a Go file belongs to; empty for commands,
// tools and this package, which may import what they like.
func room(file string) string {
	parts := strings.Split(file, "/")
	switch {
	case filepath.Ext(file) != ".go" || len(parts) == 1:
		return ""
	case parts[0] == "internal" && parts[1] != "linters":
		return parts[0] + "/" + parts[1]
	case slices.Contains([]string{"cmd", "docs", "examples", "internal", "samples", "scripts", "tools"}, parts[0]):
		return ""
	}
	return parts[0]
}

func TestEveryRoomHasAnImportRule(t *testing.T) {
	rules, err := os.ReadFile(filepath.Join(root, ".depguard.yml"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range tracked(t) {
		r := room(file)
		if r == "" || seen[r] {
			continue
		}
		seen[r] = true
		if !regexp.MustCompile(`(/|[{,])` + regexp.QuoteMeta(r) + `([},/])`).Match(rules) {
			t.Errorf("no list of .depguard.yml speaks of %s", r)
		}
	}
	if len(seen) == 0 {
		t.Error("no package was seen")
	}
}
