package builtin

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// glob is a pattern for the names of files.
type glob struct{ patterns []string }

// The limits of a pattern.
const (
	maxAlternatives = 64   // patterns to which its braces expand
	maxPattern      = 1000 // bytes
	maxDoubleStars  = 8
)

// newGlob reads a pattern: * and ? and [a-z] within a name, ** for any number of directories, {a,b}
// for alternatives. A pattern without a slash must match the last name of a path. A pattern with a
// slash must match the whole path below the listed directory. The empty pattern matches everything.
func newGlob(pattern string) (glob, error) {
	pattern = strings.TrimPrefix(strings.TrimSpace(pattern), "./")
	if pattern == "" {
		return glob{}, nil
	}
	var patterns []string
	ok := len(pattern) <= maxPattern // checked first, because expand takes quadratic time
	if ok {
		patterns, ok = expand(pattern)
	}
	if !ok || strings.Count(pattern, "**") > maxDoubleStars {
		return glob{}, errorf("the file name pattern %q is too long, or has too many alternatives or **; write a simpler one, such as *.go",
			shorten(pattern, maxEcho))
	}
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return glob{}, errorf("%q is not a file name pattern: write one such as *.go, *.{js,ts} or src/**/*.md", shorten(pattern, maxEcho))
		}
	}
	return glob{patterns}, nil
}

// deep reports whether files in subdirectories must be listed for the pattern.
func (g glob) deep() bool {
	return slices.ContainsFunc(g.patterns,
		func(p string) bool { return strings.Contains(p, "/") || strings.Contains(p, "**") })
}

// match reports whether the pattern matches name, a path below the listed directory. It counts its
// steps in w. It fails only if the context of w has ended.
func (g glob) match(w *work, name string) (bool, error) {
	if g.patterns == nil {
		return true, nil
	}
	names := strings.Split(name, "/")
	last := names[len(names)-1:]
	for _, p := range g.patterns {
		segments, against := []string{p}, last
		if strings.Contains(p, "/") {
			segments, against = strings.Split(p, "/"), names
		}
		if ok, err := matchPath(w, segments, against); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// matchPath reports whether the segments of a pattern match the names of a path; "**" matches any
// number of names. If the segments after a "**" do not match, that "**" matches one name more, and
// the comparison is repeated. Only the last "**" is extended: extending an earlier one would only
// leave fewer names for the last one. So the number of comparisons grows at most with the product
// of both lengths.
func matchPath(w *work, pattern, names []string) (bool, error) {
	p, n := 0, 0
	star, next := -1, 0 // the index of the last "**", and of the first name after those that it matches
	for n < len(names) {
		if p < len(pattern) && pattern[p] == "**" {
			star, next = p, n
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
		next++
		p, n = star+1, next
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern), nil
}

// innermost finds braces that contain no other braces.
var innermost = regexp.MustCompile(`\{([^{}]*)\}`)

// expand returns one pattern for each combination of the alternatives in braces. ok is false if
// there are too many.
func expand(pattern string) (all []string, ok bool) {
	at := innermost.FindStringSubmatchIndex(pattern)
	if at == nil {
		return []string{pattern}, true
	}
	for part := range strings.SplitSeq(pattern[at[2]:at[3]], ",") {
		rest, ok := expand(pattern[:at[0]] + part + pattern[at[1]:])
		if all = append(all, rest...); !ok || len(all) > maxAlternatives {
			return nil, false
		}
	}
	return all, true
}
