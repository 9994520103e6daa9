// Package config holds the settings of the program: typed, checked, and each with the place that it
// came from. It is the only home of viper, and imports nothing of ours.
//
// # Layers
//
// A setting has one name in three spellings: max-pinned in the file, PINRING_MAX_PINNED in the
// environment, --max-pinned on the command line. Later layers win:
//
//	default < pinring.yaml (or --config FILE) < PINRING_* < flags
//
// Nothing is ignored: a key of the file or a PINRING_ variable that is not a setting is an error
// that names the nearest one, and so is a value that cannot be used, whichever layer it is in and
// even if a later layer hides another value of the same setting.
//
// # Types
//
// Each field has a type that carries its unit and its spelling ([ByteSize], [Count], …). The zero
// value of every type means "not chosen by the user": the program decides.
package config
