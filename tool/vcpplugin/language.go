package vcpplugin

import "github.com/vcpgo/vcp/internal/chinese"

// say returns a text for the model: in Chinese if language is "zh", else in English.
func say(language, format string, values ...any) string {
	return chinese.VCPPlugin.Printer(language).Say(format, values...)
}
