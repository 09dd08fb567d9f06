package protocoltest_test

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/protocoltest"
)

// tiny is a whole protocol. A request is [[call files_read?path=a.txt&lines=3]]: the method and its arguments, escaped as in the query of
// a URL. No other character may stand in it, so whatever the values are, no mark does.
type tiny struct{}

const (
	callOpen  = "[[call "
	callClose = "]]"
	callBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~%+?&="
)

func (tiny) ID() string                                       { return "tiny" }
func (tiny) Repairs() []protocol.Repair                       { return nil }
func (tiny) NewScanner(protocol.ScanOptions) protocol.Scanner { return &tinyScanner{} }
func (tiny) ErrorMessage(protocol.ErrorCode) string           { return "write [[call name?parameter=value]]" }

func (tiny) GenerateToolDefinitions(definitions []protocol.ToolDefinition, _ protocol.PromptOptions) string {
	b := ""
	for _, d := range definitions {
		b += "\n" + d.ToolName + ": " + tiny{}.Neutralize(d.Description)
		for _, p := range d.Parameters {
			b += "\n- " + p.Name + " (" + p.Type + "): " + tiny{}.Neutralize(p.Description)
		}
	}
	if b == "" {
		return ""
	}
	return "To call a method write [[call name?parameter=value&parameter=value]], escaped as in a URL. The methods:\n" + b
}

func (tiny) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	var calls []string
	for i, r := range requests {
		refuse := func(argument, reason string) error {
			return &protocol.FormatError{Protocol: "tiny", ToolName: r.ToolName, Argument: argument, Reason: reason}
		}
		switch {
		case i == protocol.MaxBlocks:
			return "", refuse("", "a reply may hold no more requests")
		case r.ToolName == "" || r.Command != "" || r.Label != "":
			return "", refuse("", "a request has one name, and no label")
		case len(r.Arguments) >= protocol.MaxFields:
			return "", refuse("", "it has too many arguments")
		}
		call := callOpen + url.QueryEscape(r.ToolName)
		seen := map[string]bool{}
		for _, a := range r.Arguments {
			if a.Name == "" || seen[a.Name] {
				return "", refuse(a.Name, "a name is not empty, and stands once")
			}
			seen[a.Name] = true
			call += "&" + url.QueryEscape(a.Name) + "=" + url.QueryEscape(a.Value)
		}
		call = strings.Replace(call, "&", "?", 1) + callClose
		if len(call) > protocol.MaxBlockBytes {
			return "", refuse("", "it is too long")
		}
		calls = append(calls, call)
	}
	return strings.Join(calls, "\n"), nil
}

func (tiny) FormatToolResults(results []protocol.ToolResult) string {
	b := ""
	for _, r := range results {
		b += "[[result"
		for _, value := range []string{r.RequestID, r.ToolName, string(r.Status), r.ErrorType, r.Suggestion, r.Result} {
			b += "&" + url.QueryEscape(value) // nothing in it can begin or end a mark
		}
		b += "]]\n"
	}
	return b
}

// Neutralize parts the brackets that every mark begins with, within the text and where two texts
// meet.
func (tiny) Neutralize(text string) string {
	text = strings.ReplaceAll(text, "[[", "[ [")
	text = strings.ReplaceAll(text, "[[", "[ [") // of three brackets
	if strings.HasPrefix(text, "[") {
		text = " " + text
	}
	return text
}

// tinyScanner reads one reply. It waits for the whole of a call, so it knows that one is there when it says so.
type tinyScanner struct {
	tok    protocol.Token
	next   protocol.TokenKind // the next token of the open call; TokenNone in text
	left   int                // bytes of the open call before its closing mark
	looked int                // bytes of the input that are no end of the call: they are not looked at again

	examined int // bytes that were looked at, for the kit
}

