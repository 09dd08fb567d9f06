package demomodel

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachSentenceIsTranslated(t *testing.T) {
	// For each function or method, the index of the argument that must be translated.
	messagetest.Check(t, chinese.DemoModel, map[string]int{"say": 0})
}
