package demomodel

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// named finds a value that stands next to the parameter's own name: "title: Dune", "title=Dune", "with the title Dune".
func named(m *method, p *parameter, v *values) []value {
	var found []value
	for i := range v.tokens {
		n := p.nameAt(v.tokens[i:])
		if n == 0 {
			continue
		}
		last := v.tokens[i+n-1]
		rest := v.text[last.end:]
		trimmed := strings.TrimLeft(rest, " ")
		direct := strings.HasPrefix(trimmed, ":") || strings.HasPrefix(trimmed, "=") || strings.HasPrefix(trimmed, "：")
		if direct {
			_, size := utf8.DecodeRuneInString(trimmed)
			trimmed = strings.TrimLeft(trimmed[size:], " ")
		}
		at := last.end + len(rest) - len(trimmed)
		if x, ok := v.valueAt(m, at, direct); ok {
			found = append(found, x)
		}
	}
	return found
}

// directions are pairs of names and the words that people say for them.
var directions = map[string]string{
	"from": "from", "origin": "from", "sourc": "from", "start": "from", "departur": "from",
	"to": "to", "destin": "to", "destinat": "to", "target": "to", "recipient": "to", "receiver": "to",
}

// nameAt returns how many tokens at the start of a text are the parameter's name.
func (p *parameter) nameAt(tokens []token) int {
	if len(p.names) == 1 && tokens[0].stem != "" && directions[p.names[0]] == tokens[0].stem {
		return 1
	}
	if strings.EqualFold(tokens[0].text, p.Name) {
		return 1
	}
	if len(p.names) > len(tokens) {
		return 0
	}
	for i, name := range p.names {
		t := tokens[i]
		if t.stem != name && t.text != name {
			return 0
		}
	}
	return len(p.names)
}

// joining stand between a name and its value.
var joining = set("is of to as the a an called named be")

// valueAt reads a value at a place: something quoted, a run of capitalised words, or one word that is not the method's own.
func (v *values) valueAt(m *method, at int, direct bool) (value, bool) {
	for _, q := range v.quoted {
		if q.start >= at && strings.TrimSpace(v.text[at:q.start]) == "" {
			return q, true
		}
	}
	for i, t := range v.tokens {
		if t.start < at {
			continue
		}
		if strings.ContainsAny(v.text[at:t.start], ",;?!\n，。；？！") {
			return value{}, false
		}
		lower := strings.ToLower(t.text)
		if joining[lower] && i+1 < len(v.tokens) && !direct {
			at = t.end
			continue
		}
		for _, q := range v.quoted {
			if q.overlaps(span{t.start, t.end}) {
				return q, true
			}
		}
		for _, x := range v.proper {
			if x.start == t.start {
				return x, true
			}
		}
		for _, c := range v.chunks {
			if c.start <= t.start && t.end <= c.end && (direct || !t.stop && !m.words.has(t)) {
				return c, true
			}
		}
		return value{}, false
	}
	return value{}, false
}

// textCues are words after which what is asked for is written out.
var textCues = set("for about containing contains contain mentioning mention mentions mentioned called named saying says matching")

// textFits finds what a free text or a place could be.
func (m *method) textFits(p *parameter, v *values) []fit {
	var found []fit
	add := func(score float64, list ...value) {
		if !p.Required {
			score /= 2
		}
		for _, x := range list {
			found = append(found, fit{value: x, score: score})
		}
	}
	add(1.6, v.quoted...)
	for i, t := range v.tokens {
		if p.kind == kindText && textCues[strings.ToLower(t.text)] {
			if x, ok := v.phrase(i + 1); ok {
				add(1.1, x)
			}
		}
		if p.kind == kindPlace && inWords[strings.ToLower(t.text)] && i+1 < len(v.tokens) {
			for _, x := range v.proper {
				if x.start == v.tokens[i+1].start {
					add(1.5, x)
				}
			}
		}
	}
	if p.kind == kindText {
		add(0.9, v.codes...)
	}
	add(0.6, v.proper...)
	if p.Required {
		if x, ok := v.residual(m); ok {
			add(0.3, x)
		}
	}
	return found
}

// phraseEnd are words at which a phrase ends.
var phraseEnd = set("in inside within under from on at by with using into")

// phrase returns the words from token i on, up to where a place or the end is named.
func (v *values) phrase(i int) (value, bool) {
	for i < len(v.tokens) && (strings.EqualFold(v.tokens[i].text, "the") || strings.EqualFold(v.tokens[i].text, "a")) {
		i++
	}
	if i >= len(v.tokens) {
		return value{}, false
	}
	s := span{v.tokens[i].start, v.tokens[i].start}
	for ; i < len(v.tokens); i++ {
		t := v.tokens[i]
		if phraseEnd[strings.ToLower(t.text)] || strings.ContainsAny(v.text[s.end:t.start], ",;?!\n，。；？！") {
			break
		}
		s.end = t.end
	}
	return value{s, v.text[s.start:s.end]}, s.end > s.start
}

