// Package linters holds tests about the repository itself: links between documents, paths of one
// machine, unfinished marks, and that each package has a rule for what it may import.
package linters
