package main

import (
	"os"
	"strings"

	"github.com/pinring/pinring/config"
)

// task is one input of several with what becomes of it.
type task struct {
	input, output string
	makes         bool // the output's folder is made if it is missing
}

// plan gives each input its output. It refuses, before anything is opened or made, what would destroy an
// input or another output.
func plan(c config.Config, in inputs, output string) ([]task, error) {
	if err := fits(c, in, output); err != nil {
		return nil, err
	}
	n, err := parseNaming(output)
	if err != nil {
		return nil, err
	}
	tasks := make([]task, len(in.names))
	for i, name := range in.names {
		tasks[i] = task{input: name, output: n.of(name, i, len(in.names)), makes: n.makes}
	}
	if in.several {
		err = apart(tasks)
	}
	return tasks, err
}

// fits refuses outputs that several inputs cannot have, or that cannot exist already.
func fits(c config.Config, in inputs, output string) error {
	switch {
	case output == "":
		return usage("a variable that is not set?", "the name of the output is empty")
	case bool(c.Batch.SkipExisting) && !isFile(output):
		return usage("name a file", "--skip-existing and -o %s: that is no file that could exist", output)
	case !in.several:
		return nil
	case output == outputStdout:
		return usage("-o 'out/{name}.y4m' gives each a file", "several inputs cannot share the output -, one y4m stream")
	case output == outputMD5 && c.Batch.Jobs > 1:
		return usage("-o 'md5:{name}.md5' gives each a file", "with --jobs %d the lines of several inputs would mix on standard output", c.Batch.Jobs)
	}
	return nil
}

// isFile reports whether the output is a file: not nothing, and not standard output.
func isFile(output string) bool {
	return output != outputNull && output != outputStdout && output != outputMD5
}

// path is the file that an output writes, empty for none.
func (t task) path() string {
	if !isFile(t.output) {
		return ""
	}
	return strings.TrimPrefix(t.output, outputMD5)
}

// apart refuses outputs that are the same file as another output, or as any input.
func apart(tasks []task) error {
	var r registry
	for _, t := range tasks {
		if t.input != inputStdin {
			r.input(t.input)
		}
	}
	for _, t := range tasks {
		if t.path() == "" {
			continue
		}
		if input := r.isInput(t.path()); input != "" {
			return usage("choose another folder or name", "the output of %s, %s, would replace the input %s", t.input, t.path(), input)
		}
		if other, ok := r.output(t); !ok {
			return usage("-o 'out/{name}.{ext}' tells inputs apart by their names, {index} those that are called the same",
				"%s and %s would write the same output, %s", other.input, t.input, t.path())
		}
	}
	return nil
}

// registry knows files by where they really are.
type registry struct {
	inputs  map[string]string // by place, as they were named
	infos   []named
	outputs map[string]task // by place
	folded  map[string]task // by place in lower case
}

// named is a file that exists with the name that it was given by.
type named struct {
	name string
	info os.FileInfo
}

func (r *registry) input(name string) {
	if r.inputs == nil {
		r.inputs = map[string]string{}
	}
	p := place(name)
	if _, twice := r.inputs[p]; twice {
		return
	}
	r.inputs[p] = name
	if info, err := os.Stat(name); err == nil {
		r.infos = append(r.infos, named{name, info})
	}
}

// isInput names the input that the file is, by another link as well.
func (r *registry) isInput(file string) string {
	if name, ok := r.inputs[place(file)]; ok {
		return name
	}
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	for _, in := range r.infos {
		if os.SameFile(in.info, info) {
			return in.name
		}
	}
	return ""
}

// output enters a task's output. It gives the task that has the same one.
func (r *registry) output(t task) (other task, ok bool) {
	if r.outputs == nil {
		r.outputs, r.folded = map[string]task{}, map[string]task{}
	}
	p := place(t.path())
	if other, taken := r.outputs[p]; taken {
		return other, false
	}
	low := strings.ToLower(p)
	if other, taken := r.folded[low]; taken && sameButForCase(place(other.path()), p) {
		return other, false
	}
	r.outputs[p], r.folded[low] = t, t
	return task{}, true
}
