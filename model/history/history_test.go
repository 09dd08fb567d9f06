package history_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/model/history"
	"github.com/vcpgo/vcp/protocol"
)

func message(role protocol.Role, text string) protocol.Message {
	return protocol.Message{Role: role, Content: text}
}

func system(text string) protocol.Message    { return message(protocol.RoleSystem, text) }
func user(text string) protocol.Message      { return message(protocol.RoleUser, text) }
func assistant(text string) protocol.Message { return message(protocol.RoleAssistant, text) }

type (
	reader = func(json.RawMessage) ([]protocol.Message, error)
	writer = func([]protocol.Message) (json.RawMessage, error)
)

// compact removes white space from JSON.
func compact(t *testing.T, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, raw))
	return b.String()
}

// The files in testdata are written by hand from the references of the two APIs. Each contains the
// input, the messages that are read from it, and these messages in the form of each API.
func TestHistoriesConvertToBothAPIs(t *testing.T) {
	for api, read := range map[string]reader{"openai": history.FromOpenAI, "anthropic": history.FromAnthropic} {
		t.Run(api, func(t *testing.T) {
			archive, err := txtar.ParseFile(filepath.Join("testdata", api+".txtar"))
			require.NoError(t, err)
			files := map[string][]byte{}
			for _, f := range archive.Files {
				files[f.Name] = f.Data
			}
			got, err := read(files["input.json"])
			require.NoError(t, err)
			var want []protocol.Message
			require.NoError(t, json.Unmarshal(files["ours.json"], &want))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("ours (-want +got):\n%s", diff)
			}
			for name, write := range map[string]writer{
				"openai.json": history.ToOpenAI, "anthropic.json": history.ToAnthropic,
			} {
				written, err := write(want)
				require.NoError(t, err)
				if diff := cmp.Diff(compact(t, files[name]), string(written)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			// A list of messages is read like a request that contains it.
			var request struct{ Messages json.RawMessage }
			require.NoError(t, json.Unmarshal(files["input.json"], &request))
			list, err := read(request.Messages)
			require.NoError(t, err)
			require.Equal(t, got[len(got)-len(list):], list)
		})
	}
}

func TestUnconvertibleHistoriesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, input string
		read        reader
		message     int // Error.Message
		says        string
	}{
		{"text that is not JSON", `hello`, history.FromOpenAI, -1, "neither a list"},
		{"a JSON text", `"hello"`, history.FromAnthropic, -1, "neither a list"},
		{"an unknown role", `[{"role":"user","content":"a"},{"role":"robot"}]`, history.FromOpenAI, 1, `role "robot"`},
		{"an older call", `[{"role":"assistant","function_call":{"name":"f"}}]`, history.FromOpenAI, 0, "tool_calls"},
		{
			"a sound", `[{"role":"user","content":[{"type":"input_audio"}]}]`, history.FromOpenAI, 0,
			`type "input_audio"`,
		},
		{
			"a call of another type", `[{"role":"assistant","tool_calls":[{"type":"custom"}]}]`, history.FromOpenAI,
			0, `type "custom"`,
		},
		{"a result without a call", `[{"role":"tool","content":"x"}]`, history.FromOpenAI, 0, "tool_call_id"},
		{"content that is a number", `[{"role":"user","content":3}]`, history.FromOpenAI, 0, "content"},
		{
			"content that is a number, for Anthropic", `[{"role":"user","content":3}]`, history.FromAnthropic, 0,
			"content",
		},
		{"a system prompt that is a number", `{"system":3,"messages":[]}`, history.FromAnthropic, -1, "system"},
		{"a message that is a text", `[{"role":"user","content":"a"},"b"]`, history.FromAnthropic, 1, "cannot be read"},
		{"a system message", `[{"role":"system","content":"x"}]`, history.FromAnthropic, 0, `role "system"`},
		{
			"a document", `[{"role":"user","content":[{"type":"document"}]}]`, history.FromAnthropic, 0,
			`type "document"`,
		},
		{
			"a call of the user", `[{"role":"user","content":[{"type":"tool_use"}]}]`, history.FromAnthropic, 0,
			`type "tool_use"`,
		},
		{
			"an image that is a file", `[{"role":"user","content":[{"type":"image","source":{"type":"file"}}]}]`,
			history.FromAnthropic, 0, `source "file"`,
		},
		{
			"an image that is not base64",
			`[{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"?"}}]}]`,
			history.FromAnthropic, 0, "base64",
		},
		{
			"a result without a call, for Anthropic", `[{"role":"user","content":[{"type":"tool_result"}]}]`,
			history.FromAnthropic, 0, "tool_use_id",
		},
		{
			"a system prompt with an image", `{"system":[{"type":"image"}],"messages":[]}`, history.FromAnthropic, -1,
			`type "image"`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.read(json.RawMessage(tt.input))
			var wrong *history.Error
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, tt.message, wrong.Message)
			require.Contains(t, wrong.Error(), tt.says)
		})
	}
	t.Run("arguments that are not an object", func(t *testing.T) {
		_, err := history.ToAnthropic([]protocol.Message{
			user("a"),
			{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{{ID: "a", Name: "f", Arguments: "{"}}},
		})
		var wrong *history.Error
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, 1, wrong.Message)
	})
	t.Run("results that are data", func(t *testing.T) {
		for _, write := range []writer{history.ToOpenAI, history.ToAnthropic} {
			_, err := write([]protocol.Message{
				user("a"),
				{Role: protocol.RoleUser, Results: []protocol.ToolResult{{Result: "x"}}},
			})
			var wrong *history.Error
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, 1, wrong.Message)
			require.ErrorContains(t, err, "Session.Render")
		}
	})
}

