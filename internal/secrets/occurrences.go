package secrets

import (
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// occurrences calls visit with the index of each occurrence of part in s. visit returns the index
// at which the search continues. If that index is within the occurrence, the search continues after
// the occurrence.
func occurrences(s, part string, visit func(at int) (next int)) {
	work.Add(len(s))
	for start := 0; start < len(s); {
		i := strings.Index(s[start:], part)
		if i < 0 {
			return
		}
		start = max(visit(start+i), start+i+len(part))
	}
}
