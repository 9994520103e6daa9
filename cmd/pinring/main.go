package main

import "os"

func main() {
	os.Exit(newApp(os.Stdout, os.Stderr, rooms).main(os.Args[1:]))
}
