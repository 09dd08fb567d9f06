package tabular

import (
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
)

// Error is the error for a file that cannot be read as a table, and for a query that does not fit
// the table or exceeds a limit. It says what is wrong and what to do, in English and Chinese.
type Error struct{ *message.Text }

// sentence returns a text in English and Chinese. chinese.Tabular contains the translation of each
// format.
func sentence(format string, values ...any) *message.Text {
	return chinese.Tabular.Text(format, values...)
}

// errorf returns a text of sentence as an *Error.
func errorf(format string, values ...any) error { return &Error{sentence(format, values...)} }

// formatErrorf returns an *Error for the file with the given name. The format says what is wrong.
func formatErrorf(name, format string, values ...any) error {
	return errorf("%q %v", name, sentence(format, values...))
}
