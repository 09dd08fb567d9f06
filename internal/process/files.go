package process

import (
	"path/filepath"
	"strings"
)

// Path returns path, joined to dir if it is relative.
func Path(path, dir string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// maxFileName limits an argument that can be a path, in bytes.
const maxFileName = 4096

// Files returns the paths that a command line may name: its program, each argument, and the value
// after the first "=" in an argument. A relative path begins at dir. The files need not exist.
func Files(argv []string, dir string) (list []string) {
	for i, a := range argv {
		if i == 0 {
			if program, err := Program(a, dir); err == nil {
				list = append(list, program)
				continue
			}
		}
		candidates := []string{a}
		if _, value, found := strings.Cut(a, "="); found {
			candidates = append(candidates, value)
		}
		for _, c := range candidates {
			if c == "" || len(c) > maxFileName || strings.ContainsAny(c, "\x00\n") {
				continue
			}
			list = append(list, Path(c, dir))
		}
	}
	return list
}
