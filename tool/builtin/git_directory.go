package builtin

import (
	"os"
	"strings"
	"unicode"
)

// refuseGitPath returns an error for .git and for a path below it, because git runs programs that
// files there name.
func refuseGitPath(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if isGitName(part) {
			return errorf("%q is below a directory .git, where nothing is written", shorten(name, maxEcho))
		}
	}
	return nil
}

// isGitName reports whether a file system may take a name for .git. Some ignore letter case and
// invisible characters. Windows ignores dots and spaces at the end, has the short name git~1, and
// writes the name of a stream after a colon.
func isGitName(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// isRepository reports whether git would take dir for a repository, whatever its name is, after a
// write has made next in it. Git uses such a directory if a file .git names it, or if git runs
// there.
func isRepository(dir *os.Root, next string) bool {
	has := func(name string) bool {
		_, err := dir.Lstat(name)
		return err == nil || strings.EqualFold(name, next)
	}
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}
