package conversation

import (
	"testing"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachTextIsTranslated(t *testing.T) {
	others := []string{
		cli.ErrInterrupted.Error(), workspace.NoMethods(engine.Config{Enabled: true}).Error(), workspace.NoMethods(engine.Config{}).Error(),
	}
	for _, command := range slashCommands() {
		others = append(others, command.about)
	}
	messagetest.Check(t, chinese.Conversation, map[string]int{"Say": 0, "errorf": 0}, others...)
}
