package cli_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

// JSONOutput changes the characters that steer a terminal, but not the meaning of the JSON. The
// pieces in which the JSON is written make no difference. (A law is a property that rapid checks
// with generated inputs.)
func TestLawJSONOutputKeepsTheMeaning(t *testing.T) {
	character := rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\x1b\u009b\u007f\u202e\u2066\u061c\r\n\t\"\\")))
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.StringOf(character).Draw(t, "text")
		var data bytes.Buffer
		e := json.NewEncoder(&data)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(want))
		var b bytes.Buffer
		out := cli.JSONOutput(&b)
		for rest := data.Bytes(); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			written, err := out.Write(rest[:n])
			require.NoError(t, err)
			require.Equal(t, n, written)
			rest = rest[n:]
		}
		require.Equal(t, cli.Printable(b.String()), b.String())
		var got string
		require.NoError(t, json.Unmarshal(b.Bytes(), &got))
		require.Equal(t, want, got)
	})
}
