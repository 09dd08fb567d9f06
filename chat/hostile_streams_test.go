package chat_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A hostileStream is the stream of a server in which one text is repeated.
type hostileStream struct {
	name     string
	protocol protocol.Protocol // nil means vcp
	preset   func(*model.Preset)
	calls    model.Calls
	bodies   func(n int) []string // of the replies; the longest is in proportion to n
	chunk    int                  // how many bytes of a body are sent at a time; 0 means all
}

// repeatedTexts are texts that a model may repeat. Each is streamed in its pieces.
var repeatedTexts = []struct {
	name   string
	pieces []string
}{
	{"blanks", []string{" "}},
	{"line feeds", []string{"\n"}},
	{"beginnings of a tag", []string{"<thi"}},
	{"beginnings of a marker", []string{"<<<[TOOL_REQ"}},

	{"tabs", []string{"\t"}},
	{"wide blanks", []string{"\u3000"}},
	{"carriage returns", []string{"\r"}},
	{"line breaks in two parts", []string{"\r", "\n"}},
	{"lines", []string{"a", "\n"}},
	{"letters", []string{"a"}},
	{"byte order marks", []string{"\ufeff"}},
	{"angle brackets", []string{"<"}},
	{"opening reasoning tags", []string{"<think>"}},
	{"closing reasoning tags", []string{"</think>"}},
	{"reasoning sections", []string{"<think>", "a", "</think>"}},
	{"opening markers", []string{"<<<[TOOL_REQUEST]>>>"}},
	{"closing markers", []string{"<<<[END_TOOL_REQUEST]>>>"}},
	{"markers of definitions", []string{"<<<[TOOL_DEFINITION]>>>"}},
	{"beginnings of a value", []string{"「始"}},
	{"ends of a value", []string{"「末」"}},
	{"fields", []string{"k:", "「始」", "v", "「末」"}},
	{"requests", []string{"<<<[TOOL_REQUEST]>>>", "tool_name:", "「始」t_echo「末」", "<<<[END_TOOL_REQUEST]>>>"}},
	{"requests in code", []string{"`", "<<<[TOOL_REQUEST]>>>tool_name:「始」t_echo「末」<<<[END_TOOL_REQUEST]>>>", "`\n"}},
	{"calls", []string{"<tool_call>", `{"name":"t_echo","arguments":{}}`, "</tool_call>"}},
	{"opening call tags", []string{"<tool_call>"}},
	{"beginnings of a call tag", []string{"<tool_c"}},
	{"braces", []string{"{"}},
	{"brackets", []string{"["}},
	{"members", []string{`"a":`, `"b"`, ","}},
	{"quotation marks", []string{`"`}},
	{"backslashes", []string{`\`}},
	{"backticks", []string{"`"}},
	{"fences", []string{"```", "\n"}},
	{"quotations", []string{">"}},
	{"list items", []string{"- "}},
	{"digits", []string{"1"}},
	{"emphasis", []string{"*"}},
	// The VCP request of hostileStreams ends with this line, which a continuation may repeat.
	{"the last line of the request", []string{"k:「始」v「末」\n"}},
	{"the beginning of the last line of the request", []string{"k:「始」v"}},
}

// alwaysRepeated is how many of repeatedTexts, from the first on, are tried at every place, even
// if the test runs as a sample.
const alwaysRepeated = 4

// body returns an event stream: one event for each piece, in the given member of its delta, and a
// finish reason, unless finish is "".
func body(member, finish string, pieces ...string) string {
	var b strings.Builder
	for _, piece := range pieces {
		text, _ := json.Marshal(piece) // strings always encode
		b.WriteString(`data: {"choices":[{"delta":{"` + member + `":` + string(text) + "}}]}\n\n")
	}
	if finish != "" {
		b.WriteString(`data: {"choices":[{"delta":{},"finish_reason":"` + finish + `"}]}` + "\n\n")
	}
	return b.String()
}

// times returns the pieces in first and then n more, which are those of repeated in turn.
func times(repeated []string, n int, first ...string) []string {
	list := slices.Clone(first)
	for i := range n {
		list = append(list, repeated[i%len(repeated)])
	}
	return list
}

// A place is a position in the replies of a server. A text is repeated at that position.
type place struct {
	name   string
	preset func(*model.Preset)
	bodies func(repeated []string, n int) []string // of the replies; the longest has n pieces of repeated
}

// after returns the place in a text that follows the pieces in first.
func after(name string, preset func(*model.Preset), first ...string) place {
	return place{name, preset, func(repeated []string, n int) []string {
		return []string{body("content", "stop", times(repeated, n, first...)...)}
	}}
}

// places returns all places. begin is the beginning of a request, and value the beginning of a
// value in it.
func places(begin, value string) []place {
	ownTags := func(p *model.Preset) { p.Reasoning.Open, p.Reasoning.Close = "[THINK]", "[/THINK]" }
	prefilled := func(p *model.Preset) { p.Reasoning.Prefilled = true }
	return []place{
		after("text", nil),
		after("after text", nil, "x"),
		after("reasoning in the text", nil, "<think>"),
		after("before the model's own reasoning tags", ownTags),
		after("reasoning in the model's own tags", ownTags, "[THINK]"),
		after("reasoning that the template opens", prefilled),
		after("request", nil, begin),
		after("value", nil, begin, value),
		{"reasoning of the server", nil, func(repeated []string, n int) []string {
			return []string{body("reasoning_content", "stop", times(repeated, n)...)}
		}},
		{"continuation of a request", nil, func(repeated []string, n int) []string {
			return []string{body("content", "length", begin), body("content", "stop", times(repeated, n)...)}
		}},
		{"continuation of a value", nil, func(repeated []string, n int) []string {
			continuation := times(repeated, n)
			return []string{
				body("content", "length", begin, value), body("content", "length", continuation...),
				body("content", "stop", continuation...),
			}
		}},
		{"continuation of a long reply", nil, func(repeated []string, n int) []string {
			return []string{
				// The text is so long that the parser drops its beginning from memory.
				body("content", "length", strings.Repeat("a\n", 4000), begin),
				body("content", "stop", times(repeated, n)...),
			}
		}},
	}
}

// hostileStreams returns a stream for each of repeatedTexts at each place. The sample omits 11 of
// 12 streams for the texts after the first alwaysRepeated. hostileStreams also returns the streams
// of hostileBodies and hostileCalls.
func hostileStreams() (list []hostileStream) {
	for _, form := range []struct {
		protocol     protocol.Protocol
		begin, value string
	}{
		{vcp.Protocol{}, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」\nk:「始」v「末」\n", "text:「始」only"},
		{hermes.Protocol{}, "<tool_call>\n{\"name\": \"t_echo\", \"arguments\": {\"k\": \"v\", ", `"text": "only`},
	} {
		for i, place := range places(form.begin, form.value) {
			for j, repeated := range repeatedTexts {
				if !longtest.Enabled() && j >= alwaysRepeated && (i+j)%12 > 0 {
					continue
				}
				list = append(list, hostileStream{
					name:     form.protocol.ID() + "/" + place.name + "/" + repeated.name,
					protocol: form.protocol, preset: place.preset,
					bodies: func(n int) []string { return place.bodies(repeated.pieces, n) },
				})
			}
		}
	}
	return slices.Concat(list, hostileBodies(), hostileCalls())
}

// hostileBodies returns odd bodies, sent byte by byte. A text is repeated in each.
func hostileBodies() (list []hostileStream) {
	fill := func(n int, piece string) string { return strings.Repeat(piece, n/len(piece)) }
	whole := body("content", "stop", "x")
	// before returns a body with a repeated piece before a whole reply.
	before := func(piece string) func(int) string { return func(n int) string { return fill(n, piece) + whole } }
	// choices returns a body with a long choice after a few short ones. The short ones together
	// have at most n/10 bytes, so the long one takes most of the body.
	choices := func(n int) string {
		const shortChoice = `{"delta":{"content":"x"}},`
		short := strings.Repeat(shortChoice, min(n/10/len(shortChoice), 15))
		return `data: {"choices":[` + short + `{"delta":{"content":"` + fill(n, "x") + `"}}]}` + "\n\n" + whole
	}
	for _, b := range []struct {
		name  string
		body  func(n int) string
		field string // Reasoning.Field of the preset
	}{
		{name: "a long line", body: func(n int) string { return body("content", "stop", fill(n, "x")) }},
		{name: "blank lines", body: before("\n")},
		{name: "carriage returns", body: before("\r")},
		{name: "comments", body: before(":\n")},
		{name: "a long comment", body: func(n int) string { return ":" + fill(n, "x") + "\n\n" + whole }},
		{name: "other fields", body: before("id: 1\n")},
		{name: "empty data", body: before("data:\n")},
		{name: "data of many lines", body: func(n int) string {
			return "data: {\"choices\":[]\n" + fill(n, "data:,\"a\":1\n") + "data:}\n\n" + whole
		}},
		{name: "an error of many lines", body: func(n int) string {
			return "event: error\n" + fill(n, "data: x\n") + "\n"
		}},
		{name: "values that end no event", body: before("data: {\"a\":1}\n")},
		{name: "usage", body: before("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\n")},
		{name: "a reply in one piece", body: func(n int) string {
			return `{"choices":[{"message":{"content":"` + fill(n, " ") + `"},"finish_reason":"stop"}]}`
		}},
		{name: "choices", body: choices},
		{name: "choices, if the preset names a field for reasoning", body: choices, field: "thoughts"},
		{name: "parts", body: func(n int) string {
			return `data: {"choices":[{"delta":{"content":[` + fill(n, `{"text":"x"},`) + "{}]}}]}\n\n" + whole
		}},
	} {
		preset := func(p *model.Preset) { p.Reasoning.Field = b.field }
		// The factor makes a body so long that the parser drops the beginning from memory.
		bodies := func(n int) []string { return []string{b.body(16 * n)} }
		list = append(list, hostileStream{name: "body/" + b.name, preset: preset, chunk: 1, bodies: bodies})
	}
	return list
}

// hostileCalls returns native calls in many pieces.
func hostileCalls() (list []hostileStream) {
	for _, c := range []struct{ name, first, piece string }{
		{
			"arguments byte by byte", `"index":0,"id":"a","function":{"name":"t_echo","arguments":"{\"text\":\""}`,
			`"index":0,"function":{"arguments":"x"}`,
		},
		{
			"the name with each piece", `"function":{"name":"t_echo","arguments":"{\"text\":\""}`,
			`"function":{"name":"t_echo","arguments":"x"}`,
		},
		{
			"the name with each blank", `"function":{"name":"t_echo","arguments":"{\"text\":"}`,
			`"function":{"name":"t_echo","arguments":" "}`,
		},
		{"brackets", `"function":{"name":"t_echo","arguments":"["}`, `"function":{"name":"t_echo","arguments":"["}`},
		{
			"values one after the other", `"function":{"name":"t_echo","arguments":"{}x"}`,
			`"function":{"name":"t_echo","arguments":"{}"}`,
		},
		{"digits", `"function":{"name":"t_echo","arguments":"1"}`, `"function":{"name":"t_echo","arguments":"1"}`},
		{
			"an id for each piece", `"index":0,"id":"a","function":{"name":"t_echo","arguments":"{\"text\":\""}`,
			`"index":0,"id":"b","function":{"arguments":"x"}`,
		},
	} {
		line := func(call string) string { return `data: {"choices":[{"delta":{"tool_calls":[{` + call + "}]}}]}\n\n" }
		bodies := func(n int) []string {
			return []string{line(c.first) + strings.Repeat(line(c.piece), n) + body("content", "stop")}
		}
		list = append(list, hostileStream{name: "native call/" + c.name, calls: model.CallsNative, bodies: bodies})
	}
	return list
}
