package cli

import (
	"os"
	"path/filepath"
	"runtime"
)

// UserDir returns the directory for files of this user. It is below the directory in an environment
// variable of the XDG specification; a path that is not absolute is ignored. Without the variable
// it is the system's directory for such files, mostly below the home directory.
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
