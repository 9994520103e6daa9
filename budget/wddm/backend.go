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

// Real is a backend on the very card whose device is emulated. Bytes that the device's user really
// allocates there are in use twice if the backend holds them as well, so it is told of them.
type Real interface {
	Backend
	// Bound is told, before a Hold, the number of bytes beyond which requests are to be refused.
	Bound(limit int64)
	// Swap calls do, which really allocates (bytes > 0) or frees (bytes < 0) device memory that
	// Hold counts. It gives up as much before an allocation.
	Swap(bytes int64, do func() error) error
}
