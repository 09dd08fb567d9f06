package cli

import (
	"os"
	"path/filepath"
	"runtime"
)

// UserDir returns the directory vcp for files of this user. It is below the directory that an
// environment variable of the XDG specification names, if that is an absolute path. Otherwise it is
// below the system's directory for configuration on Windows and macOS, and on other systems below
// home in the home directory.
func UserDir(variable string, home ...string) (string, error) {
	dir := os.Getenv(variable)
	var err error
	if !filepath.IsAbs(dir) {
		if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
			dir, err = os.UserConfigDir()
		} else if dir, err = os.UserHomeDir(); err == nil {
			dir = filepath.Join(append([]string{dir}, home...)...)
		}
	}
	return filepath.Join(dir, "vcp"), err
}
