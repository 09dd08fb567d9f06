package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
	"github.com/vcpgo/vcp/tool"
)

// TestOwnMethodsAreDescribedInChinese checks the definitions of tools_search and results_read.
func TestOwnMethodsAreDescribedInChinese(t *testing.T) {
	var texts []string
	registry := tool.NewRegistry()
	for _, build := range []func() (tool.Tool, error){newSearchTool, newResultsTool} {
		own, err := build()
		require.NoError(t, err)
		require.NoError(t, registry.Register(own))
	}
	for _, e := range registry.Entries() {
		english, translated := e.Definition("en"), e.Definition("zh")
		require.Equal(t, chinese.EngineDefinitions[english.Description], translated.Description)
		texts = append(texts, english.Description)
		for i, p := range english.Parameters {
			require.Equal(t, chinese.EngineDefinitions[p.Description], translated.Parameters[i].Description)
			texts = append(texts, p.Description)
		}
	}
	messagetest.CheckTexts(t, chinese.EngineDefinitions, texts)
}
