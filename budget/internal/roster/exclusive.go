package roster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pinring/pinring/internal/lockfile"
)

// Seat is a place that one process at a time can have: a locked file. It ends with the process,
// however that goes. The file stays behind, since removing it would race with the next owner.
type Seat struct{ file *os.File }

// Exclusive takes the seat of that name in dir, which is made when missing. name must be a plain file
// name. When somebody has the seat it returns nil and that process's number, 0 when unknown.
func Exclusive(dir, name string) (*Seat, int, error) {
	if err := prepare(dir); err != nil {
		return nil, 0, err
	}
	f, err := openFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, 0, err
	}
	ok, err := lockfile.TryLock(f)
	if err == nil && ok {
		err = sign(f)
	}
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("runtime folder: %s: %w", name, err)
	}
	if !ok {
		defer f.Close()
		return nil, owner(f), nil
	}
	return &Seat{file: f}, 0, nil
}

// sign writes the process's number for those who come later. The lock is what counts.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// owner reads the number that the owner has written, 0 when it makes no sense.
func owner(f *os.File) int {
	var b [16]byte
	n, _ := f.ReadAt(b[:], 0) // io.EOF is the ordinary end
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}

// Leave gives the seat up. It is idempotent.
func (s *Seat) Leave() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}
