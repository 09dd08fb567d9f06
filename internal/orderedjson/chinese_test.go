package orderedjson

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachErrorIsTranslated(t *testing.T) {
	// The numbers are the indexes of the arguments that are texts.
	messagetest.Check(t, chinese.OrderedJSON, map[string]int{"errorf": 0})
}
