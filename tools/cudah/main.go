package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed driver.api
var table string

// emptyArchive is an ar archive without members.
const emptyArchive = "!<arch>\n"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "cudah:", err)
		os.Exit(1)
	}
}

func run() error {
	out := flag.String("o", "", "write include/cuda.h and lib/libcuda.a into this folder")
	checkFile := flag.String("check", "", "write the checking C program to this file")
	goFile := flag.String("go", "", "write the table for pure Go to this file")
	real := flag.String("real", "", "the real cuda.h that -check compares with; without it every line is compared")
	flag.Parse()
	a, err := parse(table)
	if err != nil {
		return err
	}
	if *out == "" && *checkFile == "" && *goFile == "" {
		return fmt.Errorf("nothing to do: give -o, -go or -check")
	}
	if *goFile != "" {
		text, err := golang(a)
		if err != nil {
			return err
		}
		if err := write(*goFile, text); err != nil {
			return err
		}
	}
	if *out != "" {
		if err := write(filepath.Join(*out, "include", "cuda.h"), header(a)); err != nil {
			return err
		}
		if err := write(filepath.Join(*out, "lib", "libcuda.a"), emptyArchive); err != nil {
			return err
		}
	}
	if *checkFile == "" {
		return nil
	}
	var text []byte
	if *real != "" {
		if text, err = os.ReadFile(*real); err != nil {
			return err
		}
	}
	return write(*checkFile, check(a, string(text)))
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}
