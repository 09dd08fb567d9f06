package demomodel

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A span is a half-open range of bytes of a question.
type span struct{ start, end int }

func (s span) overlaps(t span) bool { return s.start < t.end && t.start < s.end }
func (s span) contains(t span) bool { return s.start <= t.start && t.end <= s.end }

// A token is a word, a number or a run of Chinese characters.
type token struct {
	span
	text  string // in lower case
	stop  bool   // a word that every question has
	stems []string
}

// Nothing marks the end of a word in Chinese, so a run stays whole.
var tokenForm = regexp.MustCompile(`\p{Han}+|(?:[^\P{L}\p{Han}]|\p{Nd})(?:[^\P{L}\p{Han}]|[\p{Nd}\p{M}'’])*`)

// tokenize returns the words of a text.
func tokenize(text string) []token {
	var tokens []token
	for _, at := range tokenForm.FindAllStringIndex(text, -1) {
		word := strings.ToLower(strings.TrimRight(text[at[0]:at[1]], "'’"))
		t := token{span: span{at[0], at[0] + len(strings.TrimRight(text[at[0]:at[1]], "'’"))}, text: word, stop: stopWords[word]}
		switch {
		case hasHan(word):
			t.stems = pairs(word)
		case !t.stop && strings.Trim(word, "0123456789") != "":
			t.stems = []string{stem(word)}
		}
		tokens = append(tokens, t)
	}
	return tokens
}

// content reports whether a token is an English word with a meaning of its own.
func (t token) content() bool { return len(t.stems) > 0 && !hasHan(t.text) }

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// pairs returns the pairs of neighbors in a Chinese run, without those that only bind or ask.
func pairs(run string) []string {
	r := []rune(run)
	var found []string
	for i := range max(0, len(r)-1) {
		pair := string(r[i : i+2])
		if !stopPairs[pair] && strings.Trim(pair, particles) != "" {
			found = append(found, pair)
		}
	}
	return found
}

// splitName separates the words of a program's name: at punctuation, and before a capital.
func splitName(name string) string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)) {
			b.WriteByte(' ')
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// suffixes are endings of English words, and what takes their place.
var suffixes = [...]struct{ end, with string }{{"ation", "at"}, {"ator", "at"}, {"ing", ""}, {"ed", ""}, {"ly", ""}}

// stem takes the endings off an English word, roughly. Both sides of a comparison pass through it.
func stem(word string) string {
	w, _, _ := strings.Cut(strings.ReplaceAll(word, "’", "'"), "'")
	if len(w) <= 3 || !isASCII(w) {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies"):
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.ContainsRune("sui", rune(w[len(w)-2])):
		w = w[:len(w)-1]
	}
	for _, s := range suffixes {
		if base, ok := strings.CutSuffix(w, s.end); ok && len(base) >= 3 {
			w = base + s.with
			if n := len(w); s.with == "" && w[n-1] == w[n-2] && !strings.ContainsRune("aeiouls", rune(w[n-1])) {
				w = w[:n-1] // planning, stopped
			}
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

// alike says how much two stems are the same word: 1, less for words of one family, or 0.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] && a[common] < utf8.RuneSelf {
		common++
	}
	if common >= 5 && 5*common >= 4*max(len(a), len(b)) {
		return 0.7
	}
	return 0
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// stemSet is a set for says.
func stemSet(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[stem(w)] = true
	}
	return m
}

// says reports whether a text has a word of a stemSet: a Chinese one may be anywhere.
func says(text string, stems map[string]bool) bool {
	for _, t := range tokenize(text) {
		if stems[stem(t.text)] {
			return true
		}
	}
	for s := range stems {
		if hasHan(s) && strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// stopWords are the English words that every question has.
var stopWords = set(`a an the this that these those it its it's i i'm me my mine we us our you your he she they them their
	is isn't are aren't was were be been being am do does doesn't don't did has have had having can could will would shall should may might must
	what what's which who whom whose when why how and or but nor so if then than as of in on at by to from into onto for with without about within inside under over between
	please tell show give get let make take want need like know see say says said there here any some all every each one ones also just now not no yes ok okay
	something anything nothing everything someone thing things hello hi hey thanks thank much many more most very too only same other another use using up out off let's go going`)

// particles are the Chinese characters that bind words and ask, and stopPairs are words of that kind.
const particles = "的了吗呢吧啊呀在里有是和与及或把被给我你他她它们请问这那哪些个几多少什么怎么样如何中上下里面内对向从到为用帮一就也都还要想能会可以"

var stopPairs = set(`什么 怎么 怎样 么样 哪些 哪个 多少 一下 一个 请问 帮我 可以 如何 里面 告诉 诉我 我想 给我`)
