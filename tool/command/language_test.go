//go:build unix

package command_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/message/messagetest"
	"github.com/vcpgo/vcp/tool"
)

func TestEachTextIsTranslated(t *testing.T) {
	// The number is the index of the argument that is the text.
	messagetest.Check(t, chinese.Command, map[string]int{"Text": 0, "argumentError": 1})
}

// TestProblemsAreTranslated checks that a model with a Chinese prompt reads no English sentence
// about a program that failed.
func TestProblemsAreTranslated(t *testing.T) {
	for name, tt := range map[string]struct{ fields, arguments string }{
		"exit status": {"        run: [sh, -c, exit 3]\n", `{}`},
		"much output": {"        run: [sh, -c, 'while :; do echo 0123456789012345678901234567890123456789; done']\n", `{}`},
		"no result":   {"        run: [echo, '{\"files\": []}']\n        output: json\n", `{}`},
		"two results": {"        run: [echo, '{\"output\": 1} 2']\n        output: json\n", `{}`},
		"a file":      {"        run: [echo, '{\"output\": 1, \"files\": [{\"data\": \"\"}]}']\n", `{}`},
		"a directory": {"        run: [echo, '{\"output\": 1, \"files\": [{\"path\": \".\"}]}']\n", `{}`},
		"an option":   {"        run: [echo, '${a}']\n        parameters: {properties: {a: {}}}\n", `{"a":"-x"}`},
		"NUL":         {"        run: [echo, '${a}']\n        parameters: {properties: {a: {}}}\n", `{"a":"\u0000"}`},
	} {
		t.Run(name, func(t *testing.T) {
			m := method(t, t.TempDir(), tt.fields)
			_, err := m.Handler(t.Context(), &tool.Call{
				ID: "1", Arguments: json.RawMessage(tt.arguments), Language: "zh", Progress: func(string) {},
			})
			require.Error(t, err)
			text := message.In(err, "zh")
			assert.NotRegexp(t, `[A-Za-z]+ [a-z]+ [a-z]+`, text)
			assert.Regexp(t, `\p{Han}`, text)
		})
	}
}
