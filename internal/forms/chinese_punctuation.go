package forms

import "strings"

// withASCIIPunctuation returns JSON with ASCII quotation marks, colons and commas in place of
// Chinese ones. It does not change the content of strings.
func withASCIIPunctuation(text string) string {
	if !strings.ContainsAny(text, "“”：，") {
		return text
	}
	var b strings.Builder
	var closers string // characters that end the open string; "" outside of strings
	escaped := false
	for _, c := range text {
		switch {
		case closers != "" && escaped:
			escaped = false
			b.WriteRune(c)
		case closers != "" && c == '\\':
			escaped = true
			b.WriteRune(c)
		case closers != "" && strings.ContainsRune(closers, c):
			closers = ""
			b.WriteByte('"')
		case closers != "" && c == '"':
			b.WriteString(`\"`)
		case closers != "":
			b.WriteRune(c)
		case c == '"':
			closers = `"`
			b.WriteByte('"')
		case c == '“' || c == '”':
			closers = "“”"
			b.WriteByte('"')
		case c == '：':
			b.WriteByte(':')
		case c == '，':
			b.WriteByte(',')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// valueQuotes are pairs of quotation marks that models write around the value in a line such as
// "name: value".
var valueQuotes = [...][2]string{{"“", "”"}, {"「", "」"}, {"『", "』"}, {"‘", "’"}, {"'", "'"}}

// unquoted returns a value without the quotation marks around it. A value with further quotation
// marks inside, and the markers 「始」 and 「末」, stay as they are.
func unquoted(value string) string {
	for _, quotes := range valueQuotes {
		inner, opened := strings.CutPrefix(value, quotes[0])
		inner, closed := strings.CutSuffix(inner, quotes[1])
		if opened && closed && !strings.ContainsAny(inner, "“”「」『』‘’'") && inner != "始" && inner != "末" {
			return inner
		}
	}
	return value
}
