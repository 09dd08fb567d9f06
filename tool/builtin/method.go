package builtin

import (
	"context"
	"encoding/json"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// newTool returns a tool whose definitions and errors exist in English and Chinese. Its owner is
// this package, for errors about duplicate names.
func newTool(id, title, description string, methods ...func() (tool.Method, error)) (tool.Tool, error) {
	t := tool.Tool{ID: id, Title: title, Description: description, Owner: "builtin"}
	for _, method := range methods {
		m, err := method()
		if err != nil {
			return tool.Tool{}, err
		}
		tool.Translate("zh", chinese.BuiltinDefinitions)(&m)
		handler, preview := m.Handler, m.Preview
		m.Handler = func(ctx context.Context, call *tool.Call) (tool.Output, error) {
			out, err := handler(ctx, call)
			return out, inLanguage(call.Language, err)
		}
		if preview != nil {
			m.Preview = func(ctx context.Context, arguments json.RawMessage) (string, error) {
				shown, err := preview(ctx, arguments)
				return shown, inLanguage(languageOf(ctx), err)
			}
		}
		t.Methods = append(t.Methods, m)
	}
	return t, nil
}

// languageOf returns the language of the call that ctx belongs to. It is "" if there is no call.
func languageOf(ctx context.Context) string {
	if call := tool.CallFrom(ctx); call != nil {
		return call.Language
	}
	return ""
}

// printer returns the printer for results of the call that ctx belongs to.
func printer(ctx context.Context) message.Printer { return chinese.Builtin.Printer(languageOf(ctx)) }

// translatedError is an error in another language than English.
type translatedError struct {
	error
	text string
}

func (e *translatedError) Error() string { return e.text }
func (e *translatedError) Unwrap() error { return e.error }

// inLanguage returns an error whose text is in a language.
func inLanguage(language string, err error) error {
	if err == nil {
		return nil
	}
	if text := message.In(err, language); text != err.Error() {
		return &translatedError{err, text}
	}
	return err
}

// sentence returns a text of the catalog, or a part of one.
func sentence(format string, values ...any) *message.Text {
	return chinese.Builtin.Text(format, values...)
}

// errorf returns a text of the catalog as an error.
func errorf(format string, values ...any) error { return sentence(format, values...) }

// plural is a number of things. The format is for one thing: "%d row" also writes "2 rows".
func plural(n int, format string) message.Count { return chinese.Builtin.Count(n, format) }

// maxEcho is how many characters a message repeats of a request.
const maxEcho = 100

// cut truncates s to limit characters.
func cut(s string, limit int) string { return text.TruncateRunes(s, limit) }
