package configuration

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachTextOfAConfigurationErrorIsTranslated(t *testing.T) {
	texts := []string{ // the texts that are not literals in a call of Text
		"empty", "a list", "a mapping", "a path", "a mapping of arguments",
		"one of them; write another entry for the other",
		"a mapping with commands or plugins or mcp or mcpServers", "the id of a protocol",
		`a duration with a unit, such as "30s" or "500ms"`, `"allow", "ask" or "deny"`, `"read", "write" or "dangerous"`,
		`decision: "allow", "ask" or "deny", with any of tool: an id, method: a full name, risk: "read", "write" or "dangerous"`,
	}
	for _, f := range Fields {
		texts = append(texts, f.Allowed)
	}
	// For each function or method, the index of the argument that must be translated.
	messagetest.CheckDirectories(t, []string{"../../../../engine"}, chinese.Configuration,
		map[string]int{"Text": 0}, texts...)
}
