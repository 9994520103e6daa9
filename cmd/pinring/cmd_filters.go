package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/config"
)

func (a *app) filtersCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "filters [NAME]",
		Short: "List the filters, or the options of one",
		Long: `Lists the filters of -f, or the options of one with their defaults. Names, options and
defaults are those of FFmpeg's filters.`,
		Example: `  pinring filters
  pinring filters scale`,
		Args: cli.AtMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list := a.rooms.filters()
			if len(args) == 1 {
				one, err := findFilter(list, args[0])
				if err != nil {
					return err
				}
				if !asJSON {
					return filterText(a.out, one)
				}
				list = []filterInfo{one}
			}
			if asJSON {
				return writeJSON(a.out, list)
			}
			return filtersText(a.out, list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func findFilter(list []filterInfo, name string) (filterInfo, error) {
	var names []string
	for _, f := range list {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	hint := "pinring filters lists them"
	if near := config.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("the nearest filter is %q", near)
	}
	return filterInfo{}, usage(hint, "unknown filter %q", name)
}

func filtersText(w io.Writer, list []filterInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range list {
		fmt.Fprintf(t, "%s\t%s\n", f.Name, f.Summary)
	}
	return t.Flush()
}

func filterText(w io.Writer, f filterInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s: %s\n", f.Name, f.Summary) // no tab: not a column
	for _, o := range f.Options {
		names := strings.Join(append([]string{o.Name}, o.Aliases...), ", ")
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", names, o.Type, shown(o.Default), o.Summary)
	}
	if err := t.Flush(); err != nil || len(f.Notes) == 0 {
		return err
	}
	_, err := fmt.Fprintln(w, "\n"+strings.Join(f.Notes, "\n"))
	return err
}

// shown makes an empty value visible.
func shown(value string) string {
	if value == "" {
		return `""`
	}
	return value
}
