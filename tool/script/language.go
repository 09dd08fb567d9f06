package script

import (
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
)

// errorf returns a text for the model, which is also an error. It exists in English and Chinese.
func errorf(format string, values ...any) *message.Text {
	return chinese.Script.Text(format, values...)
}
