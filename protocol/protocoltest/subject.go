package protocoltest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// subject is a protocol under test, with the replies that it is tested on.
type subject struct {
	protocol.Protocol
	rnd *rand.Rand
	// pieces are the parts of replies: what the protocol writes, whole and in parts, and other
	// text.
	pieces []string
}

var levels = [...]scan.Tolerance{scan.Strict, scan.Safe, scan.Greedy}

var finishes = [...]protocol.FinishReason{protocol.FinishStop, protocol.FinishLength, protocol.FinishUnknown}

// quiet keeps the parser from logging what a rule reports anyway.
var quiet = slog.New(slog.DiscardHandler)

func newSubject(p protocol.Protocol) *subject {
	s := &subject{Protocol: p, rnd: rand.New(rand.NewPCG(1, 2))}
	s.pieces = []string{
		"a", " ", "\n", "\r\n", "\t", "日本", "😀", "\xff", "\x00", `"`, "'", "`", "```\n", "\n~~~\n", "\n> ", "\n- ",
		"<", ">", "[", "]", "{", "}", ":", "=", ",", "&", "\\", "Let me look.\n",
	}
	for _, r := range []protocol.ToolRequest{plainRequest, jsonRequest, {ToolName: "a_b"}} {
		text := s.must(r)
		s.pieces = append(s.pieces, text, text+"\n", "\n"+text)
		for range 12 {
			from := s.rnd.IntN(len(text))
			s.pieces = append(s.pieces, text[:from], text[from:], text[from:from+s.rnd.IntN(min(12, len(text)-from)+1)])
		}
	}
	result := p.FormatToolResults([]protocol.ToolResult{plainResult})
	s.pieces = append(s.pieces, result, "\n"+result+"\n")
	if half := len(result) / 2; half > 0 {
		s.pieces = append(s.pieces, result[:half], result[half:])
	}
	return s
}

// Requests that every protocol can write.
var (
	plainRequest = protocol.ToolRequest{ToolName: "files_write", Arguments: []protocol.Argument{
		{Name: "path", Value: "notes/a.txt"}, {Name: "content", Value: "one\ntwo «three» \"four\""},
	}}
	jsonRequest = protocol.ToolRequest{ToolName: "web_search", Arguments: []protocol.Argument{
		{Name: "limits", Value: `[1,{"a":"007"},12345678901234567890]`, Form: protocol.FormJSON},
		{Name: "quick", Value: "true", Form: protocol.FormJSON},
	}}
)

var plainResult = protocol.ToolResult{ResultID: "1", ToolName: "a_b", Status: protocol.StatusSuccess, Result: "x"}

// A helper panics with a failure if the protocol fails. So each rule that uses the helper is
// broken.
type failure struct{ error }

// must writes a request that every protocol can write.
func (s *subject) must(r protocol.ToolRequest) string {
	text, err := s.FormatToolRequests([]protocol.ToolRequest{r})
	if err != nil {
		panic(failure{fmt.Errorf("FormatToolRequests refuses a request with plain names and UTF-8 values: %w", err)})
	}
	return text
}

// reply draws a reply that is made of pieces.
func (s *subject) reply() string {
	var b strings.Builder
	for range s.rnd.IntN(10) {
		b.WriteString(pick(s.rnd, s.pieces))
	}
	return b.String()
}

func (s *subject) options() parser.Options {
	return parser.Options{
		Tolerance: pick(s.rnd, levels[:]), Finish: pick(s.rnd, finishes[:]), Quoted: parser.QuotedPolicy(s.rnd.IntN(3)),
		Logger: quiet,
	}
}

// hostile draws text that is likely to contain marks of the protocol. The text is UTF-8 if utf8 is
// set; otherwise it may contain any bytes.
func (s *subject) hostile(utf8 bool) string {
	var b strings.Builder
	for range s.rnd.IntN(7) {
		b.WriteString(pick(s.rnd, s.pieces))
	}
	if utf8 {
		return strings.ToValidUTF8(b.String(), "")
	}
	return b.String()
}

// request draws a request with plain names and any UTF-8 values.
func (s *subject) request() protocol.ToolRequest {
	r := protocol.ToolRequest{ToolName: pick(s.rnd, []string{"files_write", "clock_now", "a_b"})}
	for _, name := range []string{"path", "content", "max_results", "x"}[:s.rnd.IntN(5)] {
		a := protocol.Argument{Name: name, Value: s.hostile(true)}
		if s.rnd.IntN(3) == 0 {
			a.Form = protocol.FormJSON
			marks, _ := json.Marshal(map[string]string{"a": s.hostile(true) + s.must(plainRequest)}) // strings always encode
			a.Value = pick(s.rnd, []string{
				"0", "-1.5e300", "12345678901234567890", "true", "null", `"007"`, `[]`, `{"a":[1,{"b":"c d"}]}`,
				"{\"a\":\n\t1 }", `" "`, string(marks),
			})
		}
		r.Arguments = append(r.Arguments, a)
	}
	return r
}

// definitions draws one to three definitions.
func (s *subject) definitions() []protocol.ToolDefinition {
	var list []protocol.ToolDefinition
	for i := range 1 + s.rnd.IntN(3) {
		d := protocol.ToolDefinition{
			ToolName: fmt.Sprintf("tool%d_method%d", s.rnd.IntN(100), i), Description: s.hostile(true),
		}
		if s.rnd.IntN(3) == 0 {
			d.Examples = []protocol.ToolRequest{s.request()}
		}
		for k := range s.rnd.IntN(4) {
			p := protocol.Parameter{
				Name: fmt.Sprintf("parameter%d", k), Type: pick(s.rnd, []string{"", "string", "integer", "array", "object"}),
				Required: s.rnd.IntN(2) == 0, Description: s.hostile(true),
			}
			p.Nullable = p.Type != "" && s.rnd.IntN(3) == 0
			switch s.rnd.IntN(5) {
			case 0:
				p.Default = json.RawMessage(`"</a> \u003cb"`)
			case 1:
				p.Enum = []json.RawMessage{json.RawMessage("1"), json.RawMessage(`"<x>"`)}
			case 2:
				p.Schema = json.RawMessage(`{"type":"array","items":{"type":"string","enum":["<a>"]},"maxItems":3}`)
			case 3:
				p.Schema = json.RawMessage("{\"minimum\":1,\n\"x\":\"<a>\"}")
			}
			d.Parameters = append(d.Parameters, p)
		}
		list = append(list, d)
	}
	return list
}

// read reads a whole reply.
func (s *subject) read(text string, o parser.Options) parser.Reply {
	o.Logger = quiet
	reply, err := parser.ParseToolRequests(s.Protocol, text, o)
	if err != nil {
		panic(failure{fmt.Errorf("reading %q failed: %w", text, err)})
	}
	return reply
}

// newParser returns a parser for the protocol.
func (s *subject) newParser(o parser.Options) *parser.Parser {
	p, err := parser.New(s.Protocol, o)
	if err != nil {
		panic(failure{err})
	}
	return p
}

func pick[T any](rnd *rand.Rand, of []T) T { return of[rnd.IntN(len(of))] }
