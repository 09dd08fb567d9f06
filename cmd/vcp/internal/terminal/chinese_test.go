package terminal

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachTextIsTranslated(t *testing.T) {
	// The numbers are the indexes of the arguments that are texts.
	messagetest.Check(t, chinese.Terminal, map[string]int{"Say": 0, "errorf": 0, "count": 1})
}
