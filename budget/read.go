package budget

import (
	"errors"
	"fmt"
)

// Read asks each meter once and returns all readings, in the order of the meters. It is for a look at
// the memory now and then; a frame loop uses a [Panel], which keeps what was read for a while. A meter
// that fails, or tells what cannot be, is left out, and is in the joined error under its name; the
// other readings are good all the same. At is left zero.
func Read(meters ...Meter) ([]Reading, error) {
	var all []Reading
	var errs []error
	for _, m := range meters {
		got, err := m.Read(nil)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.Name(), err))
			continue
		}
		for _, r := range got {
			if err := r.Check(); err != nil {
				errs = append(errs, err)
				continue
			}
			all = append(all, r)
		}
	}
	return all, errors.Join(errs...)
}
