package provenance_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/protocol"
)

// conversation is what a user asks, and the results and calls after it.
type conversation struct {
	Name  string `yaml:"name"`
	User  string `yaml:"user"`
	Steps []step `yaml:"steps"`
}

// step is a text that a tool returned, or calls of the model.
type step struct {
	Read string                       `yaml:"read"`
	Call map[string]map[string]string `yaml:"call"` // the arguments, by the method's name
}

// readConversations reads a file of testdata, and replaces "{lines}" in it by sixtyLines.
func readConversations(t *testing.T, path string) []conversation {
	t.Helper()
	value, err := document.Load(path)
	require.NoError(t, err)
	var file struct {
		Conversations []conversation `yaml:"conversations"`
	}
	require.NoError(t, value.Decode(&file))
	for i := range file.Conversations {
		c := &file.Conversations[i]
		fill := strings.NewReplacer("{lines}", sixtyLines(strings.ContainsFunc(c.User, isHan)))
		for j := range c.Steps {
			c.Steps[j].Read = fill.Replace(c.Steps[j].Read)
			for _, arguments := range c.Steps[j].Call {
				for name := range arguments {
					arguments[name] = fill.Replace(arguments[name])
				}
			}
		}
	}
	return file.Conversations
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// sixtyLines returns a text that is as long as an ordinary file.
func sixtyLines(chinese bool) string {
	format := "Line %d of a document says what happened on day %d.\n"
	if chinese {
		format = "文档的第 %d 行写着第 %d 天发生的事情。\n"
	}
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, format, i+1, i*i+7)
	}
	return b.String()
}

func (s *step) requests() (list []protocol.ToolRequest) {
	for _, method := range slices.Sorted(maps.Keys(s.Call)) {
		req := protocol.ToolRequest{ToolName: method}
		for _, name := range slices.Sorted(maps.Keys(s.Call[method])) {
			req.Arguments = append(req.Arguments, protocol.Argument{Name: name, Value: s.Call[method][name]})
		}
		list = append(list, req)
	}
	return list
}
