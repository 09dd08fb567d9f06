package cli

import (
	"os"
	"path/filepath"
	"runtime"
)

// UserDir returns the path of the directory "vcp" for files of this user. variable is the name of
// an environment variable of the XDG specification. If its value is an absolute path, that is the
// parent directory. Otherwise the parent is the system's directory for configuration on Windows and
// macOS. On other systems it is the directory at the path home, relative to the user's home
// directory.
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
