package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/config"
)

func (a *app) configCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Print each setting, its value and where it comes from",
		Long: `Prints what run would use, given the same flags: each setting, its value and where
it comes from. Settings are read from defaults, then pinring.yaml in the working
directory (or --config FILE, or the file that PINRING_CONFIG names), then variables
PINRING_*, then flags; later ones win.`,
		Example: `  pinring config
  PINRING_SLOTS=12 pinring config --device cpu`,
		Args: exactly(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := config.Load(cmd.Flags())
			if err != nil {
				return err
			}
			if asJSON {
				return settingsJSON(a.out, loaded)
			}
			return settingsText(a.out, loaded)
		},
	}
	config.AddFlags(cmd.Flags(), "json")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().SortFlags = false
	return cmd
}

func settingsText(w io.Writer, l *config.Loaded) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range l.Rows() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", r.Key, shown(r.Value), r.Origin)
	}
	return t.Flush()
}

// settingsList is the JSON form of the listing.
type settingsList struct {
	Schema   int           `json:"schema"`
	File     *string       `json:"file"`
	Settings []settingJSON `json:"settings"`
}

type settingJSON struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // null: left to the program
	Layer  string `json:"layer"`
	Origin string `json:"origin"`
}

func settingsJSON(w io.Writer, l *config.Loaded) error {
	list := settingsList{Schema: 1}
	if l.File != "" {
		list.File = &l.File
	}
	for _, r := range l.Rows() {
		list.Settings = append(list.Settings, settingJSON{r.Key, r.Plain, r.Origin.Layer.String(), r.Origin.String()})
	}
	return writeJSON(w, list)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