func TestALaterSystemMessageBecomesTheUsersForAnthropic(t *testing.T) {
	got, err := history.ToAnthropic([]protocol.Message{user("a"), assistant("b"), system("c")})
	require.NoError(t, err)
	require.Equal(t, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},`+
		`{"role":"user","content":"c"}]}`, string(got))
}

// drawHistory draws a conversation that Anthropic's API can express or, if anthropic is false,
// OpenAI's API. Only Anthropic's API marks failed results and accepts images in results. Only
// OpenAI's API has the detail of an image.
func drawHistory(rt *rapid.T, anthropic bool) []protocol.Message {
	text := rapid.OneOf(rapid.SampledFrom([]string{
		"", "a", "<b> & \u2028", "line\nline",
		"data:image/png;base64,cG5n",
	}), rapid.String())
	images := func(content string) []protocol.Image {
		var list []protocol.Image
		at := 0
		for range rapid.IntRange(0, 3).Draw(rt, "images") {
			at = rapid.IntRange(at, len(content)).Draw(rt, "at")
			for at < len(content) && !utf8.RuneStart(content[at]) {
				at++ // an image is between characters
			}
			i := protocol.Image{At: at}
			if rapid.Bool().Draw(rt, "url") {
				i.URL = rapid.SampledFrom([]string{
					"https://example.org/i.png", "data:image/png,%20",
					"data:;base64,eA==",
				}).Draw(rt, "url")
			} else {
				i.MediaType, i.Data = "image/png", rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(rt, "data")
			}
			if !anthropic {
				i.Detail = rapid.SampledFrom([]string{"", "low", "high"}).Draw(rt, "detail")
			}
			list = append(list, i)
		}
		return list
	}
	var list []protocol.Message
	for range rapid.IntRange(0, 2).Draw(rt, "system") {
		list = append(list, system(text.Draw(rt, "text")))
	}
	calls := 0
	for range rapid.IntRange(0, 6).Draw(rt, "turns") {
		m := user(text.Draw(rt, "text"))
		m.Images = images(m.Content)
		list = append(list, m)
		reply := assistant(text.Draw(rt, "text"))
		for range rapid.IntRange(0, 3).Draw(rt, "calls") {
			calls++
			reply.ToolCalls = append(reply.ToolCalls, protocol.ToolCall{
				ID: fmt.Sprint("c", calls), Name: rapid.StringMatching(`[a-z_]{1,9}`).Draw(rt, "name"),
				Arguments: rapid.SampledFrom([]string{
					`{}`, `{"b":1.50,"a":[null,"<"]}`,
					`{"é":{"":9007199254740993}}`,
				}).Draw(rt, "arguments"),
			})
		}
		list = append(list, reply)
		for _, c := range reply.ToolCalls {
			result := protocol.Message{Role: protocol.RoleTool, ToolCallID: c.ID, Content: text.Draw(rt, "result")}
			if anthropic {
				result.Failed = rapid.Bool().Draw(rt, "failed")
				result.Images = images(result.Content)
			}
			list = append(list, result)
		}
	}
	return list
}

// A law is a property that rapid checks with generated inputs.
func TestLawHistoriesReadBack(t *testing.T) {
	through := func(rt *rapid.T, messages []protocol.Message, write writer, read reader) []protocol.Message {
		raw, err := write(messages)
		require.NoError(rt, err)
		back, err := read(raw)
		require.NoError(rt, err)
		return back
	}
	requireSame := func(rt *rapid.T, want, got []protocol.Message) {
		if len(want) == 0 && len(got) == 0 {
			return
		}
		want = slices.Clone(want)
		for i := range want {
			want[i].Origin = protocol.OriginImport
		}
		require.Empty(rt, cmp.Diff(want, got))
	}
	t.Run("through OpenAI's form", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			messages := drawHistory(rt, false)
			requireSame(rt, messages, through(rt, messages, history.ToOpenAI, history.FromOpenAI))
		})
	})
	t.Run("through Anthropic's form", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			messages := drawHistory(rt, true)
			requireSame(rt, messages, through(rt, messages, history.ToAnthropic, history.FromAnthropic))
		})
	})
	t.Run("through both forms", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			messages := drawHistory(rt, false)
			for i := range messages {
				for j := range messages[i].Images {
					messages[i].Images[j].Detail = "" // Anthropic's API has no detail
				}
			}
			openAI := through(rt, messages, history.ToOpenAI, history.FromOpenAI)
			requireSame(rt, messages, through(rt, openAI, history.ToAnthropic, history.FromAnthropic))
		})
	})
}

func TestFromAnthropicKeepsAllText(t *testing.T) {
	raw := `[{"role":"user","content":[{"type":"text","text":"one"},
		{"type":"tool_result","tool_use_id":"x","content":"two"},{"type":"text","text":"three"}]}]`
	got, err := history.FromAnthropic(json.RawMessage(raw))
	require.NoError(t, err)
	var all []string
	for _, m := range got {
		all = append(all, string(m.Role)+" "+m.Content)
	}
	require.Equal(t, "tool two|user one\nthree", strings.Join(all, "|"))
}
