package main

import "os"

func main() { os.Exit(newApp(os.Stdin, os.Stdout, os.Stderr).main(os.Args[1:])) }
