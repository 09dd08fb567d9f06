package orderedjson

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachErrorIsTranslated(t *testing.T) {
	// For each function or method, the index of the argument that must be translated.
	messagetest.Check(t, chinese.OrderedJSON, map[string]int{"errorf": 0})
}
