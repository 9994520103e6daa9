package survey

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/config"
)

// settings are those of the program's settings that these commands have.
type settings struct {
	device, emulate string
	force, quiet    bool
	json            string
}

// flags adds the named settings, which are read from the file and the environment, too.
func flags(cmd *cobra.Command, keys ...string) {
	var leftOut []string
	for _, k := range config.Keys() {
		if !slices.Contains(keys, k) {
			leftOut = append(leftOut, k)
		}
	}
	config.AddFlags(cmd.Flags(), leftOut...)
	cmd.Flags().SortFlags = false
}

// load reads the settings, and ends talk where the user wants quiet.
func (p *Program) load(cmd *cobra.Command) (*settings, error) {
	l, err := cli.Await(cmd.Context(), func() (*config.Loaded, error) { return config.Load(cmd.Flags()) })
	if err != nil {
		return nil, err
	}
	s := &settings{device: string(l.Device.Want), json: string(l.Talk.JSON), quiet: bool(l.Talk.Quiet)}
	if cmd.Flags().Lookup("emulate") != nil {
		s.emulate, s.force = string(l.Budget.Emulate), bool(l.Budget.Force)
	}
	if s.quiet {
		p.Quiet()
	}
	return s, nil
}