func (s *tinyScanner) Scan(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	b := src[from:]
	if s.next != protocol.TokenNone {
		return s.scanCall(b)
	}
	s.tok = protocol.Token{Kind: protocol.TokenText}
	if at := bytes.Index(b, []byte(callOpen)); at != 0 {
		n, last := len(b), max(0, len(b)-len(callOpen)+1)
		if i := bytes.IndexByte(b[last:], callOpen[0]); i >= 0 && !atEOF {
			n = last + i // this may be the beginning of a call
		}
		if at > 0 {
			n = at
		}
		s.examined += n + len(callOpen)
		if n == 0 && !atEOF {
			return 0, nil, protocol.ErrShort
		} else if n == 0 {
			s.tok.Kind = protocol.TokenNone
		}
		return n, &s.tok, nil
	}
	i := max(s.looked, len(callOpen))
	for i < len(b) && strings.IndexByte(callBytes, b[i]) >= 0 {
		i++
	}
	s.examined += i - s.looked
	s.looked = i
	switch rest := string(b[i:min(len(b), i+len(callClose))]); {
	case rest == callClose && i > len(callOpen):
		s.tok.Kind, s.next, s.left = protocol.TokenRequestStart, protocol.TokenField, i-len(callOpen)
	case !atEOF && (rest == "" || rest == callClose[:1]):
		return 0, nil, protocol.ErrShort
	}
	s.looked = 0
	return len(callOpen), &s.tok, nil
}

// scanCall reads the method and its arguments, which are fields whose values are passed on as they are written. The method has no key.
func (s *tinyScanner) scanCall(b []byte) (n int, tok *protocol.Token, err error) {
	s.tok = protocol.Token{Kind: s.next, Role: protocol.FieldReserved, Name: []byte("call")}
	call := b[:s.left]
	switch s.next {
	case protocol.TokenField:
		if call[0] == '?' || call[0] == '&' {
			n = 1 + max(0, bytes.IndexAny(append(call[1:len(call):len(call)], '&'), "=?&"))
			s.tok.Name, s.tok.NameStart, s.tok.NameEnd = call[1:n], 1, n
			if n == 1 {
				s.tok.Code = protocol.CodeBadKey
			}
			if n < len(call) && call[n] == '=' {
				n++
			}
		}
		s.next = protocol.TokenValue
	case protocol.TokenValue:
		if n = bytes.IndexAny(call, "?&"); n < 0 {
			n = len(call)
		}
		s.next = protocol.TokenFieldEnd
	case protocol.TokenFieldEnd:
		if s.next = protocol.TokenField; len(call) == 0 {
			s.next = protocol.TokenRequestEnd
		}
	case protocol.TokenRequestEnd:
		s.next = protocol.TokenNone
		return len(callClose), &s.tok, nil
	}
	s.left -= n
	s.examined += n
	return n, &s.tok, nil
}

func (s *tinyScanner) Requests(fields []protocol.Field) []protocol.Reading {
	r := protocol.Reading{}
	for i, f := range fields {
		name, err := url.QueryUnescape(f.Name)
		value, err2 := url.QueryUnescape(f.Value)
		if slices.ContainsFunc(r.Request.Arguments, func(a protocol.Argument) bool { return a.Name == name }) {
			r.Err = &protocol.RequestError{Code: protocol.CodeDuplicateKey, Message: "an argument stands twice; write it once"}
		}
		if r.Request.Arguments = append(r.Request.Arguments, protocol.Argument{Name: name, Value: value}); i == 0 {
			r.Request = protocol.ToolRequest{ToolName: value}
		}
		if err != nil || err2 != nil {
			r.Err = &protocol.RequestError{Code: protocol.CodeBadKey, Message: "an escape is % and two digits of 0 to F"}
		}
	}
	return []protocol.Reading{r}
}

func (s *tinyScanner) Abort(int)     { s.next, s.looked = protocol.TokenNone, 0 }
func (s *tinyScanner) Examined() int { return s.examined }

func TestTiny(t *testing.T) { protocoltest.Run(t, tiny{}) }

// A protocol of one's own is used as any other.
func Example() {
	const text = "One moment. [[call files_read?path=my+notes.txt]]"
	reply, err := parser.ParseToolRequests(tiny{}, text, parser.Options{Finish: protocol.FinishStop})
	fmt.Printf("%q %+v %v\n", reply.Text, reply.Requests[0].Arguments, err)
	// Output: "One moment. " [{Name:path Value:my notes.txt Form:plain}] <nil>
}
