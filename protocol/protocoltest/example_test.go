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

// tiny is a whole protocol. A request is [[call files_read?path=a.txt&lines=3]]: the method and its
// arguments, escaped as in the query of a URL. No other character may stand in it, so whatever the
// values are, no mark does.
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
	return protocol.FormatRequests("tiny", requests, func(b []byte, r *protocol.ToolRequest) ([]byte, error) {
		if r.Command != "" || r.Label != "" {
			return b, &protocol.FormatError{Reason: "a request has one name, and no label"}
		}
		call := callOpen + url.QueryEscape(r.ToolName)
		for _, a := range r.Arguments {
			call += "&" + url.QueryEscape(a.Name) + "=" + url.QueryEscape(a.Value)
		}
		return append(b, strings.Replace(call, "&", "?", 1)+callClose...), nil
	})
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

// tinyScanner reads one reply. It waits for the whole of a call, and then knows all tokens of it.
type tinyScanner struct {
	queue    []tinyToken
	looked   int // bytes of the input that are no end of the call: they are not looked at again
	examined int // bytes that were looked at, for the kit
}

type tinyToken struct {
	n int
	protocol.Token
}

func (s *tinyScanner) Scan(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	b := src[from:]
	if len(s.queue) == 0 {
		n := bytes.Index(b, []byte(callOpen))
		switch last := max(0, len(b)-len(callOpen)+1); {
		case n == 0:
			if short := s.readCall(b); short && !atEOF {
				return 0, nil, protocol.ErrShort
			}
			s.looked, n = 0, len(callOpen) // of text, if it is no call
		case n < 0 && !atEOF && bytes.IndexByte(b[last:], '[') >= 0:
			n = last + bytes.IndexByte(b[last:], '[') // a call may begin here
		case n < 0:
			n = len(b)
		}
		s.examined += n + len(callOpen)
		switch {
		case len(s.queue) > 0:
		case n > 0:
			return n, &protocol.Token{Kind: protocol.TokenText}, nil
		case atEOF:
			return 0, &protocol.Token{Kind: protocol.TokenNone}, nil
		default:
			return 0, nil, protocol.ErrShort
		}
	}
	next := &s.queue[0]
	s.queue = s.queue[1:]
	return next.n, &next.Token, nil
}

// readCall reads the call that begins b into the queue. short reports that its end may follow.
func (s *tinyScanner) readCall(b []byte) (short bool) {
	s.queue = nil
	i := max(s.looked, len(callOpen))
	for i < len(b) && strings.IndexByte(callBytes, b[i]) >= 0 {
		i++
	}
	s.examined += i - s.looked
	s.looked = i
	if rest := string(b[i:min(len(b), i+len(callClose))]); rest != callClose || i == len(callOpen) {
		return len(rest) < len(callClose) && rest == callClose[:len(rest)]
	}
	add := func(n int, tok protocol.Token) { s.queue = append(s.queue, tinyToken{n, tok}) }
	add(len(callOpen), protocol.Token{Kind: protocol.TokenRequestStart})
	for k, part := range strings.Split(strings.ReplaceAll(string(b[len(callOpen):i]), "?", "&"), "&") {
		// The method has no key. Values are passed on as they are written.
		field := protocol.Token{Kind: protocol.TokenField, Role: protocol.FieldReserved, Name: []byte("call")}
		name, value, _ := strings.Cut(part, "=")
		key := len("&") + len(part) - len(value)
		if k == 0 {
			value, key = part, 0
		} else if field.Name, field.NameStart, field.NameEnd = []byte(name), 1, 1+len(name); name == "" {
			field.Code = protocol.CodeBadKey
		}
		add(key, field)
		add(len(value), protocol.Token{Kind: protocol.TokenValue})
		add(0, protocol.Token{Kind: protocol.TokenFieldEnd})
	}
	add(len(callClose), protocol.Token{Kind: protocol.TokenRequestEnd})
	return false
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

func (s *tinyScanner) Abort(int)     { s.queue, s.looked = nil, 0 }
func (s *tinyScanner) Examined() int { return s.examined }

func TestTiny(t *testing.T) { protocoltest.Run(t, tiny{}) }

// A protocol of one's own is used as any other.
func Example() {
	const text = "One moment. [[call files_read?path=my+notes.txt]]"
	reply, err := parser.ParseToolRequests(tiny{}, text, parser.Options{Finish: protocol.FinishStop})
	fmt.Printf("%q %+v %v\n", reply.Text, reply.Requests[0].Arguments, err)
	// Output: "One moment. " [{Name:path Value:my notes.txt Form:plain}] <nil>
}
