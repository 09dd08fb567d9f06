package terminal

import (
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/parser"
)

// phrases writes the texts of this package in one language.
type phrases struct {
	message.Printer
	language string
}

func phrasesIn(language string) phrases { return phrases{chinese.Terminal.Printer(language), language} }

// notice returns the text of a notice. The parser's own text is English and names details.
func (p phrases) notice(n *parser.Notice) string {
	if p.language == "en" {
		return Visible(n.Message)
	}
	switch n.Code {
	case parser.NoticeMalformedRequest:
		return p.Say("what looks like a request could not be read")
	case parser.NoticeUnrunRequest:
		return p.Say("a request in code, in a quotation or in reasoning was not run")
	case parser.NoticeForeignRequest:
		return p.Say("a request in another form was not run")
	case parser.NoticeUnreadRequests:
		return p.Say("requests past a limit were not read")
	}
	return Visible(n.Message)
}

// errorf returns an error that exists in English and Chinese.
func errorf(format string, values ...any) *message.Text {
	return chinese.Terminal.Text(format, values...)
}

// count formats a number with its noun, such as "1 byte" or "2 bytes". format is the singular, such
// as "%d byte".
func count(n int, format string) message.Count { return chinese.Terminal.Count(n, format) }
