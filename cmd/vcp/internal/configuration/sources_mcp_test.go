package configuration

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACommandIsSplitAtWhiteSpace(t *testing.T) {
	for in, want := range map[string][]string{
		"npx -y  pkg":            {"npx", "-y", "pkg"},
		`"a b" 'c "d"' e\ f ""`:  {"a b", `c "d"`, "e f", ""},
		`"a\"b" 'c\d'`:           {`a"b`, `c\d`},
		"sh -c 'echo $HOME; ls'": {"sh", "-c", "echo $HOME; ls"},
		`"open`:                  nil, // an error
		`end\`:                   nil, // an error
	} {
		t.Run(strconv.Quote(in), func(t *testing.T) {
			got, err := splitCommand(in)
			require.Equal(t, want == nil, err != nil)
			require.Equal(t, want, got)
		})
	}
}
