package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// DefaultFile is read from the working directory when it exists and no other file is named.
const DefaultFile = "pinring.yaml"

// maxFile is far above any real file of settings, and keeps a wrongly named video from being read.
const maxFile = 1 << 20

// entry is one key of the file with its text as written.
type entry struct {
	key  string
	raw  []string
	line int
	null bool // the key has no value
	deep bool // the value is a mapping, or a list of more than plain values
}

// readFile returns the entries of the named file. A file that does not exist is an error only
// when must is set.
func readFile(name string, must bool) ([]entry, error) {
	if name == "" { // as by a shell's variable that is not set
		return nil, &FileError{File: "the settings file", Problem: "has no name: --config or " + EnvFile + " is empty"}
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && !must {
		return nil, nil
	}
	if err != nil {
		return nil, &FileError{File: name, Problem: "cannot be read: " + reason(err), Err: err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, &FileError{File: name, Problem: "cannot be read: " + reason(err), Err: err}
	}
	if len(data) > maxFile {
		return nil, &FileError{File: name, Problem: "is larger than 1 MiB, so it is no file of settings"}
	}
	return parseFile(name, data)
}

// reason drops the operation and the name, which the message already says, from a file error.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// parseFile reads one YAML mapping of plain values. The nodes are kept as text, so that a value
// means the same in the file as on the command line (no octal 010, no "yes" turned to true).
func parseFile(name string, data []byte) ([]entry, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, &FileError{File: name, Problem: "is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: "), Err: err}
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &FileError{File: name, Problem: "holds more than one YAML document"}
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, &FileError{File: name, Line: root.Line, Problem: "lines of the form key: value are expected"}
	}
	return entries(name, root.Content)
}

// entries reads the nodes key, value, key, value, …
func entries(name string, nodes []*yaml.Node) ([]entry, error) {
	var out []entry
	first := map[string]int{}
	for i := 0; i+1 < len(nodes); i += 2 {
		k, v := nodes[i], nodes[i+1]
		if k.Kind != yaml.ScalarNode {
			return nil, &FileError{File: name, Line: k.Line, Problem: "a key must be a plain word"}
		}
		if line, twice := first[k.Value]; twice {
			return nil, &FileError{File: name, Line: k.Line,
				Problem: fmt.Sprintf("%q was already given in line %d", k.Value, line)}
		}
		first[k.Value] = k.Line
		e := entry{key: k.Value, line: k.Line}
		e.read(v)
		out = append(out, e)
	}
	return out, nil
}

func (e *entry) read(v *yaml.Node) {
	v = follow(v)
	switch v.Kind {
	case yaml.ScalarNode:
		e.null = v.Tag == "!!null"
		e.raw = []string{v.Value}
	case yaml.SequenceNode:
		for _, item := range v.Content {
			item = follow(item)
			e.deep = e.deep || item.Kind != yaml.ScalarNode
			e.raw = append(e.raw, item.Value)
		}
	default:
		e.deep = true
	}
}

// follow resolves *alias to what it stands for.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
