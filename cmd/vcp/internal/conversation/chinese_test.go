package conversation

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachTextIsTranslated(t *testing.T) {
	var abouts []string
	for _, command := range slashCommands() {
		abouts = append(abouts, command.about)
	}
	// For each function or method, the index of the argument that must be translated.
	messagetest.Check(t, chinese.Conversation, map[string]int{"Say": 0, "errorf": 0, "count": 1}, abouts...)
}
