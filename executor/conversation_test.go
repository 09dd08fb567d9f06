package executor

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrantsAreLimited(t *testing.T) {
	var c Conversation
	numbered := func(i int) grant { return grant{digest: Digest(strconv.Itoa(i))} }
	for i := range 2 * maxGrants {
		c.addGrant(numbered(i))
	}
	require.Len(t, c.grants, maxGrants)
	require.True(t, c.granted(numbered(0)))
	require.False(t, c.granted(numbered(2*maxGrants-1)), "further grants are not remembered")
}

func TestACallIsTheSameWhateverItsSpelling(t *testing.T) {
	for name, tt := range map[string]struct {
		one, other string
		same       bool
	}{
		"order and white space":  {`{"a":1,"b":2}`, `{ "b": 2, "a": 1 }`, true},
		"another value":          {`{"a":1}`, `{"a":2}`, false},
		"digits of a number":     {`{"a":1}`, `{"a":1.0}`, false},
		"text after the object":  {`{"a":1}`, `{"a":1} {}`, false},
		"a bracket after object": {`{"a":1}`, `{"a":1}]`, false},
	} {
		t.Run(name, func(t *testing.T) {
			same := digestOf("t_tool", []byte(tt.one)) == digestOf("t_tool", []byte(tt.other))
			if same != tt.same {
				t.Errorf("the same digest: %v, want %v", same, tt.same)
			}
		})
	}
}
