package wddm

// Backend makes an emulated card's LOCAL usage true on a real card, so that the driver refuses in
// place of the ledger, and other programs see the memory gone. Without one the ledger refuses.
//
// Calls come from one goroutine at a time.
type Backend interface {
	// Name is the mode, "ballast".
	Name() string
	// Hold is told how many bytes of LOCAL are to be in use in all: more before a request is
	// granted, less after memory was reclaimed. An error refuses the request; the backend then
	// still holds what it held before.
	Hold(bytes int64) error
	// Close releases everything.
	Close() error
}
