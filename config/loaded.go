package config

// Loaded is the settings with the origin of each.
type Loaded struct {
	Config
	// File is the settings file that was read, empty when there was none.
	File    string
	origins map[string]Origin
}

// Row is one line of the listing of all settings.
type Row struct {
	Key    string
	Value  string // in the setting's own spelling
	Plain  any    // for JSON: bool, number, string, list, or nil when left to the program
	Origin Origin
}

// Rows lists all settings in the order of the help text.
func (l *Loaded) Rows() []Row {
	rows := make([]Row, len(settings))
	for i := range settings {
		s := &settings[i]
		v := s.field(&l.Config)
		rows[i] = Row{Key: s.key, Value: v.String(), Plain: v.plain(), Origin: l.origins[s.key]}
	}
	return rows
}

// Origin says where the value of a setting came from.
func (l *Loaded) Origin(key string) Origin { return l.origins[key] }
