package demomodel

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// values are all that stands in a part of the user's text and looks like a value of some kind.
type values struct {
	text       string
	tokens     []token
	chunks     []value // what stands between white space
	quoted     []value
	arithmetic []value
	paths      []path
	globs      []value
	urls       []value
	emails     []value
	dates      []value
	numbers    []value
	proper     []value // names: runs of capitalised words
	codes      []value // identifiers as programs have them
	json       []value
}

type path struct {
	value
	strength strength
	folder   bool // ends in a slash
	file     bool // has an extension
}

// strength says how surely something is a path.
type strength uint8

const (
	pathNone strength = iota
	pathMaybe
	pathSure
)

var (
	urlForm   = regexp.MustCompile(`^(?i)[a-z][a-z0-9+.-]*://[^\s]+$`)
	emailForm = regexp.MustCompile(`^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$`)
	fileForm  = regexp.MustCompile(`^[\w.~-]*[\w~-]\.[A-Za-z][A-Za-z0-9]{0,9}$|^\.[A-Za-z]\w{5,}$`)
	codeForm  = regexp.MustCompile(`^(?:\w*[a-z]\w*[A-Z]\w*|[A-Z]{2,}\w*|\w+_\w+|[A-Za-z]\w*\(\)|\w+\.\w+\(\)|\w+\.[A-Z][a-z]\w*)$`)
	quotes    = regexp.MustCompile("`([^`\n]+)`" + `|"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|「([^」\n]+)」|《([^》\n]+)》|『([^』\n]+)』|(?:^|[\s(])'([^'\n]+)'`)
)

func findValues(text string) *values {
	v := &values{text: text, tokens: tokenise(text)}
	v.findQuoted()
	v.findJSON()
	v.chunks = chunks(text)
	for _, w := range v.chunks {
		v.chunk(w)
	}
	for _, a := range findArithmetic(text) {
		if !v.covered(a.span) {
			v.arithmetic = append(v.arithmetic, a)
		}
	}
	v.findNumbers()
	v.findNames()
	return v
}

// covered reports whether a span lies in something that was found and is more than its parts.
func (v *values) covered(s span) bool {
	for _, list := range [][]value{v.quoted, v.json, v.globs, v.urls, v.emails, v.dates} {
		for _, x := range list {
			if x.overlaps(s) {
				return true
			}
		}
	}
	for _, p := range v.paths {
		if p.overlaps(s) {
			return true
		}
	}
	return false
}

func (v *values) findQuoted() {
	for _, m := range quotes.FindAllStringSubmatchIndex(v.text, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				v.quoted = append(v.quoted, value{span{m[0], m[1]}, v.text[m[g]:m[g+1]]})
			}
		}
	}
}

// findJSON finds the outermost pairs of curly and square brackets that hold JSON.
func (v *values) findJSON() {
	for i := 0; i < len(v.text); i++ {
		if v.text[i] != '{' && v.text[i] != '[' {
			continue
		}
		if n := jsonLength(v.text[i:]); n > 0 {
			v.json = append(v.json, value{span{i, i + n}, v.text[i : i+n]})
			i += n - 1
		}
	}
}

// chunks cuts text at white space and at Chinese, and takes the punctuation of sentences off the pieces.
func chunks(text string) []value {
	const before, after = "([{<\"'`“‘", ".,;:!?)]}>\"'`”’…"
	var found []value
	isEdge := func(r rune) bool {
		return unicode.IsSpace(r) || isHan(r) || strings.ContainsRune("，。；：？！、（）「」『』《》“”", r)
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if isEdge(r) {
			i += size
			continue
		}
		end := len(text)
		if n := strings.IndexFunc(text[i:], isEdge); n >= 0 {
			end = i + n
		}
		word := strings.TrimLeft(text[i:end], before)
		start := end - len(word)
		// "./" and ".." are paths; "a." ends a sentence.
		if word = strings.TrimRight(word, after); word != "" {
			found = append(found, value{span{start, start + len(word)}, word})
		} else if strings.Trim(text[i:end], ".") == "" {
			found = append(found, value{span{i, end}, text[i:end]})
		}
		i = end
	}
	return found
}

