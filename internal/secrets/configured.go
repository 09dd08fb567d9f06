package secrets

import (
	"os"
	"slices"
	"strings"
)

// Configured returns the values that are probably secrets. The keys of values are the names of
// variables, headers or parameters. A value of at least 8 bytes is probably a secret if it looks
// random, or if its name says that it is secret. The name does not count for a path, or for an
// address without a password.
func Configured(values map[string]string) (list []string) {
	for name, value := range values {
		if len(value) >= minKnown && (looksRandom(value) || namesCredential(name) && !isLocation(name, value)) {
			list = append(list, value)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Passed returns the values of the environment variables with these names that are probably
// secrets. It is for variables that this program passes to another.
func Passed(names []string) []string {
	values := map[string]string{}
	for _, name := range names {
		values[name] = os.Getenv(name)
	}
	return Configured(values)
}

// namesCredential reports whether the name of a variable or header says that its value is secret.
func namesCredential(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "pass", "pwd", "auth", "cookie", "credential"},
		func(word string) bool { return strings.Contains(name, word) })
}

// isLocation reports whether a value is a path or an address without a password.
func isLocation(name, value string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"path", "file", "dir", "url", "host"} {
		if strings.HasSuffix(name, word) {
			return !strings.Contains(value, "@")
		}
	}
	return strings.Contains(value, "://") && !strings.Contains(value, "@")
}
