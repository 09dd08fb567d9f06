package demomodel

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is one word, number or run of Chinese characters of a text, with its place in bytes.
type token struct {
	text       string
	start, end int
	stem       string // "" for Chinese
	stop       bool   // a word that says nothing of what is meant
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func hasHan(s string) bool { return strings.ContainsFunc(s, isHan) }

// tokenise cuts text into words. Chinese runs stay whole: nothing marks where a word ends in them.
func tokenise(s string) []token {
	var tokens []token
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		in := func(rune) bool { return false }
		switch {
		case isHan(r):
			in = isHan
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			in = func(r rune) bool {
				return !isHan(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’')
			}
		default:
			i += size
			continue
		}
		end := len(s)
		if n := strings.IndexFunc(s[i:], func(r rune) bool { return !in(r) }); n >= 0 {
			end = i + n
		}
		t := token{text: strings.TrimRight(s[i:end], "'’"), start: i}
		t.end = i + len(t.text)
		if !isHan(r) {
			t.stem = stem(t.text)
			t.stop = stopWords[strings.ToLower(t.text)]
		}
		tokens = append(tokens, t)
		i = end
	}
	return tokens
}

// splitName cuts a name as programs write them: at punctuation, and where a small letter or a digit is followed by a capital.
func splitName(name string) string {
	var b strings.Builder
	var last rune
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

// stem takes off what English adds to a word, roughly: both sides of a comparison go through it.
func stem(word string) string {
	w := strings.ToLower(word)
	w = strings.ReplaceAll(w, "’", "'")
	w, _, _ = strings.Cut(w, "'")
	if len(w) <= 3 || !isASCII(w) {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies"):
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	for _, suffix := range [...]struct{ cut, put string }{{"ation", "at"}, {"ator", "at"}, {"ing", ""}, {"ed", ""}, {"ly", ""}} {
		if base, ok := strings.CutSuffix(w, suffix.cut); ok && len(base) >= 3 {
			w = base + suffix.put
			if n := len(w); suffix.put == "" && w[n-1] == w[n-2] && !strings.ContainsRune("aeiouls", rune(w[n-1])) {
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

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// bigrams returns the pairs of neighbours in a Chinese run, those that only ask left out.
func bigrams(run string) []string {
	r := []rune(run)
	var pairs []string
	for i := 0; i+1 < len(r); i++ {
		pair := string(r[i : i+2])
		if !stopPairs[pair] && (!strings.ContainsRune(particles, r[i]) || !strings.ContainsRune(particles, r[i+1])) {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// alike says how much two stems are the same word: 1, less for words of one family, or 0.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	shorter, longer := min(len(a), len(b)), max(len(a), len(b))
	common := 0
	for common < shorter && a[common] == b[common] {
		common++
	}
	if common >= 5 && 5*common >= 4*longer {
		return 0.7
	}
	return 0
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// stopWords are the words of English that every question has.
var stopWords = set(`a an the this that these those it its it's i i'm me my mine we us our you your he she they them their
	is isn't are aren't was were be been being am do does doesn't don't did has have had having can could will would shall should may might must
	what what's which who whom whose when why how and or but nor so if then than as of in on at by to from into onto for with without about within inside under over between
	please tell show give get let make take want need like know see say says said there here any some all every each one ones also just now not no yes ok okay
	something anything nothing everything someone thing things hello hi hey thanks thank much many more most very too only same other another use using up out off me let's us go going`)

// particles are the characters of Chinese that bind words and ask.
const particles = "的了吗呢吧啊呀在里有是和与及或把被给我你他她它们请问这那哪些个几多少什么怎么样如何中上下里面内对向从到为用帮一就也都还要想能会可以"

var stopPairs = set(`什么 怎么 怎样 么样 哪些 哪个 多少 一下 一个 请问 帮我 可以 如何 里面 告诉 诉我 我想 给我`)
