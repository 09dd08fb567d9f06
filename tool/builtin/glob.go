package builtin

import (
	"path"
	"slices"
	"strings"
)

// glob is a pattern for the names of files.
type glob struct{ patterns []string }

// maxAlternatives limits what braces in a pattern expand to.
const maxAlternatives = 64

// newGlob reads a pattern: * and ? and [a-z] within a name, ** for any number of directories, {a,b}
// for alternatives. A pattern without a slash is matched with the last name of a path. A pattern
// with a slash is matched with the path below the listed directory. The empty pattern fits
// everything.
func newGlob(pattern string) (glob, error) {
	pattern = strings.TrimPrefix(strings.TrimSpace(pattern), "./")
	if pattern == "" {
		return glob{}, nil
	}
	patterns, ok := expand(pattern)
	if !ok || len(pattern) > 1000 || strings.Count(pattern, "**") > 8 {
		return glob{}, errorf("the file name pattern %q has too many alternatives; write a simpler one, such as *.go", shorten(pattern, maxEcho))
	}
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return glob{}, errorf("%q is not a file name pattern: write one such as *.go, *.{js,ts} or src/**/*.md", shorten(pattern, maxEcho))
		}
	}
	return glob{patterns}, nil
}

// deep reports whether the pattern is for files in directories further down.
func (g glob) deep() bool {
	return slices.ContainsFunc(g.patterns, func(p string) bool { return strings.Contains(p, "/") || strings.Contains(p, "**") })
}

// match reports whether the pattern fits name, a path below the directory that is listed. It fails
// if the context of w ends.
func (g glob) match(w *work, name string) (bool, error) {
	if g.patterns == nil {
		return true, nil
	}
	names := strings.Split(name, "/")
	last := names[len(names)-1:]
	for _, p := range g.patterns {
		segments, of := []string{p}, last
		if strings.Contains(p, "/") {
			segments, of = strings.Split(p, "/"), names
		}
		if ok, err := matchPath(w, segments, of); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// matchPath matches name by name; "**" matches any number of names. If the pattern after a "**"
// does not match, that "**" takes one more name. Only the last "**" needs to do that, because it
// can take the names of the earlier ones. So no pattern and name are matched with each other more
// often than there are names.
func matchPath(w *work, pattern, names []string) (bool, error) {
	p, n := 0, 0
	star, taken := -1, 0 // the last "**", and the number of names before the rest of the pattern
	for n < len(names) {
		if p < len(pattern) && pattern[p] == "**" {
			star, taken = p, n
			p++
			continue
		}
		if p < len(pattern) {
			// path.Match tries the rest of the pattern at each place of the name.
			if err := w.add((len(pattern[p]) + 1) * (len(names[n]) + 1)); err != nil {
				return false, err
			}
			if ok, _ := path.Match(pattern[p], names[n]); ok { // the pattern was checked
				p, n = p+1, n+1
				continue
			}
		}
		if star < 0 {
			return false, nil
		}
		taken++
		p, n = star+1, taken
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern), nil
}

// expand writes out the alternatives in braces; ok is false if there are too many.
func expand(pattern string) (all []string, ok bool) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return []string{pattern}, true
	}
	end := strings.IndexByte(pattern[open:], '}')
	if end < 0 {
		return []string{pattern}, true
	}
	end += open
	if inner := strings.LastIndexByte(pattern[:end], '{'); inner > open { // the innermost braces first
		open = inner
	}
	for part := range strings.SplitSeq(pattern[open+1:end], ",") {
		rest, ok := expand(pattern[:open] + part + pattern[end+1:])
		if all = append(all, rest...); !ok || len(all) > maxAlternatives {
			return nil, false
		}
	}
	return all, true
}
