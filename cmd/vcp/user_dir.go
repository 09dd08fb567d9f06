package main

import (
	"os"
	"path/filepath"
	"runtime"
)

// userDir returns the directory for files of this user. It is below the one that an environment
// variable of the XDG specification names. A path that is not absolute counts as none. Without the
// variable it is where the system keeps such files, which is below home on most.
func userDir(variable string, home ...string) (string, error) {
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
