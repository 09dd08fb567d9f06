package vcp

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// valueEndRunes is how many characters at the end of an unclosed value are searched for parts
	// of a closer (V9).
	valueEndRunes = 6
	closerWords   = "末终終完"
	closerMarks   = "「」『』【】｢｣"
	allBrackets   = "()[]{}<>（）［］｛｝＜＞「」『』【】｢｣《》〈〉〔〕〖〗"
	commas        = ",，、،﹐﹑､︐︑՝߸፣᠂᠈꓾꘍꛵⸁⸲⸴⹁⹌"
	separators    = commas + ";；؛⁏፤︔﹔"
)

// endsWhole reports whether an unclosed value looks complete: it ends without a separator or parts
// of a closer (V9).
func endsWhole(value []byte) bool {
	value = bytes.TrimRightFunc(value, unicode.IsSpace)
	if len(value) == 0 {
		return true
	}
	last, _ := utf8.DecodeLastRune(value)
	if strings.ContainsRune(separators, last) {
		return false
	}
	isOutside := func(r rune) bool { return strings.ContainsRune(allBrackets, r) || unicode.IsSpace(r) }
	inner := bytes.TrimRightFunc(value, isOutside)
	if last, _ := utf8.DecodeLastRune(inner); len(inner) > 0 && strings.ContainsRune(closerWords+separators, last) {
		return false
	}
	tail := value
	for range valueEndRunes {
		_, n := utf8.DecodeLastRune(tail)
		tail = tail[:len(tail)-n]
	}
	tail = value[len(tail):]
	return !bytes.ContainsAny(tail, closerMarks) && !bytes.Contains(tail, []byte("{末"))
}
