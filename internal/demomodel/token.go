package demomodel

import (
	"maps"
	"regexp"
	"slices"
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
	text, stem string   // in lower case
	stems      []string // of the word and its synonyms; none for words that say nothing about a question's subject
}

var (
	// Chinese has no spaces between words, so a run of characters is one token.
	tokenForm = regexp.MustCompile(`\p{Han}+|(?:[^\P{L}\p{Han}]|\p{Nd})(?:[^\P{L}\p{Han}]|[\p{Nd}\p{M}'’])*`)
	camelCase = regexp.MustCompile(`([\p{Ll}\p{Nd}])(\p{Lu})`)
	// asksForTheTime matches the words before "time" in a question for the current time.
	asksForTheTime = regexp.MustCompile(`(?i)\b(?:what|(?:is|what's|me) the) $`)
	notInName      = regexp.MustCompile(`[^\p{L}\p{Nd}]`)
)

// tokenize returns the words of a text.
func tokenize(text string) (tokens []token) {
	for _, at := range tokenForm.FindAllStringIndex(text, -1) {
		word := strings.TrimRight(text[at[0]:at[1]], "'’")
		t := token{span: span{at[0], at[0] + len(word)}, text: strings.ToLower(word), stem: stem(word)}
		switch {
		case hasHan(t.text):
			t.stems = pairs(t.text)
			for _, word := range slices.Sorted(maps.Keys(synonyms)) {
				if strings.Contains(t.text, word) {
					t.stems = append(t.stems, synonyms[word]...)
				}
			}
		case !stopWords[t.text] && strings.Trim(t.text, "0123456789") != "":
			t.stems = append([]string{t.stem}, synonyms[t.stem]...)
			if t.text == "time" && asksForTheTime.MatchString(text[max(0, at[0]-len(" what's the ")):at[0]]) {
				t.stems = append(t.stems, stem("current"))
			}
		}
		tokens = append(tokens, t)
	}
	return tokens
}

// isContentWord reports whether a token is an English word with a meaning, not a function word.
func (t token) isContentWord() bool { return len(t.stems) > 0 && !hasHan(t.text) }

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// pairs returns the pairs of adjacent Chinese characters that are not function words.
func pairs(run string) (found []string) {
	r := []rune(run)
	for i := range max(0, len(r)-1) {
		pair := string(r[i : i+2])
		if !stopPairs[pair] && strings.Trim(pair, particles) != "" {
			found = append(found, pair)
		}
	}
	return found
}

// synonyms maps words to the stems of words with the same meaning in definitions of tools.
var synonyms = func() map[string][]string {
	m := map[string][]string{}
	for entry := range strings.SplitSeq(`cost price; 几点 time current 时间; 时间 time; 几号 date today 日期; 日期 date; 多少天 until date; 多少钱 price;
		列出 list; 文件 file; 目录 folder directory; 搜索 search; 查找 search find; 读取 read; 计算 calculate`, ";") {
		words := strings.Fields(entry)
		for _, w := range words[1:] {
			m[words[0]] = append(m[words[0]], stem(w))
		}
	}
	return m
}()

// splitName separates the words of a name in a definition: at punctuation, and before a capital.
func splitName(name string) string {
	return notInName.ReplaceAllString(camelCase.ReplaceAllString(name, "$1 $2"), " ")
}

// stem removes the endings of an English word, roughly, and everything after its sixth letter.
func stem(word string) string {
	w, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(word), "’", "'"), "'")
	if len(w) <= 3 || len(w) != utf8.RuneCountInString(w) {
		return w
	}
	if base, ok := strings.CutSuffix(w, "ies"); ok {
		w = base + "y"
	} else if strings.HasSuffix(w, "s") && !strings.ContainsRune("sui", rune(w[len(w)-2])) { // not class, bus or axis
		w = w[:len(w)-1]
	}
	for _, ending := range [...]string{"ing", "ed", "ly"} {
		if base, ok := strings.CutSuffix(w, ending); ok && len(base) >= 3 {
			if w = base; w[len(w)-1] == w[len(w)-2] && !strings.ContainsRune("aeiouls", rune(w[len(w)-1])) {
				w = w[:len(w)-1] // planning and stopped, but not calling and passing
			}
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w[:min(6, len(w))]
}

// set and stemSet return a set of words, and of the stems of words.
func set(words string) map[string]bool     { return setOf(words, strings.Clone) }
func stemSet(words string) map[string]bool { return setOf(words, stem) }

func setOf(words string, form func(string) string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[form(w)] = true
	}
	return m
}

// placesOf returns the places where the sequence of words occurs in tokens.
func placesOf(words, tokens []token) (found []span) {
	for i := range len(tokens) - len(words) + 1 {
		here := tokens[i : i+len(words)]
		if len(words) > 0 && slices.EqualFunc(words, here, func(a, b token) bool { return a.stem == b.stem }) {
			found = append(found, span{here[0].start, here[len(here)-1].end})
		}
	}
	return found
}

// says reports whether one of the tokens is a word of a stemSet.
func says(tokens []token, stems map[string]bool) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.in(stems) })
}

// in reports whether a token is a word of a stemSet. A Chinese word may be a part of the token.
func (t token) in(stems map[string]bool) bool {
	part := func(s string) bool { return hasHan(s) && strings.Contains(t.text, s) }
	return stems[t.stem] || hasHan(t.text) && slices.ContainsFunc(slices.Collect(maps.Keys(stems)), part)
}

// stopWords are the English words that say nothing about a question's subject.
var stopWords = set(`a an the this that these those it its it's i i'm me my mine we us our you your he she they them their is isn't are aren't
	was were be been being am do does doesn't don't did has have had having can could will would shall should may might must what what's which who
	whom whose when why how and or but nor so if then than as of in on at by to from into onto for with without about within inside under over
	between please tell show give get let make take want need like know see say says said there here any some all every each one ones also just
	now not no yes ok okay something anything nothing everything someone thing things hello hi hey thanks thank much many more most very too only
	same other another use using up out off let's go going`)

// particles and stopPairs are the Chinese function words of one and of two characters.
const particles = "的了吗呢吧啊呀在里有是和与及或把被给我你他她它们请问这那哪些个几多少什么怎样如何中上下面内对向从到为用帮一就也都还要想能会可以"

var stopPairs = set(`什么 怎么 怎样 么样 哪些 哪个 多少 一下 一个 请问 帮我 可以 如何 里面 告诉 诉我 我想 给我`)
