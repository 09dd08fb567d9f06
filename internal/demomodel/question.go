package demomodel

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/timezone"
)

// values are the words and the values of a question, or of a part of it, in their order.
type values struct {
	text   string // the whole question
	tokens []token
	chunks []value // what chunkForm matches, without the punctuation around it
	all    []value // without time zones until findZones adds them
}

var (
	quotes = regexp.MustCompile("`[^`\n]+`" + `|"[^"\n]+"|“[^”\n]+”|‘[^’\n]+’|「[^」\n]+」|《[^》\n]+》|『[^』\n]+』|\B'[^'\n]+'`)
	// A chunk is delimited by white space, Chinese characters and their punctuation.
	chunkForm            = regexp.MustCompile(`[^\s\p{Han}，。；：？！、（）「」『』《》“”]+`)
	chunkStart, chunkEnd = "([{<\"'`“‘", ".,;:!?)]}>\"'`”’…" // punctuation of the sentence
	// fileForm matches a file name with an extension, or a name such as .gitignore.
	fileForm = regexp.MustCompile(`^[\w.~-]*[\w~-]\.[A-Za-z][A-Za-z0-9]{0,9}$|^\.[A-Za-z]\w{5,}$`)
	// codeForm matches a URL, an e-mail address, an identifier of a program or a call.
	codeForm = regexp.MustCompile(`^(?:\w+://\S+|[\w.+-]+@[\w.-]+|\w*[a-z]\w*[A-Z]\w*|[A-Z]{2,}\w*|\w+_\w+|[A-Za-z]\w*\(\)|\w+\.\w+\(\)|\w+\.[A-Z][a-z]\w*)$`)
)

// findValues returns the words and the values of a text. It adds quoted texts first, because add
// drops a value that overlaps a solid one.
func findValues(text string) *values {
	v := &values{text: text, tokens: tokenize(text)}
	for _, at := range quotes.FindAllStringIndex(text, -1) {
		_, markSize := utf8.DecodeRuneInString(text[at[0]:]) // the same for both quotation marks
		v.add(value{span: span{at[0], at[1]}, kind: kindQuoted, text: text[at[0]+markSize : at[1]-markSize]})
	}
	v.add(findDates(text)...)
	for _, at := range chunkForm.FindAllStringIndex(text, -1) {
		whole := text[at[0]:at[1]]
		word := strings.TrimLeft(whole, chunkStart)
		start := at[1] - len(word)
		if word = strings.TrimRight(word, chunkEnd); word == "" && strings.Trim(whole, ".") == "" {
			start, word = at[0], whole // "." and ".." are paths
		}
		if word != "" {
			v.chunks = append(v.chunks, value{span: span{start, start + len(word)}, kind: chunkKind(word), text: word})
		}
	}
	for _, c := range v.chunks {
		if c.kind != kindWord {
			v.add(c)
		}
	}
	ranges := findRanges(text)
	for _, a := range findArithmetic(text) {
		if !slices.ContainsFunc(ranges, func(r value) bool { return r.overlaps(a.span) }) { // lines 5-8
			v.add(a)
		}
	}
	v.add(ranges...)
	v.findNumbers()
	v.findNames()
	for i, t := range v.tokens {
		if ending := formats[t.text]; ending != "" && i+1 < len(v.tokens) && v.tokens[i+1].in(fileWords) {
			v.add(value{span: t.span, kind: kindFormat, text: "*." + ending})
		}
	}
	for _, c := range v.chunks {
		c.kind = kindWord
		v.add(c)
	}
	slices.SortStableFunc(v.all, func(a, b value) int { return a.start - b.start })
	return v
}

// add adds the values that do not overlap a solid one.
func (v *values) add(found ...value) {
	for _, x := range found {
		if !slices.ContainsFunc(v.all, func(y value) bool { return solid[y.kind] && y.overlaps(x.span) }) {
			v.all = append(v.all, x)
		}
	}
}

// of returns the values of some kinds.
func (v *values) of(kinds ...kind) []value {
	return slices.DeleteFunc(slices.Clone(v.all), func(x value) bool { return !slices.Contains(kinds, x.kind) })
}

// within returns the values in a part of the question.
func (v *values) within(s span) *values {
	tokens := tokenize(v.text[s.start:s.end]) // a token of Chinese may be in two parts of the question
	for i, t := range tokens {
		tokens[i].span = span{s.start + t.start, s.start + t.end}
	}
	return &values{text: v.text, tokens: tokens, all: slices.DeleteFunc(slices.Clone(v.all), func(x value) bool { return !s.contains(x.span) })}
}

