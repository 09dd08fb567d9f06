package mcp

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

// readBody reads a body to its end, and returns its text and the results of the responses in it.
func readBody(t *testing.T, r io.Reader, isEvents bool) (text string, results []string, err error) {
	t.Helper()
	d := &messageDecoder{isEvents: isEvents, received: func(m jsonrpc.Message, size int) error {
		require.Positive(t, size)
		if r, ok := m.(*jsonrpc.Response); ok {
			results = append(results, string(r.Result))
		}
		return nil
	}}
	whole, err := io.ReadAll(&responseBody{
		body: io.NopCloser(r), delivery: &delivery{}, left: -1, messages: d, release: func() {},
	})
	return string(whole), results, err
}

func TestMessagesOfABodyAreDecoded(t *testing.T) {
	one := func(result string) string { return `{"jsonrpc":"2.0","id":1,"result":` + result + `}` }
	for _, c := range []struct {
		name, body string
		isEvents   bool
		want       []string
	}{
		{"one message", one(`{"a":1}`), false, []string{`{"a":1}`}},
		{"a batch", "[" + one("1") + "," + one("2") + "]", false, []string{"1", "2"}},
		{"no message", "busy", false, nil},
		{"events", "event: message\ndata: " + one("1") + "\n\n: comment\n\ndata:" + one("2") + "\n\n", true, []string{"1", "2"}},
		{"line breaks of two bytes", "data: " + one("1") + "\r\n\r\ndata: " + one("2") + "\r\n\r\n", true, []string{"1", "2"}},
		{"an event on two lines", `data: {"jsonrpc":"2.0","id":1,` + "\n" + `data: "result":7}` + "\n\n", true, []string{"7"}},
		{"an event without its blank line", "data: " + one("1"), true, []string{"1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for size, r := range map[string]io.Reader{
				"whole": strings.NewReader(c.body), "bytes": iotest.OneByteReader(strings.NewReader(c.body)),
			} {
				text, got, err := readBody(t, r, c.isEvents)
				require.NoError(t, err, size)
				require.Equal(t, c.body, text, size)
				require.Empty(t, cmp.Diff(c.want, got), size)
			}
		})
	}
}

func TestABodyMayHaveExactlyTheLimit(t *testing.T) {
	for _, tt := range []struct {
		text    string
		allowed bool
	}{{"1234", true}, {"12345", true}, {"123456", false}} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(tt.text), "bytes": iotest.OneByteReader(strings.NewReader(tt.text)),
		} {
			d := &delivery{}
			text, err := io.ReadAll(&responseBody{body: io.NopCloser(r), delivery: d, left: 5})
			if tt.allowed {
				require.NoError(t, err, name)
				require.Equal(t, tt.text, string(text), name)
				continue
			}
			require.ErrorIs(t, err, errLongMessage, name)
			require.ErrorIs(t, d.outcome().err, errLongMessage, name)
		}
	}
}

func TestAnEndlessEventEndsTheBody(t *testing.T) {
	text, _, err := readBody(t, io.MultiReader(strings.NewReader("data: "), endless{}), true)
	require.ErrorIs(t, err, errLongMessage)
	require.Less(t, len(text), 2*maxMessage)
}

// endless is a reader of "x" without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
