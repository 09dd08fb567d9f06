package engine

import (
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// NoticeEscapedRequest is a request whose marks are escaped, as results show the marks of foreign
// text, in a reply without other requests. It never runs. A session reports it; a parser does not.
const NoticeEscapedRequest parser.NoticeCode = "escaped_request"

// escapedRequests returns the requests in a text whose marks are escaped. All marks must be escaped
// except for the first and the last mark of a block, which need not be. A mark within a value keeps
// the escape that belongs to the value.
func escapedRequests(p protocol.Protocol, text string) []protocol.ToolRequest {
	restorer, ok := p.(protocol.Restorer)
	if !ok || len(text) > forms.MaxLoose {
		return nil
	}
	text = strings.TrimSpace(text)
	open, body, end, _ := forms.Body(text)
	if open == "" {
		body = text
	}
	plain := restorer.Restore(body)
	if plain == body || strings.TrimSpace(p.Neutralize(plain)) != strings.TrimSpace(body) {
		return nil
	}
	return readRequests(p, open+plain+end)
}
