package markdown_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

var protocols = []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}}

func newRenderer(t testing.TB) *markdown.Renderer {
	t.Helper()
	r, err := markdown.New(markdown.Options{Protocols: protocols})
	require.NoError(t, err)
	return r
}

// element describes an element that a page may contain.
type element struct {
	attributes []string // besides those that every element may have
	void       bool     // it has no end tag
}

// harmless are the elements and attributes that load, run and submit nothing. The list is
// independent of Policy, so that it can test Policy.
var harmless = map[string]element{
	"p": {}, "br": {void: true}, "hr": {void: true}, "em": {}, "strong": {}, "del": {}, "blockquote": {}, "ul": {},
	"ol": {attributes: []string{"start"}}, "li": {},
	"h1": {}, "h2": {}, "h3": {}, "h4": {}, "h5": {}, "h6": {}, "pre": {}, "code": {}, "table": {}, "thead": {}, "tbody": {}, "tr": {},
	"th": {attributes: []string{"align"}}, "td": {attributes: []string{"align"}}, "div": {attributes: []string{"role"}},
	"span": {}, "details": {}, "summary": {},
	"dl": {}, "dt": {}, "dd": {}, "article": {}, "a": {attributes: []string{"href", "rel", "target"}},
}

// activeContent returns the parts of a page that could run, load or lead somewhere unseen, and
// unbalanced tags. It reads tokens as a browser does.
func activeContent(page []byte) (found []string) {
	z := html.NewTokenizer(strings.NewReader(string(page)))
	var open []string
	link, shown := "", "" // the host of the last link, and the text after it
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	checkLink := func() {
		if link != "" && !strings.Contains(shown, link) {
			report("a link to %s shows %q", link, shown)
		}
		link, shown = "", ""
	}
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			checkLink()
			if len(open) > 0 {
				report("open at the end: %v", open)
			}
			return found
		case html.TextToken:
			if link != "" && !slices.Contains(open, "a") {
				shown += string(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			e, ok := harmless[token.Data]
			if !ok {
				report("element %s", token)
				continue
			}
			if token.Data == "a" {
				checkLink()
			}
			for _, a := range token.Attr {
				switch {
				case a.Key == "href":
					u, err := url.Parse(a.Val)
					if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" || u.User != nil {
						report("address %q", a.Val)
						continue
					}
					if link = u.Host; u.Scheme == "mailto" {
						link, _ = url.PathUnescape(u.Opaque)
					}
				case a.Key == "class":
					for _, c := range strings.Fields(a.Val) {
						if !strings.HasPrefix(c, "vcp-") && !strings.HasPrefix(c, "language-") {
							report("class %q", c)
						}
					}
				case strings.HasPrefix(a.Key, "aria-"), strings.HasPrefix(a.Key, "data-vcp-"),
					slices.Contains(e.attributes, a.Key):
				default:
					report("attribute %s of %s", a.Key, token.Data)
				}
			}
			if token.Data == "a" && !strings.Contains(token.String(), "noreferrer") {
				report("a link that sends a referrer: %s", token)
			}
			if !e.void {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if n := len(open); n == 0 || open[n-1] != string(name) {
				report("end of %s within %v", name, open)
				continue
			}
			open = open[:len(open)-1]
		case html.CommentToken, html.DoctypeToken:
			report("%s", z.Token())
		}
	}
}
