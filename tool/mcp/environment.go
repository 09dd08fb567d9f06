package mcp

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// inherited are the variables of this process that a server gets. Others may be secrets that are
// none of its business.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LANGUAGE", "TMPDIR",
	// Windows
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "PROGRAMFILES", "PROGRAMDATA",
}

// environment returns the variables of a server: those that every program needs, and own, which
// win.
func environment(own map[string]string) []string {
	var list []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if _, replaced := own[name]; replaced {
			continue
		}
		if slices.Contains(inherited, strings.ToUpper(name)) || strings.HasPrefix(name, "LC_") {
			list = append(list, pair)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		list = append(list, name+"="+own[name])
	}
	return list
}
