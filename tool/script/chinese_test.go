package script

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachTextIsTranslated(t *testing.T) {
	// The number is the index of the argument that is the text.
	messagetest.Check(t, chinese.Script, map[string]int{"errorf": 0})
	messagetest.CheckTexts(t, chinese.ScriptDefinitions, []string{description, "the body of an async function"})
}
