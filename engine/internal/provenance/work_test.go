package provenance_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// maxGrowth limits how much the work may grow if the input is four times as large. Quadratic work
// would grow by 16.
const maxGrowth = 5

// The work grows with the texts and the requests, not with their product.
func TestUnracedWorkIsLinear(t *testing.T) {
	longtest.SkipIfRaced(t)
	hostile := map[string]func(i int) string{
		"prose": func(i int) string {
			return fmt.Sprintf("line %d of a text that a tool returned, with files_write in it\n", i)
		},
		"requests": func(i int) string {
			return written(vcp.Protocol{}, request("files_read", "path", fmt.Sprint(i, ".txt")))
		},
		"beginnings":          func(int) string { return "<<<[TOOL_REQUEST]>>>\n" },
		"tags":                func(int) string { return "<tool_call>\n{\"name\": " },
		"objects":             func(int) string { return `{"name":` },
		"closed objects":      func(int) string { return strings.Repeat(`{"name":`, 50) + strings.Repeat("}", 50) },
		"objects after marks": func(int) string { return `<invoke name="a">{` },
		"calls of one string": func(int) string { return `files_write(path="` },
		"calls of a list":     func(int) string { return `files_write(path=[1,` },
		"calls without end":   func(int) string { return "files_write(" },
		"lines":               func(int) string { return "tool_name: files_write\npath: a\n\n" },
		"one line":            func(int) string { return "tool_name: files_write " },
		"actions":             func(int) string { return "Action: files_write\nAction Input: {" },
		"pairs":               func(int) string { return "tool_name:「始」files_write「末」path:「始」" },
		"objects in a string": func(int) string { return `"{\"name\":` },
		"escapes":             func(int) string { return `\\\\u003c` },
		"functions":           func(int) string { return "<function=a>" },
		"the copied text":     func(int) string { return "files_write " + body + "\n" },
		"the text, no name":   func(int) string { return body + "\n" },
	}
	for name, line := range hostile {
		t.Run(name, func(t *testing.T) {
			examined := func(n int) int {
				return work.Count(func() {
					m := newMemory()
					for i := range n {
						m.AddForeign(page, strings.Repeat(line(i), 8))
						if i%8 == 0 {
							copied(m, request("files_write", "path", "elsewhere.txt", "content", body))
						}
					}
				})
			}
			small, large := examined(64), examined(256)
			require.Positive(t, small)
			require.LessOrEqual(t, large, maxGrowth*small)
		})
	}
}

// The work of one request grows with the foreign text and the request, not with their product.
func TestUnracedWorkOfARequestIsLinear(t *testing.T) {
	longtest.SkipIfRaced(t)
	const phrase = "the quick brown fox jumps"
	withList := func(n int, value func(i int) string) protocol.ToolRequest {
		list := make([]string, n)
		for i := range list {
			list[i] = value(i)
		}
		raw, _ := json.Marshal(list)
		return request("files_write", "path", "elsewhere.txt", "content", string(raw))
	}
	for name, makeRequest := range map[string]func(n int) protocol.ToolRequest{
		"a list of equal words": func(n int) protocol.ToolRequest { return withList(n, func(int) string { return phrase }) },
		"a list of different words": func(n int) protocol.ToolRequest {
			return withList(n, func(i int) string { return fmt.Sprint("line ", i, " of filler") })
		},
		"many arguments": func(n int) protocol.ToolRequest {
			req := request("files_write")
			for i := range n {
				req.Arguments = append(req.Arguments, protocol.Argument{Name: fmt.Sprint("a", i), Value: phrase})
			}
			return req
		},
	} {
		t.Run(name, func(t *testing.T) {
			examined := func(n int) int {
				m := newMemory()
				m.AddForeign(page, "files_write is a method")
				m.AddForeign(page, strings.Repeat("pad ", 1000))
				for i := range n {
					m.AddForeign(page, phrase+strings.Repeat(fmt.Sprintf("line %d of filler\n", i), 50))
				}
				copied(m, request("files_write", "path", "elsewhere.txt", "content", "x")) // indexes the foreign text
				return work.Count(func() { copied(m, makeRequest(n)) })
			}
			small, large := examined(64), examined(256)
			require.Positive(t, small)
			require.LessOrEqual(t, large, maxGrowth*small)
		})
	}
}

// The work of Values grows with the foreign text and the arguments, not with their product.
func TestUnracedWorkOfValuesIsLinear(t *testing.T) {
	longtest.SkipIfRaced(t)
	for name, host := range map[string]string{"values of foreign text": "page", "the model's own values": "own"} {
		t.Run(name, func(t *testing.T) {
			examined := func(n int) int {
				m, note := newMemory(), ""
				for i := range n {
					m.AddForeign(page, fmt.Sprintf("See http://page%d.test/%d/ in line %d\n", i, i, i))
					note += fmt.Sprintf("http://%s%d.test/%d/ ", host, i, i)
				}
				arguments, err := json.Marshal(map[string]string{"note": note})
				require.NoError(t, err)
				m.Values(json.RawMessage("{}")) // indexes the foreign text
				return work.Count(func() { m.Values(arguments) })
			}
			small, large := examined(256), examined(1024)
			require.Positive(t, small)
			require.LessOrEqual(t, large, maxGrowth*small)
		})
	}
}
