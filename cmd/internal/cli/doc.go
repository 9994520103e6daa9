// Package cli is what the command lines of all programs have in common: how they talk, which errors
// are the user's, which exit code an error is, and what an interrupt does.
package cli
