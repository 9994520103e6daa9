// Command pinring processes video files on a GPU through a fixed ring of page-locked buffers.
//
// This package is wiring: flags, signals, exit codes, and the mapping of results into package
// report. One file per subcommand (cmd_<verb>.go); run.go is a frame's journey from the outside,
// wire.go joins it to the packages that do the work.
//
// # What goes where
//
// Data goes to stdout, talk to stderr. Each line of talk begins with "pinring: ", in lower case,
// without a full stop; "hint: " lines say what to do. The progress line is drawn on a terminal only.
package main
