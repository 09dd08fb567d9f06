package cli

import (
	"cmp"
	"os"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
)

// Language returns the language of the user's locale: "zh" for Chinese, and "en" for any other.
func Language() string {
	if strings.HasPrefix(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")), "zh") {
		return "zh"
	}
	return "en"
}

// Message returns a text that exists in English and Chinese. It is also an error, which wraps those
// of its values that are errors.
func Message(format string, values ...any) *message.Text {
	return chinese.CommandLine.Text(format, values...)
}
