package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// IsTerminal reports whether a standard stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// steers reports whether a character can control a terminal: control characters other than line
// feeds and tabs, and bidirectional controls.
func steers(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Bidi_Control)
}

// Printable removes control characters and bidirectional controls from foreign text, so that the
// text cannot control a terminal. It keeps line breaks and tabs. It also keeps the invisible
// characters that people use in writing, such as joiners and variation selectors of emoji.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if steers(r) {
			return -1
		}
		return r
	}, text)
}

// TextOutput returns a writer for text that may be foreign. A terminal gets what Printable leaves.
// A file and a program get the text as it is. The writer's errors are OutputErrors.
func TextOutput(out io.Writer) io.Writer {
	if !IsTerminal(out) {
		return Output{out}
	}
	return &runeWriter{out: Output{out}, replacement: func(rune) string { return "" }}
}

// JSONOutput returns a writer for JSON. It writes the characters that Printable removes as escapes
// of JSON, and a carriage return as a blank. The meaning of the JSON stays the same. The writer's
// errors are OutputErrors.
func JSONOutput(out io.Writer) io.Writer {
	return &runeWriter{out: Output{out}, replacement: func(r rune) string {
		if r == '\r' { // valid JSON contains carriage returns only where a blank may stand
			return " "
		}
		return fmt.Sprintf(`\u%04x`, r)
	}}
}

// runeWriter writes text to out with a replacement for each character that steers a terminal.
// U+FFFD replaces bytes that are not UTF-8, because some terminals read them as control characters.
type runeWriter struct {
	out         io.Writer
	replacement func(rune) string
	rest        []byte // the beginning of a character that the next Write completes
}

// Write writes p. It reports all of p as written, unless out fails.
func (w *runeWriter) Write(p []byte) (int, error) {
	text := append(w.rest, p...) //nolint:gocritic // rest is replaced below
	var b bytes.Buffer
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		if steers(r) {
			b.WriteString(w.replacement(r))
		} else {
			b.WriteRune(r)
		}
		text = text[size:]
	}
	w.rest = bytes.Clone(text)
	if _, err := w.out.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}
