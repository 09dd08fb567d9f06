package provenance

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/text"
)

// Folding omits each hidden character. plain omits it too, unless it is white space. (A law is a
// property that holds for all inputs.)
func TestLawHiddenCharactersDoNotCount(t *testing.T) {
	for r := range unicode.MaxRune + 1 {
		if !utf8.ValidRune(r) || !text.Hidden(r) {
			continue
		}
		s, understood := "a"+string(r)+"b", "ab"
		if unicode.IsSpace(r) {
			understood = s
		}
		if string(fold(nil, s)) != "ab" || plain(s) != understood { // require is slow, so it only reports a failure
			require.Equal(t, []string{"ab", understood}, []string{string(fold(nil, s)), plain(s)}, "%U", r)
		}
	}
}
