package schema

import (
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// piece is an element of a list that is written as text.
type piece struct {
	text     string
	end      rune // the separator after the text: a comma or a line break; 0 for the last piece
	indented bool // blanks precede the text
	tight    bool // the separator touches this piece and the next one
}

// quoted reports whether the piece begins with a quotation mark.
func (p piece) quoted() bool { return p.text != "" && (p.text[0] == '"' || p.text[0] == '\'') }

const lineBreak = '\n'

// splitList splits a text at commas and line breaks outside of quotation marks. All pieces but the
// last end in the same separator. Only the last piece may be empty, after a comma.
func splitList(text string) (pieces []piece, doubt phrase) {
	start := 0
	for start < len(text) || len(pieces) > 0 && pieces[len(pieces)-1].end != 0 {
		length, end, width, doubt := nextPiece(text[start:])
		if doubt != "" {
			return nil, doubt
		}
		raw, rest := text[start:start+length], text[start+length+width:]
		p := piece{text: strings.TrimSpace(raw), end: end}
		p.indented = raw != strings.TrimLeft(raw, " \t\u3000")
		p.tight = end != lineBreak && raw == strings.TrimRight(raw, " \t") && rest == strings.TrimLeft(rest, " \t\r\n")
		if start += length + width; p.text == "" && end == lineBreak {
			continue // a blank line, or the line ended in a comma
		}
		pieces = append(pieces, p)
	}
	for _, p := range pieces[:len(pieces)-1] {
		switch {
		case p.text == "":
			return nil, phrase("an element is missing")
		case p.end != pieces[0].end && (p.end == lineBreak || pieces[0].end == lineBreak):
			return nil, phrase("some of its lines have commas and some do not")
		case p.end != pieces[0].end:
			return nil, phrase("it has two kinds of commas")
		}
	}
	return pieces, ""
}

// nextPiece measures the text before the next separator, and the separator.
func nextPiece(text string) (length int, end rune, width int, doubt phrase) {
	i := len(text) - len(strings.TrimLeft(text, " \t"))
	if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		_, rest, err := readQuoted(text[i:])
		if err != nil {
			return 0, 0, 0, phrase("quotation marks stay open")
		}
		i = len(text) - len(rest)
	}
	for j, c := range text[i:] {
		switch c {
		case ',', '，', '、', lineBreak:
			return i + j, c, utf8.RuneLen(c), ""
		case '\r':
			return i + j, lineBreak, 1, ""
		}
	}
	return len(text), 0, 0, ""
}

// readQuoted reads the string in single or double quotation marks that begins a text.
func readQuoted(text string) (s, rest string, err error) {
	r := orderedjson.Reader{Repair: true}
	return r.ReadString(text)
}
