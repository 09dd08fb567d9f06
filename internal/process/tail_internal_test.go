package process

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTheEndOfAStreamBeginsWithAWholeCharacter(t *testing.T) {
	const character = "世"
	for n := 2 * maxErrorOutput / len(character); n < 3*maxErrorOutput/len(character); n++ {
		var end tail
		end.keep([]byte(strings.Repeat(character, n)))
		if got := end.String(); !utf8.ValidString(got) || len(got) > maxErrorOutput || len(got) < maxErrorOutput-len(character) {
			t.Fatalf("of %d bytes %d are kept, valid: %t", n*len(character), len(got), utf8.ValidString(got))
		}
	}
}
