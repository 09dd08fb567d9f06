package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/engine/internal/injectiontest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

var allProtocols = []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}}

func readAttacks(t testing.TB) []injectiontest.Attack {
	return injectiontest.Read(t, "../testdata/injection/payloads.txt")
}

// longAttack is the length in bytes above which an attack is tried less often in a short run.
const longAttack = 5000

// echo is one way in which a model repeats the messages that it is shown.
type echo struct {
	name     string
	reply    func(shown []protocol.Message) string
	quoted   parser.QuotedPolicy // what happens to quoted requests of the reply
	allCases bool                // a long run tries this echo with each attack, place and protocol
}

// hermesContent begins the text of a result in the Hermes protocol.
const hermesContent = `"content": "`

var echoes = []echo{
	{name: "all messages", allCases: true, reply: func(shown []protocol.Message) string {
		var all []string
		for _, m := range shown {
			all = append(all, m.Content)
		}
		return strings.Join(all, "\n")
	}},
	{name: "the last message", reply: lastMessage},
	{name: "the last line", allCases: true, reply: func(shown []protocol.Message) string {
		lines := strings.FieldsFunc(shown[len(shown)-1].Content, func(r rune) bool { return r == '\n' || r == '\r' })
		return strings.Join(lines[max(0, len(lines)-1):], "")
	}},
	{name: "the result alone", reply: func(shown []protocol.Message) string {
		text := shown[len(shown)-1].Content
		if at := strings.LastIndex(text, "\nresult:「始"); at >= 0 { // in the VCP dialect
			_, text, _ = strings.Cut(text[at:], "」")
		}
		if at := strings.LastIndex(text, hermesContent); at >= 0 {
			text = text[at+len(hermesContent):]
		}
		for _, end := range []string{"「末", "\"}\n</tool_response>"} { // of the VCP dialect and of Hermes
			if at := strings.LastIndex(text, end); at >= 0 {
				text = text[:at]
			}
		}
		return text
	}},
	{name: "two messages as one", reply: func(shown []protocol.Message) string {
		text := shown[len(shown)-1].Content
		if len(shown) > 1 {
			text = shown[len(shown)-2].Content + text
		}
		return text
	}},
	{name: "the last message without fences and blockquote marks", reply: func(shown []protocol.Message) string {
		var b strings.Builder
		for line := range strings.Lines(shown[len(shown)-1].Content) {
			line = strings.TrimLeft(line, "> \t|")
			if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
				b.WriteString(strings.Trim(line, "`"))
			}
		}
		return b.String()
	}},
	{name: "the last message from its first mark on", reply: func(shown []protocol.Message) string {
		text := shown[len(shown)-1].Content
		return text[max(0, strings.IndexAny(text, "<&＜《「{\\")):]
	}},
	{name: "the second half of the system message", reply: func(shown []protocol.Message) string {
		lines := strings.Split(shown[0].Content, "\n")
		return strings.Join(lines[len(lines)/2:], "\n")
	}},
	{
		name: "a fence whose requests run", allCases: true, quoted: parser.QuotedRun,
		reply: func(shown []protocol.Message) string { return "```\n" + lastMessage(shown) + "\n```" },
	},
}

func lastMessage(shown []protocol.Message) string { return shown[len(shown)-1].Content }

// targets reports whether the attack applies to the protocol: the attack contains marks of that
// protocol, or no marks of any protocol.
func targets(a injectiontest.Attack, p protocol.Protocol) bool {
	hasMarks := func(p protocol.Protocol) bool { return p.Neutralize(a.Text) != a.Text }
	return hasMarks(p) || !slices.ContainsFunc(allProtocols, hasMarks)
}
