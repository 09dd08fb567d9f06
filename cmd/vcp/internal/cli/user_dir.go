package cli

import (
	"os"
	"path/filepath"
	"runtime"
)

// UserDir returns the path of the directory "vcp" for files of this user. Its parent is the
// directory that variable, an environment variable of the XDG specification, names with an absolute
// path. Otherwise its parent is the system's directory for configuration on Windows and macOS. On
// other systems it is the directory at the path home, relative to the user's home directory.
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