// residual returns the longest run of words that are neither the method's nor everybody's: what is left is what is talked about.
func (v *values) residual(m *method) (value, bool) {
	var longest, run span
	for _, t := range v.tokens {
		if t.stem == "" {
			for _, s := range residualHan(m, t) {
				if s.end-s.start > longest.end-longest.start {
					longest = s
				}
			}
			continue
		}
		if t.stop || m.words.has(t) {
			run = span{}
			continue
		}
		if run.end == 0 || strings.TrimSpace(v.text[run.end:t.start]) != "" {
			run = span{t.start, t.end}
		}
		run.end = t.end
		if run.end-run.start > longest.end-longest.start {
			longest = run
		}
	}
	if longest.end == 0 {
		return value{}, false
	}
	return value{longest, v.text[longest.start:longest.end]}, true
}

// residualHan returns what is left of a Chinese run without the method's words and those that bind and ask.
func residualHan(m *method, t token) []span {
	r := []rune(t.text)
	taken := make([]bool, len(r))
	for i := range r {
		taken[i] = taken[i] || strings.ContainsRune(particles, r[i])
		if i+1 < len(r) && (m.words[string(r[i:i+2])] > 0 || stopPairs[string(r[i:i+2])]) {
			taken[i], taken[i+1] = true, true
		}
	}
	var found []span
	at, start := t.start, -1
	for i, c := range r {
		if !taken[i] && start < 0 {
			start = at
		}
		if taken[i] && start >= 0 {
			found = append(found, span{start, at})
			start = -1
		}
		at += utf8.RuneLen(c)
	}
	if start >= 0 {
		found = append(found, span{start, at})
	}
	return found
}

// extensions are the endings of files that people call by a language or a format. A name that is also an everyday word counts
// only as it is written here.
var extensions = map[string]string{
	"Go": "go", "golang": "go", "Golang": "go", "Python": "py", "python": "py", "JavaScript": "js", "javascript": "js", "TypeScript": "ts", "typescript": "ts",
	"Java": "java", "java": "java", "Rust": "rs", "Ruby": "rb", "C": "c", "C++": "cpp", "Swift": "swift", "Kotlin": "kt", "kotlin": "kt", "Shell": "sh", "shell": "sh",
	"Markdown": "md", "markdown": "md", "YAML": "yaml", "yaml": "yaml", "JSON": "json", "json": "json", "TOML": "toml", "toml": "toml", "XML": "xml", "xml": "xml",
	"HTML": "html", "html": "html", "CSS": "css", "css": "css", "CSV": "csv", "csv": "csv", "SQL": "sql", "PDF": "pdf", "pdf": "pdf",
	"text": "txt", "txt": "txt", "PNG": "png", "png": "png", "JPEG": "jpeg", "jpg": "jpg",
}

// patternFits turns "Go files", ".go files" and "*.go" into a pattern. What follows the name must be a word of the method's own.
func (m *method) patternFits(p *parameter, v *values) []fit {
	var found []fit
	for _, x := range v.globs {
		found = append(found, fit{value: p.pattern(x), score: 1.6, sure: true})
	}
	for i, t := range v.tokens {
		ending := extensions[t.text]
		dotted := t.start > 0 && v.text[t.start-1] == '.' && (t.start == 1 || v.text[t.start-2] == ' ')
		if dotted && len(t.text) <= 5 && isASCII(t.text) {
			ending = t.text
		}
		if ending == "" || v.covered(span{t.start, t.end}) || !followed(m, v.tokens[i+1:]) {
			continue
		}
		found = append(found, fit{value: p.pattern(value{span{t.start, t.end}, "*." + ending}), score: 1})
	}
	if p.kind == kindRegexp {
		for _, x := range v.quoted {
			found = append(found, fit{value: x, score: 1.4})
		}
	}
	return found
}

// pattern writes a glob as the parameter takes it.
func (p *parameter) pattern(x value) value {
	if p.kind == kindRegexp {
		r := strings.NewReplacer(".", `\.`, "**/", "(.*/)?", "*", "[^/]*", "?", "[^/]")
		x.text = "^" + r.Replace(x.text) + "$"
	}
	return x
}

// followed reports whether one of the next two words is the method's own, or Chinese.
func followed(m *method, tokens []token) bool {
	return slices.ContainsFunc(tokens[:min(2, len(tokens))], func(t token) bool { return t.stem == "" || !t.stop && m.words.has(t) })
}

// jsonLength returns the length of the JSON object or list at the start of s; 0 where there is none.
func jsonLength(s string) int {
	d := json.NewDecoder(strings.NewReader(s))
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return 0
	}
	n := int(d.InputOffset())
	if strings.TrimFunc(s[1:n-1], unicode.IsSpace) == "" {
		return 0
	}
	return n
}
