package tabular

import (
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
)

// FormatError is the error for a file that is not a table. It says what is wrong and how to fix it,
// in English and Chinese.
type FormatError struct{ *message.Text }

// formatErrorf refuses a file of that name. The format says why.
func formatErrorf(name, format string, values ...any) error {
	return &FormatError{sentence("%q %v", name, sentence(format, values...))}
}

// QueryError is the error for a query that a table cannot answer. It says what is wrong, and the
// way out, in English and Chinese.
type QueryError struct{ *message.Text }

// sentence returns a text of this package, or a part of one.
func sentence(format string, values ...any) *message.Text {
	return chinese.Tabular.Text(format, values...)
}

func queryErrorf(format string, values ...any) error { return &QueryError{sentence(format, values...)} }
