package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// NotFoundError is the error for a program that is not installed.
type NotFoundError struct {
	Name string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("the program %q was not found; install it, or write its path", e.Name)
}

// otherNames gives the other name under which a program may be installed.
var otherNames = map[string]string{"python": "python3", "python3": "python"}

// Program returns the absolute path of a program. A name with a slash is a path, relative to dir.
// Any other name is searched for in PATH, never in dir. If there is no "python", Program returns
// the path of python3, and the reverse. The error is a *NotFoundError, or says why a file cannot be
// run.
func Program(name, dir string) (string, error) {
	if strings.ContainsRune(filepath.ToSlash(name), '/') {
		path, err := exec.LookPath(Path(name, dir))
		if err != nil {
			return "", lookError(name, err)
		}
		return filepath.Abs(path)
	}
	for _, n := range []string{name, otherNames[name]} { // no program has the name ""
		path, err := exec.LookPath(n)
		if err == nil && filepath.IsAbs(path) {
			return path, nil
		}
		if err != nil && !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist) {
			return "", lookError(name, err)
		}
	}
	return "", &NotFoundError{name}
}

func lookError(name string, err error) error {
	if inner, ok := errors.AsType[*exec.Error](err); ok {
		err = inner.Err
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return &NotFoundError{name}
	}
	return fmt.Errorf("the program %q cannot be run: %w", name, err)
}

// inherited are the variables that programs need to find their files and to speak the user's
// language. None of them contains a secret.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TEMP", "TMP",
	"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
	// Windows
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "ProgramData",
	"ProgramFiles", "ProgramFiles(x86)", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "OS",
}

// Environment returns the environment of a child: a fixed list of variables without secrets, the
// variables of this process whose names are in allowed, and those of set, as NAME=VALUE. The
// variables of set come last, because exec.Cmd.Env uses the last value of a variable.
func Environment(allowed []string, set map[string]string) []string {
	env := []string{} // not nil: nil would give the child all variables of this process
	for _, name := range slices.Concat(inherited, allowed) {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	return env
}
