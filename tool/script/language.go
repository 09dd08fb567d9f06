package script

import (
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
)

// errorf returns a text for the model, in English and Chinese, as an error.
func errorf(format string, values ...any) *message.Text {
	return chinese.Script.Text(format, values...)
}
