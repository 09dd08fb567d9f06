package vcp

import (
	"strings"
	"unicode/utf8"
)

// Text that a tool returns is neutralized before a model sees it. So the model can quote the text
// without making a call (docs/dialect.md, section 7). Every marker, in any spelling that any level
// accepts, and every opener of a value gets one more _ESCAPE. Reading removes exactly one _ESCAPE.

// cores are words. Every marker contains one of them.
var cores = [...]string{"REQUEST", "RESULT", "DEFINITION"}

// nextCore returns the start and end of the next TOOL_REQUEST, TOOL_RESULT or TOOL_DEFINITION in
// s[from:], or -1 and -1 if s[from:] has no such word. It accepts any letter case and every
// separator that some level accepts.
func nextCore(s string, from int) (at, end int) {
	for i := from; i < len(s); i++ {
		o := strings.IndexAny(s[i:], "tT")
		if o < 0 {
			break
		}
		i += o
		if len(s)-i < len("TOOL_RESULT") || !strings.EqualFold(s[i:i+4], "TOOL") {
			continue
		}
		j := i + 4
		if s[j] == '\\' {
			j++
		}
		if c := s[j]; c != '_' && c != ' ' && c != '\t' && c != '-' {
			continue
		}
		j++
		for _, w := range cores {
			if len(s)-j >= len(w) && strings.EqualFold(s[j:j+len(w)], w) {
				return i, j + len(w)
			}
		}
	}
	return -1, -1
}

// angleBefore reports whether the end of s, before a core, opens a marker: an angle bracket in any
// spelling, and then only what may precede the core.
func angleBefore(s string) bool {
	cut := func(suffixes ...string) {
		for _, x := range suffixes {
			if len(s) >= len(x) && strings.EqualFold(s[len(s)-len(x):], x) {
				s = s[:len(s)-len(x)]
				return
			}
		}
	}
	cut(`END\_`, "END_", "END ", "END\t", "END-", "/")
	cut(" ", "\t")
	cut(`\[`, "[", "【", "［")
	cut(" ", "\t")
	for _, angle := range [...]string{"<", "＜", "《", "&lt;"} {
		if strings.HasSuffix(s, angle) {
			return true
		}
	}
	return false
}

const (
	// beforeCore are the characters that a marker may contain after its angle brackets, up to the
	// end of its words.
	beforeCore = " \t\\[【［/_-ENDTOLRQUSFIendtolrqusfi"
	// angleCharacters are those of angle brackets. The letters of &lt; are in beforeCore.
	angleCharacters = "<＜《&;"
	// afterCore are the characters that may follow the words of a marker.
	afterCore = " \t\\]】］>＞》&"
	// maxEdgeMark limits the part of a mark that is searched for at either end of a text, in bytes.
	maxEdgeMark = 64
)

// mayBeginMark reports whether the end of s may be the beginning of a mark.
func mayBeginMark(s string) bool {
	if r, n := utf8.DecodeLastRuneInString(s); endsInBracket(s) || r == utf8.RuneError && n == 1 {
		return true // also if s ends in part of a character, which may belong to a mark
	}
	s = s[max(0, len(s)-maxEdgeMark):]
	s = s[strings.LastIndexAny(s, "\r\n")+1:]
	for _, angle := range [...]string{"<", "＜", "《", "&lt;"} {
		if at := strings.LastIndex(s, angle); at >= 0 && strings.Trim(s[at+len(angle):], beforeCore) == "" {
			return true
		}
	}
	return strings.HasSuffix(s, "&") || strings.HasSuffix(s, "&l") || strings.HasSuffix(s, "&lt")
}