func (v *values) chunk(w value) {
	for _, q := range append(v.quoted, v.json...) {
		if q.overlaps(w.span) {
			return
		}
	}
	switch {
	case urlForm.MatchString(w.text):
		v.urls = append(v.urls, w)
	case emailForm.MatchString(w.text):
		v.emails = append(v.emails, w)
	case dateForm.MatchString(w.text):
		v.dates = append(v.dates, w)
	case isGlob(w.text):
		v.globs = append(v.globs, w)
	case codeForm.MatchString(w.text):
		v.codes = append(v.codes, w)
	default:
		if s := pathStrength(w.text); s != pathNone {
			v.paths = append(v.paths, path{value: w, strength: s, folder: strings.HasSuffix(w.text, "/"), file: fileForm.MatchString(lastPart(w.text))})
		}
	}
}

func lastPart(p string) string { return p[strings.LastIndexAny(p, `/\`)+1:] }

func isGlob(s string) bool {
	return strings.Contains(s, "*") && strings.ContainsAny(s, "./") && strings.ContainsFunc(s, unicode.IsLetter) ||
		strings.HasPrefix(s, "*.")
}

// pathStrength says whether a word is a path. One that only has a slash in its middle may be two words ("and/or").
func pathStrength(s string) strength {
	letters := strings.ContainsFunc(s, unicode.IsLetter)
	slashes := strings.Count(s, "/") + strings.Count(s, `\`)
	switch {
	case strings.ContainsAny(s, `*?<>|"=(),`) || strings.Contains(s, "://"):
		return pathNone
	case s == "." || s == ".." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, "~/"):
		return pathSure
	case !letters:
		return pathNone
	case slashes > 0 && (slashes > 1 || strings.HasSuffix(s, "/") || strings.HasPrefix(s, "/") || fileForm.MatchString(lastPart(s))):
		return pathSure
	case slashes > 0:
		return pathMaybe
	case fileForm.MatchString(s) && !abbreviation(s):
		return pathSure
	}
	return pathNone
}

// abbreviation reports whether dots stand after single letters, as in e.g.
func abbreviation(s string) bool {
	for _, part := range strings.Split(s, ".") {
		if utf8.RuneCountInString(part) > 1 {
			return false
		}
	}
	return true
}

var numberWords = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "fifty": "50", "hundred": "100",
}

func (v *values) findNumbers() {
	for _, p := range lexArithmetic(v.text) {
		s := p.span
		switch word := strings.ToLower(p.text); {
		case v.covered(s):
		case p.class == 'n':
			text := p.text
			if s.start > 0 && v.text[s.start-1] == '-' && (s.start == 1 || v.text[s.start-2] == ' ') {
				s.start--
				text = "-" + text
			}
			v.numbers = append(v.numbers, value{s, text})
		case p.class == 'w' && numberWords[word] != "":
			v.numbers = append(v.numbers, value{s, numberWords[word]})
		}
	}
}

// findNames finds runs of capitalised words. The first word of a sentence is capitalised whatever it is, and counts only where
// it is no word that sentences begin with.
func (v *values) findNames() {
	for i := 0; i < len(v.tokens); i++ {
		if !v.nameAt(i) {
			continue
		}
		j := i
		for j+1 < len(v.tokens) && v.nameAt(j+1) && v.text[v.tokens[j].end:v.tokens[j+1].start] == " " {
			j++
		}
		if s := (span{v.tokens[i].start, v.tokens[j].end}); i > 0 || j > i {
			v.proper = append(v.proper, value{s, v.text[s.start:s.end]})
		}
		i = j
	}
}

func (v *values) nameAt(i int) bool {
	t := v.tokens[i]
	r, _ := utf8.DecodeRuneInString(t.text)
	return t.stem != "" && unicode.IsUpper(r) && !t.stop && !v.covered(span{t.start, t.end})
}
