package provenance_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/engine/internal/provenance"
)

func TestNamesAreFoundAcrossTexts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		texts []string
		named bool
	}{
		{"no text", nil, false},
		{"another name", []string{"call notes_load", "now"}, false},
		{"the name", []string{"call notes_save", "now"}, true},
		{"in capital letters", []string{"call NOTES_SAVE"}, true},
		{"with escapes", []string{`call notes\u005fs&#97;ve`}, true},
		{"with an invisible character", []string{"notes_\u200bsave"}, true},
		{"after a backslash", []string{`call \notes_save`}, true},
		{"in two texts", []string{"call notes_", "save now"}, true},
		{"in three texts", []string{"call no", "tes_s", "ave now"}, true},
		{"in two texts, with other text between", []string{"notes_ and then", "save"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names := provenance.IndexNames(slices.Values(tt.texts))
			assert.Equal(t, tt.named, names.Contains("notes_save"))
			assert.True(t, names.Contains("`"), "a name that is only a quotation mark always counts")
		})
	}
}
