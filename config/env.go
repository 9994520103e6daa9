package config

import (
	"slices"
	"strings"
)

// envPrefix is in front of every variable of ours.
const envPrefix = "PINRING_"

// EnvFile names the settings file, as --config does.
const EnvFile = envPrefix + "CONFIG"

// notSettings are the PINRING_ variables that are no settings: the one that names the file, the
// folder where processes share their quota (budget/quota), and those of the tests, which a developer
// may have set while running the program.
var notSettings = []string{EnvFile, envPrefix + "RUNTIME_DIR", envPrefix + "MEDIA", envPrefix + "REQUIRE_CUDA"}

// testPrefix begins further variables of the tests.
const testPrefix = envPrefix + "TEST_"

// envName is the variable of a key: PINRING_MAX_PINNED.
func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// unknownVariables finds variables in environ ("NAME=value") that look like ours but are not.
func unknownVariables(environ []string) []error {
	known := slices.Clone(notSettings)
	for i := range settings {
		known = append(known, envName(settings[i].key))
	}
	var errs []error
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, envPrefix) || strings.HasPrefix(name, testPrefix) || slices.Contains(known, name) {
			continue
		}
		errs = append(errs, &UnknownError{Name: name, Origin: Origin{Layer: LayerEnvironment, Name: name},
			Nearest: nearestVariable(name, known)})
	}
	return errs
}

// nearestVariable compares without the prefix, which is alike in all and would hide differences.
func nearestVariable(name string, known []string) string {
	bare := make([]string, len(known))
	for i, k := range known {
		bare[i] = strings.TrimPrefix(k, envPrefix)
	}
	if n := Nearest(strings.TrimPrefix(name, envPrefix), bare); n != "" {
		return envPrefix + n
	}
	return ""
}
