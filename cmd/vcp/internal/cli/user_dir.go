package cli

import (
	"os"
	"path/filepath"
	"runtime"
)

// userDirs are the directories, relative to the user's home directory, that the variables of the
// XDG specification replace.
var userDirs = map[string]string{
	"XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state",
}

// UserDir returns the path of the directory "vcp" for files of this user. variable is one of the
// environment variables in userDirs. If its value is an absolute path, that is the parent
// directory. Otherwise the parent is the system's directory for configuration on Windows and macOS,
// and the directory in userDirs on other systems.
func UserDir(variable string) (string, error) {
	dir := os.Getenv(variable)
	var err error
	if !filepath.IsAbs(dir) {
		if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
			dir, err = os.UserConfigDir()
		} else if dir, err = os.UserHomeDir(); err == nil {
			dir = filepath.Join(dir, userDirs[variable])
		}
	}
	return filepath.Join(dir, "vcp"), err
}
