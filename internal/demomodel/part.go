package demomodel

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joiners stand between two parts of a question, as words of their own.
var joiners = []string{"and then", "and also", "as well as", "and", "then", "also"}

var chineseJoiners = []string{"然后", "并且", "以及", "还有", "另外", "同时", "接着", "再"}

// parts cuts a question at the ends of sentences and clauses, and at words that join them. Nothing is cut inside quotes, brackets
// or values.
func parts(question string) []span {
	v := findValues(question)
	kept := func(i int) bool {
		s := span{i, i + 1}
		for _, list := range [][]value{v.quoted, v.json, v.arithmetic, v.globs, v.urls, v.emails, v.dates} {
			if overlapAny(list, s) {
				return true
			}
		}
		for _, p := range v.paths {
			if p.overlaps(s) {
				return true
			}
		}
		return false
	}
	var found []span
	start, depth := 0, 0
	cut := func(end, next int) {
		s := trimSpan(question, span{start, end})
		if s.end > s.start {
			found = append(found, s)
		}
		start = next
	}
	for i := 0; i < len(question); {
		r, size := utf8.DecodeRuneInString(question[i:])
		switch {
		case kept(i):
		case r == '(' || r == '（':
			depth++
		case r == ')' || r == '）':
			depth = max(0, depth-1)
		case depth > 0:
		case strings.ContainsRune("?!;\n，。；？！", r), strings.ContainsRune(".,", r) && endsClause(question, i+size):
			cut(i, i+size)
		default:
			if n := joinerAt(question, i); n > 0 {
				cut(i, i+n)
				i += n
				continue
			}
		}
		i += size
	}
	cut(len(question), len(question))
	return found
}

// endsClause reports whether a full stop or a comma before i ends something: white space, Chinese or nothing follows it.
func endsClause(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return i >= len(s) || unicode.IsSpace(r) || isHan(r)
}

// joinerAt returns the length of a joining word that stands at i by itself.
func joinerAt(s string, i int) int {
	for _, w := range chineseJoiners {
		if strings.HasPrefix(s[i:], w) {
			return len(w)
		}
	}
	if i > 0 && s[i-1] != ' ' && s[i-1] != '\n' && s[i-1] != ',' {
		return 0
	}
	for _, w := range joiners {
		if len(s) > i+len(w) && strings.EqualFold(s[i:i+len(w)], w) && s[i+len(w)] == ' ' {
			return len(w)
		}
	}
	return 0
}

func trimSpan(s string, x span) span {
	text := s[x.start:x.end]
	x.start += len(text) - len(strings.TrimLeft(text, " \t\r\n,"))
	x.end -= len(text) - len(strings.TrimRight(text, " \t\r\n,"))
	x.end = max(x.start, x.end)
	return x
}
