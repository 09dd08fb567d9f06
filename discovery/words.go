package discovery

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// maxSearchText limits how much of a text is read, in bytes. Descriptions from servers may be long,
// but their beginnings say what a method does.
const maxSearchText = 4 << 10

// words returns the terms of a text for a search: stems of words in lower case, and pairs of
// Chinese characters, because Chinese is written without spaces. A name such as getUserList or
// get_user_list is split into its words. Common words are omitted.
func words(text string) (terms []string) {
	text = text[:min(len(text), maxSearchText)]
	for text != "" {
		c, n := utf8.DecodeRuneInString(text)
		switch {
		case isHan(c):
			end := runLength(text, isHan)
			terms = appendPairs(terms, text[:end])
			text = text[end:]
		case isWord(c):
			end := runLength(text, isWord)
			terms = appendWord(terms, text[:end])
			text = text[end:]
		default:
			text = text[n:]
		}
	}
	return terms
}

func isHan(c rune) bool { return unicode.Is(unicode.Han, c) }

func isWord(c rune) bool { return !isHan(c) && (unicode.IsLetter(c) || unicode.IsDigit(c)) }

// runLength returns the length, in bytes, of the characters at the start of a text for which
// belongs returns true.
func runLength(text string, belongs func(rune) bool) int {
	if end := strings.IndexFunc(text, func(c rune) bool { return !belongs(c) }); end >= 0 {
		return end
	}
	return len(text)
}

// appendPairs appends the pairs of adjacent characters in run, or run itself if it is a single
// character.
func appendPairs(terms []string, run string) []string {
	characters := []rune(run)
	if len(characters) == 1 {
		return append(terms, run)
	}
	for i := range len(characters) - 1 {
		terms = append(terms, string(characters[i:i+2]))
	}
	return terms
}

// appendWord appends the stem of a word or, if the word is in camel case, the stems of its parts.
// It omits common words.
func appendWord(terms []string, word string) []string {
	characters := []rune(word)
	start := 0
	for i := 1; i <= len(characters); i++ {
		if i < len(characters) && !startsPart(characters, i) {
			continue
		}
		if part := strings.ToLower(string(characters[start:i])); !commonWords[part] {
			terms = append(terms, stem(part))
		}
		start = i
	}
	return terms
}

// startsPart reports whether a part of a word in camel case starts at index i, such as at U in
// "getUser" and at L in "HTMLList". i must be at least 1.
func startsPart(word []rune, i int) bool {
	if !unicode.IsUpper(word[i]) {
		return false
	}
	return unicode.IsLower(word[i-1]) ||
		unicode.IsUpper(word[i-1]) && i+1 < len(word) && unicode.IsLower(word[i+1])
}

// stem returns the stem of an English word in lower case.
func stem(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// commonWords say nothing about what a method does.
var commonWords = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`a an and any are as at be by can could do does for from has
		have how i if in into is it its me my of on or our please should so some that the their them
		then there these this those to use used using want was we what when where which will with
		would you your`) {
		set[word] = true
	}
	return set
}()
