package chat_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// long tells that whole suites are to run, and not a sample of them.
var long = os.Getenv("VCP_TEST_LONG") != ""

// A hostileStream is what a server sends in which one thing is repeated.
type hostileStream struct {
	name     string
	protocol protocol.Protocol
	preset   func(*model.Preset)
	calls    model.Calls
	replies  func(n int) []modelserver.Reply
}

// repeated are the things that a model may repeat, each as the pieces that it comes in.
var repeated = map[string][]string{
	"blanks":                   {" "},
	"tabs":                     {"\t"},
	"wide blanks":              {"\u3000"},
	"line feeds":               {"\n"},
	"carriage returns":         {"\r"},
	"line breaks in two parts": {"\r", "\n"},
	"lines":                    {"a", "\n"},
	"letters":                  {"a"},
	"byte order marks":         {"\ufeff"},
	"halves of a character":    {"\xe5\xad", "\x97"},
	"bytes that are no text":   {"\xff"},
	"angle brackets":           {"<"},
	"beginnings of a tag":      {"<thi"},
	"openings":                 {"<think>"},
	"closings":                 {"</think>"},
	"reasoning sections":       {"<think>", "a", "</think>"},
	"beginnings of a marker":   {"<<<[TOOL_REQ"},
	"markers":                  {"<<<[TOOL_REQUEST]>>>"},
	"ends":                     {"<<<[END_TOOL_REQUEST]>>>"},
	"definitions":              {"<<<[TOOL_DEFINITION]>>>"},
	"beginnings of a value":    {"「始"},
	"ends of a value":          {"「末」"},
	"fields":                   {"k:", "「始」", "v", "「末」"},
	"requests": {
		"<<<[TOOL_REQUEST]>>>", "tool_name:", "「始」t_echo「末」", "<<<[END_TOOL_REQUEST]>>>",
	},
	"requests in code":           {"`", "<<<[TOOL_REQUEST]>>>tool_name:「始」t_echo「末」<<<[END_TOOL_REQUEST]>>>", "`\n"},
	"calls":                      {"<tool_call>", `{"name":"t_echo","arguments":{}}`, "</tool_call>"},
	"openings of a call":         {"<tool_call>"},
	"beginnings of a call":       {"<tool_c"},
	"braces":                     {"{"},
	"brackets":                   {"["},
	"members":                    {`"a":`, `"b"`, ","},
	"quotation marks":            {`"`},
	"backslashes":                {`\`},
	"backticks":                  {"`"},
	"fences":                     {"```", "\n"},
	"quotations":                 {">"},
	"list items":                 {"- "},
	"digits":                     {"1"},
	"emphasis":                   {"*"},
	"the last lines once more":   {"k:「始」v「末」\n"},
	"and the beginning of these": {"k:「始」v"},
}

const (
	vcpBegin    = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」\nk:「始」v「末」\n"
	hermesBegin = "<tool_call>\n{\"name\": \"t_echo\", \"arguments\": {\"k\": \"v\", "
)

// pieces are n pieces, behind what comes first.
func pieces(unit []string, n int, first ...string) []string {
	list := slices.Clone(first)
	for i := range n {
		list = append(list, unit[i%len(unit)])
	}
	return list
}

func stops(pieces []string) []modelserver.Reply {
	return []modelserver.Reply{{Pieces: pieces, Finish: "stop"}}
}

// hostileStreams are all things in all places. of is what the engine reads in.
func hostileStreams() (list []hostileStream) {
	ownTags := func(p *model.Preset) { p.Reasoning.Open, p.Reasoning.Close = "[THINK]", "[/THINK]" }
	prefilled := func(p *model.Preset) { p.Reasoning.Prefilled = true }
	ownField := func(p *model.Preset) { p.Reasoning.Field = "thoughts" }
	for _, of := range []struct {
		protocol.Protocol
		begin, value, end string
	}{
		{vcp.Protocol{}, vcpBegin, "text:「始」only", "」\n<<<[END_TOOL_REQUEST]>>>"},
		{hermes.Protocol{}, hermesBegin, `"text": "only`, "}}</tool_call>"},
	} {
		add := func(name string, preset func(*model.Preset), replies func(n int) []modelserver.Reply) {
			list = append(list, hostileStream{name: of.ID() + "/" + name, protocol: of.Protocol, preset: preset, replies: replies})
		}
		for what, unit := range repeated {
			add("text/"+what, nil, func(n int) []modelserver.Reply { return stops(pieces(unit, n)) })
			add("text behind text/"+what, nil, func(n int) []modelserver.Reply { return stops(pieces(unit, n, "x")) })
			add("reasoning of the server/"+what, nil, func(n int) []modelserver.Reply {
				return []modelserver.Reply{{Reasoning: pieces(unit, n), Pieces: []string{"x"}, Finish: "stop"}}
			})
			add("reasoning in the text/"+what, nil, func(n int) []modelserver.Reply { return stops(pieces(unit, n, "<think>")) })
			add("marks of its own/"+what, ownTags, func(n int) []modelserver.Reply { return stops(pieces(unit, n)) })
			add("behind marks of its own/"+what, ownTags, func(n int) []modelserver.Reply { return stops(pieces(unit, n, "[THINK]")) })
			add("reasoning that the template opens/"+what, prefilled, func(n int) []modelserver.Reply { return stops(pieces(unit, n)) })
			add("request/"+what, nil, func(n int) []modelserver.Reply { return stops(pieces(unit, n, of.begin)) })
			add("value/"+what, nil, func(n int) []modelserver.Reply { return stops(pieces(unit, n, of.begin, of.value)) })
			add("continuation of a request/"+what, nil, func(n int) []modelserver.Reply {
				return []modelserver.Reply{modelserver.Length(of.begin), {Pieces: pieces(unit, n), Finish: "stop"}}
			})
			add("continuation of a value/"+what, nil, func(n int) []modelserver.Reply {
				return []modelserver.Reply{
					modelserver.Length(of.begin + of.value), {Pieces: pieces(unit, n), Finish: "length"}, {Pieces: pieces(unit, n), Finish: "stop"},
				}
			})
		}
		add("continuation of a long reply/lines", nil, func(n int) []modelserver.Reply {
			lines := strings.Repeat("a\n", 4000) + of.begin
			return []modelserver.Reply{{Pieces: []string{lines}, Finish: "length"}, {Pieces: pieces([]string{"a", "\n"}, n), Finish: "stop"}}
		})
	}
	return append(slices.Concat(list, hostileBodies(ownField)), hostileCalls()...)
}

// hostileBodies are odd bodies, sent byte by byte.
func hostileBodies(ownField func(*model.Preset)) (list []hostileStream) {
	const (
		begin = `data: {"choices":[{"delta":{"content":"`
		end   = "\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	)
	add := func(name string, preset func(*model.Preset), body func(n int) string) {
		list = append(list, hostileStream{name: "body/" + name, protocol: vcp.Protocol{}, preset: preset, replies: func(n int) []modelserver.Reply {
			return []modelserver.Reply{{Raw: body(n), Chunk: 1}}
		}})
	}
	around := func(thing string) func(int) string {
		return func(n int) string { return strings.Repeat(thing, n/len(thing)) + begin + "x" + end }
	}
	add("a long line", nil, func(n int) string { return begin + strings.Repeat("x", n) + end })
	add("blank lines", nil, around("\n"))
	add("carriage returns", nil, around("\r"))
	add("comments", nil, around(":\n"))
	add("a long comment", nil, func(n int) string { return ":" + strings.Repeat("x", n) + "\n\n" + begin + "x" + end })
	add("other fields", nil, around("id: 1\n"))
	add("empty data", nil, around("data:\n"))
	add("data of many lines", nil, func(n int) string {
		return "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\ndata: \"finish_reason\":\"stop\"}]\n" + strings.Repeat("data: \n", n/16) + strings.Repeat("data:  \ndata:,\"a\":1\n", n/32) + "data:}\n\n"
	})
	add("an error of many lines", nil, func(n int) string { return "event: error\n" + strings.Repeat("data: x\n", n/8) + "\n" })
	add("values that end no event", nil, func(n int) string { return strings.Repeat("data: {\"a\":1}\n", n/14) + begin + "x" + end })
	add("usage", nil, func(n int) string {
		return begin + "x\"}}]}\n\n" + strings.Repeat("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\n", n/50) + "data: [DONE]\n\n"
	})
	add("a reply in one piece", nil, func(n int) string {
		return `{"choices":[{"message":{"content":"` + strings.Repeat(" ", n) + `"},"finish_reason":"stop"}]}`
	})
	for name, preset := range map[string]func(*model.Preset){"": nil, " with a member of its own for reasoning": ownField} {
		list := func(thing string) func(int) string {
			return func(n int) string {
				return `data: {"choices":[` + strings.Repeat(thing+",", n/(len(thing)+1)) + "{}]}\n\n" + begin + "x" + end
			}
		}
		add("choices"+name, preset, list(`{"delta":{"content":"x"}}`))
	}
	add("parts", nil, func(n int) string {
		return `data: {"choices":[{"delta":{"content":[` + strings.Repeat(`{"text":"x"},`, n/13) + `{}]},"finish_reason":"stop"}]}` + "\n\n"
	})
	return list
}

// hostileCalls are native calls in many pieces.
func hostileCalls() (list []hostileStream) {
	add := func(name string, first, piece string) {
		line := func(call string) string { return `data: {"choices":[{"delta":{"tool_calls":[` + call + "]}}]}\n\n" }
		list = append(list, hostileStream{
			name: "native call/" + name, protocol: vcp.Protocol{}, calls: model.CallsNative,
			replies: func(n int) []modelserver.Reply {
				return []modelserver.Reply{{
					Raw: line(first) + strings.Repeat(line(piece), n) + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
				}}
			},
		})
	}
	const first = `{"index":0,"id":"a","function":{"name":"t_echo","arguments":"{\"text\":\""}}`
	add("arguments byte by byte", first, `{"index":0,"function":{"arguments":"x"}}`)
	add("the name with each piece", strings.Replace(first, `"id":"a",`, "", 1), `{"index":0,"function":{"name":"t_echo","arguments":"x"}}`)
	add("the name with each blank", strings.Replace(first, `"id":"a",`, "", 1), `{"index":0,"function":{"name":"t_echo","arguments":" "}}`)
	add("brackets", `{"function":{"name":"t_echo","arguments":"["}}`, `{"function":{"name":"t_echo","arguments":"["}}`)
	add("values one after the other", `{"function":{"name":"t_echo","arguments":"{}x"}}`, `{"function":{"name":"t_echo","arguments":"{}"}}`)
	add("digits", `{"function":{"name":"t_echo","arguments":"1"}}`, `{"function":{"name":"t_echo","arguments":"1"}}`)
	add("an id for each piece", first, `{"index":0,"id":"b","function":{"arguments":"x"}}`)
	return list
}

// cost is what it takes to read a reply from the server to the events of a conversation.
type cost struct {
	looked    int // bytes that are looked at, those looked at again counted again
	allocated int // bytes
	sent      int // bytes of the bodies
}

func (s hostileStream) cost(t *testing.T, n int) (c cost) {
	replies := s.replies(n)
	for _, r := range replies {
		c.sent += len(r.Body(true))
	}
	for range 8 { // what else the engine may ask for
		replies = append(replies, modelserver.Text("x"))
	}
	server, client := modelserver.Pipe(t, replies...)
	defer server.Close()
	preset := model.DefaultPreset()
	if s.preset != nil {
		s.preset(&preset)
	}
	m, err := model.New(model.Options{
		BaseURL: server.URL, Model: "scripted", HTTPClient: client, Preset: &preset, Calls: s.calls, Retries: -1, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{fn(t, "echo", func(_ context.Context, in in) (string, error) { return in.Text, nil })}}))
	e, err := engine.New(engine.Options{
		Registry: reg, Protocols: []protocol.Protocol{s.protocol}, Model: m, Config: engine.DefaultConfig(),
		Reading: preset.Reading(), Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	conversation, err := chat.New(e, chat.Options{ID: "test"})
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.looked = work.Count(func() {
		for range conversation.Send(t.Context(), "go") {
		}
	})
	runtime.ReadMemStats(&after)
	c.allocated = int(after.TotalAlloc - before.TotalAlloc)
	return c
}

// How much more four times as much may cost, and how often a byte of the body may be looked at on its way. Each byte is looked at as
// part of a line, of an event and of a value; the reply in it by the parser.
const (
	maxGrowth = 4 * 1.25
	maxLooked = 32
)

// Time is in proportion to what a server sends, on the whole way from the body to the events, whatever it sends.
func TestWorkIsInProportionToWhatIsSent(t *testing.T) {
	const n = 1000
	streams := hostileStreams()
	slices.SortFunc(streams, func(a, b hostileStream) int { return strings.Compare(a.name, b.name) })
	for _, s := range streams {
		t.Run(s.name, func(t *testing.T) {
			base, small, large := s.cost(t, 1), s.cost(t, n), s.cost(t, 4*n)
			told := fmt.Sprintf("of %d and %d bytes %d and %d are looked at, and %d and %d allocated beside %d",
				small.sent, large.sent, small.looked, large.looked, small.allocated, large.allocated, base.allocated)
			if float64(large.looked-base.looked) > maxGrowth*float64(small.looked-base.looked)+1000 || large.looked > maxLooked*large.sent {
				t.Error("looked at too often: ", told)
			}
			if float64(large.allocated-base.allocated) > maxGrowth*float64(small.allocated-base.allocated)+100_000 {
				t.Error("too much is allocated: ", told)
			}
		})
	}
}
