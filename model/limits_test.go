package model_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

const (
	// maxMemoryPerByte is how many bytes may be allocated for each byte of a response, copies
	// included.
	maxMemoryPerByte = 32
	// requestMemory is how many bytes a request may allocate in addition.
	requestMemory = 1 << 20
)

// Any value takes memory in proportion to its length.
func TestUnracedValuesTakeLittleMemory(t *testing.T) {
	longtest.SkipIfRaced(t)
	const size = 512 << 10
	fill := func(thing string) string { return strings.Repeat(thing, size/len(thing)) }
	choice := func(member string) string { return `{"choices":[{"message":{` + member + `},"finish_reason":"stop"}]}` }
	choiceOfCalls := `{"message":{"tool_calls":[` + fill("{},")[:size/48*3] + "{}]}}," // a sixteenth of the size
	for _, tt := range []struct{ name, body string }{
		{"text", choice(`"content":"` + fill("x") + `"`)},
		{"escapes", choice(`"content":"` + fill(`\u0000`) + `"`)},
		{"choices", `{"choices":[` + fill("{},") + "{}]}"},
		{"choices that are numbers", `{"choices":[` + fill("0,") + "0]}"},
		{"choices of calls", `{"choices":[` + strings.Repeat(choiceOfCalls, 15) + "{}]}"},
		{"calls", choice(`"tool_calls":[` + fill("{},") + "{}]")},
		{"calls that are null", choice(`"tool_calls":[` + fill("null,") + "null]")},
		{"parts", choice(`"content":[` + fill("{},") + "{}]")},
		{"parts of text", choice(`"content":[` + fill(`{"text":"x"},`) + "{}]")},
		{"an error", `{"error":[` + fill("0,") + `0]}`},
		{"an error of white space", `{"error":[` + fill("0 ,") + `0]}`},
		{"usage", `{"choices":[],"usage":{"prompt_tokens":` + fill("1") + "}}"},
		{"usage of members", `{"choices":[],"usage":{` + fill(`"a":0,`) + `"a":0}}`},
		{"members", "{" + fill(`"a":0,`) + `"a":0}`},
		// 9000 is below 10,000, the depth at which encoding/json refuses a value.
		{"brackets", `{"choices":[],"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + fill(" ") + "}"},
		{"members for reasoning", choice(fill(`"thoughts":"x",`) + `"thoughts":"x"`)},
		{"different members", choice(fill(`"a":"x",`) + `"thoughts":"x"`)},
	} {
		for _, form := range []struct{ name, prefix, suffix string }{
			{"whole", "", ""}, {"in a stream", "data: ", "\n\n"},
		} {
			t.Run(tt.name+" "+form.name, func(t *testing.T) {
				body := form.prefix + tt.body + form.suffix
				server := modelserver.Start(t, modelserver.Raw("", body))
				preset := model.DefaultPreset()
				preset.Reasoning.Field = "thoughts"
				c := newClient(t, model.Options{BaseURL: server.URL, Model: "m", Preset: &preset})
				allocated := memorytest.Allocated(func() {
					_, _ = ask(t.Context(), c, engine.ModelRequest{}) // the value may be refused
				})
				require.LessOrEqual(t, allocated, maxMemoryPerByte*len(body)+requestMemory)
			})
		}
	}
}

func TestUnracedLongResponsesAreRefused(t *testing.T) {
	longtest.SkipIfRaced(t)
	megabyte := strings.Repeat("x", 1<<20)
	const noPiece = "more than 67108864 bytes without a piece of a reply"
	for _, tt := range []struct {
		name  string
		reply modelserver.Reply
		want  string // a part of the error
	}{
		{"a line", modelserver.Reply{Raw: "data: ", Endless: megabyte}, "more than 4194304 bytes in one piece"},
		{
			"a response in one piece",
			modelserver.Reply{Raw: "{", Endless: megabyte},
			"more than 16777216 bytes in one piece",
		},
		// Without Raw, the server would write a reply of its own; ":\n" is a comment in a stream.
		{"comments", modelserver.Reply{Raw: ":\n", Endless: ":" + megabyte + "\n"}, noPiece},
		{"blank lines at the start", modelserver.Reply{Raw: "\n", Endless: strings.Repeat("\n", 1<<20)}, noPiece},
		{"values without content", modelserver.Reply{
			Raw:     ":\n",
			Endless: `data: {"choices":[{"delta":{"other":"` + megabyte + "\"}}]}\n\n",
		}, noPiece},
		{"usage", modelserver.Reply{
			Raw:     ":\n",
			Endless: `data: {"choices":[],"usage":{"prompt_tokens":1},"other":"` + megabyte + "\"}\n\n",
		}, noPiece},
		{
			"an error",
			modelserver.Reply{Raw: "event: error\n", Endless: "data: " + megabyte + "\n"},
			"more than 4194304 bytes in one piece",
		},
		{"a failure", modelserver.Reply{Status: http.StatusBadRequest, Raw: "x", Endless: megabyte}, "400 Bad Request"},
		{"a header", modelserver.Reply{Raw: "data: [DONE]\n\n", Header: http.Header{"X-Long": {megabyte}}}, "header"},
		{"a native call", modelserver.Reply{
			Raw: ":\n",
			Endless: `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"a","arguments":"` +
				megabyte + "\"}}]}}]}\n\n",
		}, "more than 4194304 bytes of arguments"},
		{"native calls", modelserver.Reply{
			Raw: ":\n", Endless: `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"a","arguments":"{}` +
				megabyte + `"}},{"function":{"name":"b"}}]}}]}` + "\n\n",
		}, "native calls of more than 16777216 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == noPiece && tt.name != "comments" && !longtest.Enabled() {
				t.Skip(`"make test" runs only one of the cases that read 64 MiB`)
			}
			server := modelserver.Start(t, tt.reply)
			c := newClient(t, model.Options{BaseURL: server.URL, Model: "m"})
			_, err := ask(t.Context(), c, engine.ModelRequest{})
			require.ErrorContains(t, err, tt.want)
		})
	}
	t.Run("a list of models", func(t *testing.T) {
		server := modelserver.Start(t)
		server.SetModels(strings.Repeat("x", 5<<20))
		_, err := newClient(t, model.Options{BaseURL: server.URL}).Models(t.Context())
		require.ErrorContains(t, err, "more than 4194304 bytes")
	})
}
