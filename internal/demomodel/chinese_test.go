package demomodel

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachSentenceIsTranslated(t *testing.T) {
	// The numbers are the indexes of the arguments that are texts.
	messagetest.Check(t, chinese.DemoModel, map[string]int{"say": 0})
}
