package text

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDistanceCountsEdits(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "abc", 0},
		{"abc", "ab", 1},
		{"ab", "ba", 1},
		{"kitten", "sitting", 3},
		{"世界", "世人界", 1},
	} {
		assert.Equal(t, test.want, distance([]rune(test.a), []rune(test.b)), "%s to %s", test.a, test.b)
		assert.Equal(t, test.want, distance([]rune(test.b), []rune(test.a)), "%s to %s", test.b, test.a)
	}
}
