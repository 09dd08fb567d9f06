package document_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/document"
)

func TestCheckJSONAcceptsOneValueWithinTheLimits(t *testing.T) {
	limits := document.Limits{Bytes: 100, Depth: 3, Entries: 5}
	for _, tt := range []struct{ name, text, want string }{
		{"a value", `{"a":[1,{"b":2}]}`, ""},
		{"a scalar", ` "x" `, ""},
		{"text that is not UTF-8 is accepted", "[\"\xff\",\"\\ud800\"]", ""},
		{"too many bytes", strings.Repeat(" ", 101), "larger than 100 bytes"},
		{"too deep", "[[[[]]]]", "nested more than 3 deep"},
		{"too many entries", "[1,2,3,4,5,6]", "more than 5 entries"},
		{"a member twice", `{"a":1,"a":2}`, "duplicate object member name"},
		{"a member twice, in two spellings", `{"a":1,"\u0061":2}`, "duplicate object member name"},
		{"an empty text", " ", "the text is empty"},
		{"half a value", "[1", "unexpected EOF"},
		{"two values", "1 2", "there is more after the value, which ends at byte 1"},
		{"a text that is not JSON", "{a: 1}", "at byte 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := document.CheckJSON([]byte(tt.text), limits)
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
			requireShortLine(t, err)
		})
	}
}
