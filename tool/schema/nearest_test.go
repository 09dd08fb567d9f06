package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/tool/schema"
)

func TestNearest(t *testing.T) {
	names := []string{"files_list", "files_read", "files_search", "clock_now", "x"}
	for _, test := range []struct {
		name, word string
		want       []string
	}{
		{"swapped letters", "fiels_list", []string{"files_list"}},
		{"a missing underscore is no distance", "FilesRead", []string{"files_read"}},
		{"the closest first", "files_lead", []string{"files_read", "files_list"}},
		{"nothing in common", "weather", nil},
		{"one letter is not near another", "y", nil},
		{"nothing", "", nil},
		{"much too long", strings.Repeat("files", 1000), nil},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, schema.Nearest(test.word, names)) })
	}
}
