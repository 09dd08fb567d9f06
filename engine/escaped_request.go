package engine

import (
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// NoticeEscapedRequest reports a request with escaped marks in a reply without other requests.
// Marks are texts with a meaning in the protocol, such as the start of a request. In results the
// engine escapes all marks of foreign text, and a model may copy a request from there. Such a
// request never runs. A session reports this notice; a parser does not.
const NoticeEscapedRequest parser.NoticeCode = "escaped_request"

// escapedRequests returns the requests in a text whose marks are escaped. Only the first and the
// last mark of a block may be without an escape. From every other mark one escape is removed, so a
// mark that was escaped twice, as in a value, is still escaped.
func escapedRequests(p protocol.Protocol, text string) []protocol.ToolRequest {
	restorer, ok := p.(protocol.Restorer)
	if !ok || len(text) > forms.MaxLooseBytes {
		return nil
	}
	text = strings.TrimSpace(text)
	open, body, end, _ := forms.Body(text)
	if open == "" {
		body = text
	}
	plain := restorer.Restore(body)
	if plain == body || strings.TrimSpace(p.Neutralize(plain)) != strings.TrimSpace(body) {
		return nil // no mark of the body is escaped, or not all of them are
	}
	return readRequests(p, open+plain+end)
}
