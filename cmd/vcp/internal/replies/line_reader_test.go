package replies

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// typedInput is the input of a terminal: the input ends after each part, and then a person may type
// the next part.
type typedInput struct{ parts []string }

func (t *typedInput) Read(p []byte) (int, error) {
	if t.parts[0] == "" {
		t.parts = t.parts[1:]
		return 0, io.EOF
	}
	n := copy(p, t.parts[0])
	t.parts[0] = t.parts[0][n:]
	return n, nil
}

func TestInputEndsAtTheFirstEndThatAPersonTypes(t *testing.T) {
	var out strings.Builder
	r := &Reader{jsonl: true}
	require.Error(t, r.lines(&typedInput{[]string{`no JSON`, "more\n", ""}}, "standard input", &out))
	require.Equal(t, 1, strings.Count(out.String(), "\n"))

	list, err := ReadResults(&typedInput{[]string{`{"status":"success","result":"x"}`, "more\n", ""}}, "standard input")
	require.NoError(t, err)
	require.Len(t, list, 1)
}