var (
	abbreviation = regexp.MustCompile(`^.?(?:\..?)+$`) // e.g.
	numberForm   = regexp.MustCompile(`(?:^|[^\w.])(-?` + number + `)`)
	// Group 1 matches only at the beginning of a sentence.
	nameForm   = regexp.MustCompile(`(^|[.?!]\s+|\n)?(\p{Lu}[^\s\p{P}\p{Han}]*(?: \p{Lu}[^\s\p{P}\p{Han}]*)*)`)
	offsetForm = regexp.MustCompile(`^(?i:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?$`)
	// surePath matches a path that needs no file name: . and .., or a path that begins like /a, ./a
	// or ~/a, ends in a slash, or has two slashes.
	surePath = regexp.MustCompile(`^(?:\.\.?$|\.\.?/|~/|/.|.*/$)|[/\\].*[/\\]`)
)

func chunkKind(s string) kind {
	file := fileForm.MatchString(s[strings.LastIndexAny(s, `/\`)+1:]) && !abbreviation.MatchString(s)
	letters := strings.ContainsFunc(s, unicode.IsLetter)
	switch {
	case strings.HasPrefix(s, "*."), strings.Contains(s, "*") && strings.ContainsAny(s, "./") && letters:
		return kindGlob
	case codeForm.MatchString(s):
		return kindCode
	case strings.ContainsAny(s, `*?<>|"=(),`) || strings.Contains(s, "://") || strings.Trim(s, "./") != "" && !letters:
		return kindWord
	case file || surePath.MatchString(s):
		return kindPath
	}
	return kindWord
}

// formats maps languages and formats to the extensions of their files.
var formats = map[string]string{
	"go": "go", "golang": "go", "python": "py", "javascript": "js", "typescript": "ts", "java": "java", "rust": "rs", "ruby": "rb", "c": "c",
	"markdown": "md", "yaml": "yaml", "json": "json", "xml": "xml", "html": "html", "css": "css", "csv": "csv", "sql": "sql", "pdf": "pdf",
	"text": "txt", "txt": "txt",
}

// fileWords say that a value names a file, and folderWords say that it names a folder.
var fileWords, folderWords = stemSet("file filename document 文件 文档"), stemSet("folder directory dir 目录 文件夹")

var numberWords = strings.Fields("two three four five six seven eight nine ten") // the numbers from 2 on

func (v *values) findNumbers() {
	for _, m := range numberForm.FindAllStringSubmatchIndex(withSigns(v.text), -1) {
		v.add(value{span: span{m[2], m[3]}, kind: kindNumber, text: strings.ReplaceAll(v.text[m[2]:m[3]], ",", "")})
	}
	for _, t := range v.tokens {
		if n := slices.Index(numberWords, t.text); n >= 0 {
			v.add(value{span: t.span, kind: kindNumber, text: strconv.Itoa(n + 2)})
		}
	}
}

// findNames finds capitalized words, but not a single one at the beginning of a sentence.
func (v *values) findNames() {
	for _, m := range nameForm.FindAllStringSubmatchIndex(v.text, -1) {
		beginsSentence, words := m[2] >= 0, tokenize(v.text[m[4]:m[5]])
		for len(words) > 0 && !words[0].isContentWord() {
			beginsSentence, words = false, words[1:]
		}
		if len(words) > 1 || len(words) == 1 && !beginsSentence {
			v.add(value{span: span{m[4] + words[0].start, m[5]}, kind: kindName, text: v.text[m[4]+words[0].start : m[5]]})
		}
	}
}

// zoneOf returns the time zone that a text names by its name, by an offset or by a city. It returns
// "" if the text names none.
func zoneOf(text string) string {
	if upper := strings.ToUpper(text); upper == "UTC" || upper == "GMT" || offsetForm.MatchString(text) {
		return upper
	}
	if len(text) > maxZone || strings.Contains(text, ",") {
		return ""
	}
	zone, _ := timezone.OfCity(context.Background(), text) // no error without a deadline
	if strings.Contains(text, "/") && !strings.EqualFold(zone, text) {
		return "" // a path that ends in the name of a city
	}
	return zone
}

// findZones finds time zones: English names of up to three chunks, the longest first, and Chinese
// names of cities.
func (v *values) findZones() {
	for i := 0; i < min(len(v.chunks), maxZoneChunks); i++ {
		for j := min(i+2, len(v.chunks)-1); j >= i && !stopWords[strings.ToLower(v.chunks[i].text)]; j-- {
			s := span{v.chunks[i].start, v.chunks[j].end}
			if zone := zoneOf(v.text[s.start:s.end]); zone != "" {
				v.all, i = append(v.all, value{span: s, kind: kindZone, text: zone}), j
				break
			}
		}
	}
	for city, zone := range timezone.Aliases {
		if i := strings.Index(v.text, city); i >= 0 && hasHan(city) {
			v.all = append(v.all, value{span: span{i, i + len(city)}, kind: kindZone, text: zone})
		}
	}
	slices.SortStableFunc(v.all, func(a, b value) int { return a.start - b.start })
}
