package builtin

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// protectedFile is a file or a directory that no call changes.
type protectedFile struct {
	path string      // absolute, without links
	info fs.FileInfo // nil if it does not exist
}

// protectedFiles returns the files that are protected now.
func (f files) protectedFiles() []protectedFile {
	if f.protected == nil {
		return nil
	}
	var list []protectedFile
	for _, path := range f.protected() {
		p := protectedFile{path: resolve(path)}
		p.info, _ = os.Stat(p.path) // nil with an error
		list = append(list, p)
	}
	return list
}

// maxLinks limits the links that resolve follows. Linux follows as many.
const maxLinks = 40

// resolve returns a path as an absolute path without links. It follows each link in the path, also
// one whose target does not exist: a write to the target would change what is read through the
// link.
func resolve(path string) string {
	left := maxLinks
	return resolveLinks(path, &left)
}

// resolveLinks is resolve, but follows at most *left links, and subtracts from *left those that it
// follows. Like the system, it follows a link before it goes to the parent directory that ".."
// after the link means. So it cleans no path that may contain links.
func resolveLinks(path string, left *int) string {
	const separator = string(filepath.Separator)
	if !filepath.IsAbs(path) {
		if working, err := os.Getwd(); err == nil {
			path = working + separator + path
		}
	}
	if existing, err := filepath.EvalSymlinks(path); err == nil {
		return existing
	}
	dir, base := filepath.Split(strings.TrimRight(path, separator))
	if base == "" {
		return filepath.Clean(path) // the root
	}
	dir = resolveLinks(dir, left)
	switch path = filepath.Join(dir, base); base {
	case ".", "..":
		return path
	}
	target, err := os.Readlink(path)
	if err != nil || *left == 0 {
		return path
	}
	*left--
	if !filepath.IsAbs(target) {
		target = dir + separator + target
	}
	return resolveLinks(target, left)
}

// refuseProtected returns an error if a path below the root is one of the protected files or below
// one. Letter case makes no difference, because it makes none on some systems.
func (f files) refuseProtected(list []protectedFile, name string) error {
	if len(list) == 0 {
		return nil
	}
	path := filepath.Join(resolve(f.root.Name()), filepath.FromSlash(name))
	if slices.ContainsFunc(list, func(p protectedFile) bool { return isBelow(path, p.path) }) {
		return errProtected(name)
	}
	return nil
}

// isBelow reports whether a path is dir or below it. It compares name by name: names that differ in
// letter case only may have different lengths, as K and the Kelvin sign.
func isBelow(path, dir string) bool {
	split := func(p string) []string {
		return strings.Split(strings.TrimSuffix(p, string(filepath.Separator)), string(filepath.Separator))
	}
	names, first := split(path), split(dir)
	return len(names) >= len(first) && slices.EqualFunc(names[:len(first)], first, strings.EqualFold)
}

// refuseProtectedFile returns an error if a file is one of the protected files under another path.
func refuseProtectedFile(list []protectedFile, name string, info fs.FileInfo) error {
	if slices.ContainsFunc(list, func(p protectedFile) bool { return p.info != nil && os.SameFile(p.info, info) }) {
		return errProtected(name)
	}
	return nil
}

func errProtected(name string) error {
	return errorf("%q decides what this program runs or records, and nothing is written there; ask the user to change it", shorten(name, maxEcho))
}
