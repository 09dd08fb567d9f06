package schema

import (
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// listItem is an element of a plain list, which is a list without JSON, before the element is read:
// the text between two separators.
type listItem struct {
	text     string
	end      rune // the separator after the text: a comma or a line break; 0 for the last item
	indented bool // blanks precede the text
	tight    bool // no blanks are between this item, the comma after it and the next item
}

// quoted reports whether the item begins with a quotation mark.
func (p listItem) quoted() bool { return p.text != "" && (p.text[0] == '"' || p.text[0] == '\'') }

const lineBreak = '\n'

// splitList splits a text, which must not be blank, at commas and line breaks outside of quotation
// marks. All items but the last end in the same separator. Only the last item may be empty, after a
// comma at the end. A refusal says why the text cannot be split in this way.
func splitList(text string) (items []listItem, refusal phrase) {
	start := 0
	for start < len(text) || len(items) > 0 && items[len(items)-1].end != 0 {
		length, end, width, refusal := nextItem(text[start:])
		if refusal != "" {
			return nil, refusal
		}
		raw, rest := text[start:start+length], text[start+length+width:]
		p := listItem{text: strings.TrimSpace(raw), end: end}
		p.indented = raw != strings.TrimLeft(raw, " \t\u3000")
		p.tight = end != lineBreak && raw == strings.TrimRight(raw, " \t") && rest == strings.TrimLeft(rest, " \t\r\n")
		if start += length + width; p.text == "" && end == lineBreak {
			continue // a blank line, or the line ended in a comma
		}
		items = append(items, p)
	}
	for _, p := range items[:len(items)-1] {
		switch {
		case p.text == "":
			return nil, phrase("an element is missing")
		case p.end != items[0].end && (p.end == lineBreak || items[0].end == lineBreak):
			return nil, phrase("some of its lines have commas and some do not")
		case p.end != items[0].end:
			return nil, phrase("it has two kinds of commas")
		}
	}
	return items, ""
}

// nextItem returns the length of the text before the next separator, the separator, and the length
// of the separator, in bytes.
func nextItem(text string) (length int, end rune, width int, refusal phrase) {
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
		case '\r': // a line feed after it seems to end a blank line, which splitList skips
			return i + j, lineBreak, 1, ""
		}
	}
	return len(text), 0, 0, ""
}

// readQuoted reads the string in single or double quotation marks at the beginning of a text. rest
// is the text after the string.
func readQuoted(text string) (s, rest string, err error) {
	r := orderedjson.Reader{Repair: true}
	return r.ReadString(text)
}
