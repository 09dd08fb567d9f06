package vcpplugin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/work"
)

func TestAReplyIsFoundWhenItsLastByteArrives(t *testing.T) {
	const ok = `{"status":"success","result":1}`
	for _, tt := range []struct{ name, before, reply string }{
		{"alone", "", ok},
		{"after objects", strings.Repeat("{\"a\":1}\n", 3), ok},
		{"after other output in the line", `3" disk {x} {} `, ok},
		{"after a byte order mark", "\xef\xbb\xbf", ok},
		{"after an open object", "{\"a\": {\n", ok},
		{"after an open string", "{\"a\": \"b\n", ok},
		{"after many braces", strings.Repeat("{", 1<<16) + "\n", ok},
		{"after deep nesting", strings.Repeat(`{"a":`, 1<<16) + "\n", ok},
		{
			"over several lines",
			"", "{\n  \"a\": {\"status\": \"success\"},\n  \"status\" :\n \"error\",\n  \"error\": [{\"b\": \"}\\\"\"}]\n}",
		},
		{"with escapes", "", `{"\u0053tatus":"succe\u0073s"}`},
		{"two members status", "", `{"status":"x","status":"error"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole := []byte(tt.before + tt.reply)
			var w replyWatch
			for n := range whole {
				require.False(t, w.found(whole[:n]), "%q", whole[:n])
			}
			assert.True(t, w.found(whole))
		})
	}
}

func TestNoReplyIsFoundInOtherOutput(t *testing.T) {
	for _, printed := range []string{
		"", "{}", `{"status":"ok"}`, `{"a":"status","b":"success"}`, `{"status":["success"]}`, `{"status":"success",}`,
		`"{\"status\":\"success\"`,
	} {
		assert.False(t, new(replyWatch).found([]byte(printed)), printed)
	}
}

// TestLawAFoundReplyCanBeRead prints random output byte by byte. If replyWatch finds a reply in it,
// findReply must find one, too. The result does not depend on the pieces of the output.
func TestLawAFoundReplyCanBeRead(t *testing.T) {
	parts := rapid.SampledFrom([]string{
		`{"status":"error","error":1}`, `{"status":"success"`, `"status"`, `:"error"`, `,"a":`, "{", "}", "[", "]",
		"\n", " ", `"`, `\`, "x", `{"a":1}`, ",",
	})
	rapid.Check(t, func(t *rapid.T) {
		whole := []byte(strings.Join(rapid.SliceOf(parts).Draw(t, "parts"), ""))
		var pieces replyWatch
		for n := range len(whole) + 1 {
			if pieces.found(whole[:n]) {
				_, ok := findReply(whole[:n])
				require.True(t, ok, "%q", whole[:n])
				require.True(t, new(replyWatch).found(whole))
				return
			}
		}
		require.False(t, new(replyWatch).found(whole))
	})
}

func TestWatchingTakesLinearWork(t *testing.T) {
	for name, outputOf := range map[string]func(n int) (before, line, after string){ // output with n times the line
		"lines after a long text": func(int) (string, string, string) { return strings.Repeat("x", 1<<14), "{\"a\":1}\n", "" },
		"open objects":            func(int) (string, string, string) { return "", "{\"a\":\n", "" },
		"nested objects": func(n int) (string, string, string) {
			return strings.Repeat("{\"status\":\"success\",\"a\":\n", n), ",}\n", ""
		},
		"a long reply in pieces": func(int) (string, string, string) {
			return `{"status":"success","result":[`, "{\"a\":1},\n", `0]}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			count := func(n int) int {
				before, line, after := outputOf(n)
				return work.Count(func() {
					var w replyWatch
					printed := []byte(before)
					w.found(printed)
					for range n {
						printed = append(printed, line...)
						w.found(printed)
					}
					w.found(append(printed, after...))
				})
			}
			few, many := count(1000), count(4000)
			assert.Positive(t, few)
			assert.LessOrEqual(t, many, 5*few)
		})
	}
}
