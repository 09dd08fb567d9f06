package provenance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Checking a request allocates nothing if no foreign text names its method, and little if one does.
func TestCheckingARequestAllocatesLittle(t *testing.T) {
	text := strings.Repeat("An ordinary line of a text that a tool returned, say.\n", 800)
	for _, tt := range []struct {
		name, text     string
		maxAllocations float64 // somewhat more than today's number
	}{
		{"a text of 40 KB", text, 0},
		{"a text that names the method", text + "files_read", 45},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMemory()
			m.AddForeign(page, tt.text)
			req := request("files_read", "path", "docs/a-file-of-some-length.txt")
			allocations := testing.AllocsPerRun(100, func() { copied(m, req) })
			t.Logf("%.1f allocations", allocations)
			require.LessOrEqual(t, allocations, tt.maxAllocations)
		})
	}
}
