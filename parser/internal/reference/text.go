package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineEnd returns where the line of p ends, without its line break.
func lineEnd(text string, p int) int {
	if n := strings.IndexAny(text[p:], "\r\n"); n >= 0 {
		return p + n
	}
	return len(text)
}

// lineStart returns where the line of p begins.
func lineStart(text string, p int) int {
	for p > 0 && !isLineStart(text, p) {
		p--
	}
	return p
}

// isLineStart reports whether a line begins at p. A byte order mark at the start of the message is
// not part of its first line (C5).
func isLineStart(text string, p int) bool {
	if p == 0 || p == len("\ufeff") && strings.HasPrefix(text, "\ufeff") {
		return true
	}
	return text[p-1] == '\n' || text[p-1] == '\r' && (p == len(text) || text[p] != '\n')
}

// skipLineBreak returns the offset after a line break at p, if there is one.
func skipLineBreak(text string, p int) int {
	if strings.HasPrefix(text[p:], "\r\n") {
		return p + 2
	}
	if p < len(text) && (text[p] == '\n' || text[p] == '\r') {
		return p + 1
	}
	return p
}

// wideBlanks are the blanks of sections 2 and 3; zeroWidth means nothing before a key (F10).
const (
	wideBlanks = " \t\u3000"
	zeroWidth  = "\u200b\u200c\u200d\u2060\ufeff"
)

func isBlankText(s string) bool { return strings.Trim(s, " \t") == "" }

// isBlankWide reports whether s is only the blanks of section 2.
func isBlankWide(s string) bool { return strings.Trim(s, wideBlanks) == "" }

// isBlankLines reports whether s is only blanks and line breaks.
func isBlankLines(s string) bool { return strings.Trim(s, " \t\r\n") == "" }

func isSpaceText(s string) bool { return strings.TrimFunc(s, unicode.IsSpace) == "" }

// In the text of a line requestSign stands for a request, and tagSign for a reasoning tag or a
// section. Both are noncharacters of Unicode, which no tested text contains.
const (
	requestSign = "\U0010fffe"
	tagSign     = "\U0010ffff"
)

// afterSign returns the text of a line after the last of the signs in it.
func afterSign(line, signs string) string {
	if at := strings.LastIndexAny(line, signs); at >= 0 {
		return line[at+len(requestSign):]
	}
	return line
}

// isEmphasis reports whether s contains only blanks, emphasis and requests.
func isEmphasis(s string) bool { return strings.Trim(s, " \t　*_~"+requestSign) == "" }

// isSeparator reports whether c is a comma or a semicolon of any script.
func isSeparator(c rune) bool { return isComma(c) || strings.ContainsRune(";；؛⁏፤︔﹔", c) }

func isComma(c rune) bool {
	return strings.ContainsRune(",，、،﹐﹑､︐︑՝߸፣᠂᠈꓾꘍꛵⸁⸲⸴⹁⹌", c)
}

// isLetter reports whether c is an ASCII letter. c|0x20 is its lower case.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// beginsTagName reports whether the name of a tag in another form may begin with c (B7).
func beginsTagName(c byte) bool { return isLetter(c) || c >= utf8.RuneSelf }

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// cutBlank removes one blank of sections 2 and 3 from the start of s, and reports whether s began
// with one.
func cutBlank(s string) (string, bool) {
	for _, b := range []string{" ", "\t", "　"} {
		if after, ok := strings.CutPrefix(s, b); ok {
			return after, true
		}
	}
	return s, false
}
