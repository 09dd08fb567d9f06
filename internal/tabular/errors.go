package tabular

import (
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
)

// FormatError is the error for a file that cannot be read as a table. It says what is wrong and
// what to do, in English and Chinese.
type FormatError struct{ *message.Text }

// formatErrorf returns a *FormatError for the file with the given name. The format says what is
// wrong.
func formatErrorf(name, format string, values ...any) error {
	return &FormatError{sentence("%q %v", name, sentence(format, values...))}
}

// QueryError is the error for a query that does not fit the table or exceeds a limit. It says what
// is wrong and what to do, in English and Chinese.
type QueryError struct{ *message.Text }

// sentence returns a text in English and Chinese. chinese.Tabular contains the translation of each
// format.
func sentence(format string, values ...any) *message.Text {
	return chinese.Tabular.Text(format, values...)
}

func queryErrorf(format string, values ...any) error { return &QueryError{sentence(format, values...)} }
