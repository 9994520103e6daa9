package cli

import (
	"context"
	"log/slog"
)

// Log brings a package's log to the user as lines of talk.
type Log func(string)

func (l Log) Enabled(context.Context, slog.Level) bool { return true }
func (l Log) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l Log) WithGroup(string) slog.Handler            { return l }

// Handle says the record's message.
func (l Log) Handle(_ context.Context, r slog.Record) error {
	l(r.Message)
	return nil
}
