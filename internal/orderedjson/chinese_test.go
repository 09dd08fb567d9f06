package orderedjson

import (
	"testing"

	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachErrorIsTranslated(t *testing.T) {
	messagetest.Check(t, chinese, map[string]int{"errorf": 0})
}
