// Package secrets masks the values of secret arguments: in JSON, where a secret is known by its
// name, and in text that may repeat it. In text of any origin, it also masks known values and what
// has the form of a secret.
package secrets

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// Mask replaces a secret.
const Mask = "[secret]"

// Names are the names of secrets, folded. Names that differ only in case, hyphens, underscores and
// white space are equal.
type Names []string

// NewNames folds names.
func NewNames(names []string) Names {
	folded := make(Names, len(names))
	for i, name := range names {
		folded[i] = text.FoldName(name)
	}
	return folded
}

// Has reports whether name is one of the names.
func (n Names) Has(name string) bool { return slices.Contains(n, text.FoldName(name)) }

// hasTruncated is like Has for a name that may end in an ellipsis, as long names in a
// schema.Problem do.
func (n Names) hasTruncated(name string) bool {
	head, truncated := strings.CutSuffix(name, text.Ellipsis)
	head = text.FoldName(head)
	begins := func(secret string) bool { return strings.HasPrefix(secret, head) }
	return n.Has(name) || truncated && slices.ContainsFunc(n, begins)
}

// MentionedIn reports whether a text contains one of the names, also in up to four layers of
// escapes.
func (n Names) MentionedIn(s string) bool {
	if len(n) == 0 {
		return false
	}
	folded, plain := text.FoldName(s), text.FoldName(WithoutEscapes(s))
	return slices.ContainsFunc(n, func(name string) bool {
		return strings.Contains(folded, name) || strings.Contains(plain, WithoutEscapes(name))
	})
}

// separators are between the names and indexes of a path. A name may contain them, too.
const separators = ".[]"

// TruncatePath returns a path up to the end of the first name of a secret in it. secret reports
// whether the path contains such a name.
func (n Names) TruncatePath(path string) (truncated string, secret bool) {
	most := 0 // the largest number of separators in a name
	for _, name := range n {
		count := 0
		for _, separator := range separators {
			count += strings.Count(name, string(separator))
		}
		most = max(most, count)
	}
	for start := 0; start < len(path); {
		end := start
		for range most + 1 {
			if i := strings.IndexAny(path[min(end+1, len(path)):], separators); end < len(path) && i >= 0 {
				end += 1 + i
			} else {
				end = len(path)
			}
			if n.hasTruncated(path[start:end]) {
				if start > 0 && path[start-1] == '[' && strings.HasPrefix(path[end:], "]") {
					end++
				}
				return path[:end], true
			}
		}
		next := strings.IndexAny(path[start:], separators)
		if next < 0 {
			break
		}
		start += next + 1
	}
	return path, false
}
