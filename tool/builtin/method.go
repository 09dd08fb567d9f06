package builtin

import (
	"context"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// newTool returns a tool whose definitions exist in English and Chinese.
func newTool(id, title, description string, methods ...func() (tool.Method, error)) (tool.Tool, error) {
	t := tool.Tool{ID: id, Title: title, Description: description, Owner: "builtin"}
	for _, method := range methods {
		m, err := method()
		if err != nil {
			return tool.Tool{}, err
		}
		tool.Translate("zh", chinese.BuiltinDefinitions)(&m)
		t.Methods = append(t.Methods, m)
	}
	return t, nil
}

// printer returns the printer for results of the call that ctx belongs to. Without a call it writes
// English.
func printer(ctx context.Context) message.Printer {
	language := "en"
	if call := tool.CallFrom(ctx); call != nil {
		language = call.Language
	}
	return chinese.Builtin.Printer(language)
}

// sentence returns a text of the catalog chinese.Builtin. It can be a value of another text.
func sentence(format string, values ...any) *message.Text {
	return chinese.Builtin.Text(format, values...)
}

// errorf returns a text of sentence as an error. The executor translates it.
func errorf(format string, values ...any) error { return sentence(format, values...) }

// joinErrors returns one error with the texts of all errors. It is nil if all are nil.
func joinErrors(errs ...error) (all error) {
	for _, err := range errs {
		switch {
		case all == nil:
			all = err
		case err != nil:
			all = errorf("%v; %v", all, err)
		}
	}
	return all
}

// plural returns a text such as "1 row" or "2 rows". The format is for one thing, such as "%d row".
func plural(n int, format string) message.Count { return chinese.Builtin.Count(n, format) }

// maxEcho limits how many characters of a value a message repeats.
const maxEcho = 100

// shorten truncates s; limit is in characters.
func shorten(s string, limit int) string { return text.TruncateRunes(s, limit) }
