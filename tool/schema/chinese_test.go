package schema

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachPhraseIsTranslated(t *testing.T) {
	// For each function or method, the index of the argument that must be translated.
	messagetest.Check(t, chinese.Schema, map[string]int{"say": 0, "phrase": 0, "count": 1})
}