// mayEndMark reports whether the start of s may be the end of a mark.
func mayEndMark(s string) bool {
	s = s[:min(len(s), maxEdgeMark)] // may now end in part of a character, which no word contains
	if n := strings.IndexAny(s, "\r\n"); n >= 0 {
		s = s[:n]
	}
	if s != "" && !utf8.RuneStart(s[0]) || strings.HasPrefix(s[leadingBlank([]byte(s)):], wordOpen) {
		return true
	}
	if at, end := nextCore(s, 0); at >= 0 && strings.Trim(s[:at], angleCharacters+beforeCore) == "" {
		return !hasEscapeSuffix(s[end:])
	}
	for end, c := range s {
		if end > 0 && strings.ContainsRune(afterCore, c) && endsCore(s[:end]) {
			return true
		}
		if c < utf8.RuneSelf && !strings.ContainsRune(beforeCore, c) {
			break // no word contains c
		}
	}
	return false
}

// endsCore reports whether s is the end of a marker's words, but not all of them.
func endsCore(s string) bool {
	switch s = strings.TrimRight(s, `\`); {
	case s == "":
		return true
	case strings.IndexByte("TtNn", s[len(s)-1]) < 0: // the last letter of each core
		return false
	}
	word := plainSeparators.Replace(s)
	for _, core := range cores {
		core = "TOOL_" + core
		if len(word) < len(core) && strings.EqualFold(word, core[len(core)-len(word):]) {
			return true
		}
	}
	return false
}

// plainSeparators rewrites the words of a marker in the undamaged form.
var plainSeparators = strings.NewReplacer(" ", "_", "\t", "_", "-", "_", `\`, "")

func hasEscapeSuffix(s string) bool {
	s = strings.TrimPrefix(s, `\`)
	return len(s) >= len(escapeSuffix) && strings.EqualFold(s[:len(escapeSuffix)], escapeSuffix)
}

// neutralize adds one _ESCAPE to every mark in s.
func neutralize(s string) string {
	return rewriteMarks(s, func(b *strings.Builder, rest string) string {
		b.WriteString(escapeSuffix)
		return rest
	})
}

// restore is the inverse of neutralize: it removes one _ESCAPE from every mark that has one.
func restore(s string) string {
	return rewriteMarks(s, func(_ *strings.Builder, rest string) string {
		return strings.TrimPrefix(rest, escapeSuffix)
	})
}

// mayContainMark reports whether s may contain a mark. Every mark contains an angle bracket, which
// may be written &lt;, or a character outside of ASCII.
func mayContainMark(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c == '<' || c == '&' {
			return true
		}
	}
	return false
}

// rewriteMarks copies s. After the words of each mark it calls rewrite with the rest of s. rewrite
// may write to b, and returns the part of rest that is to be copied.
func rewriteMarks(s string, rewrite func(b *strings.Builder, rest string) string) string {
	if !mayContainMark(s) {
		return s
	}
	core, opener := nextCoreMark(s, 0), nextWordMark(s, wordOpen, 0)
	if core < 0 && opener < 0 {
		return s
	}
	var b strings.Builder
	copied := 0
	for core >= 0 || opener >= 0 {
		end := core
		if core < 0 || opener >= 0 && opener < core {
			end = opener
		}
		b.WriteString(s[copied:end])
		copied = len(s) - len(rewrite(&b, s[end:]))
		if end == core {
			core = nextCoreMark(s, end)
		} else {
			opener = nextWordMark(s, wordOpen, end)
		}
	}
	b.WriteString(s[copied:])
	return b.String()
}

// nextCoreMark returns the end of the core of the next block marker, or -1 if no marker follows.
func nextCoreMark(s string, from int) int {
	for {
		at, end := nextCore(s, from)
		if at < 0 {
			return -1
		}
		if angleBefore(s[:at]) {
			return end
		}
		from = end
	}
}

// nextWordMark returns the end of the next occurrence of word after the bracket of an opener or
// closer, or -1 if the word does not occur there.
func nextWordMark(s, word string, from int) int {
	for {
		at := strings.Index(s[from:], word)
		if at < 0 {
			return -1
		}
		end := from + at + len(word)
		if endsInBracket(s[:from+at]) {
			return end
		}
		from = end
	}
}

// endsInBracket reports whether s ends in the bracket of an opener or closer, and at most one blank
// after it.
func endsInBracket(s string) bool {
	const longest = len("「\u3000")
	pair, _ := bracketBefore([]byte(s[max(0, len(s)-longest):]))
	return pair >= 0
}
