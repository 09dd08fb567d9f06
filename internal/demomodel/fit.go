package demomodel

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A fit is a value that a parameter could take.
type fit struct {
	value
	score float64 // above 0: how well it fits
	sure  bool    // nobody writes such a value for another reason
}

// plainFits are the kinds of values that a kind of parameter takes as they are.
var plainFits = map[kind][]fit{
	kindArithmetic: {{value{kind: kindArithmetic}, 3, true}, {value{kind: kindQuoted}, 1, false}},
	kindNumber:     {{value{kind: kindNumber}, 0.1, false}},
	kindGlob:       {{value{kind: kindGlob}, 1.6, true}, {value{kind: kindFormat}, 1, false}},
	kindZone:       {{value{kind: kindZone}, 1.8, false}},
	kindDate:       {{value{kind: kindDate}, 1.6, false}},
	kindPath:       {{value{kind: kindPath}, 1.6, true}, {value{kind: kindMaybePath}, 1.6, false}, {value{kind: kindQuoted}, 1, false}},
	kindText:       {{value{kind: kindQuoted}, 1.6, false}, {value{kind: kindName}, 0.6, false}, {value{kind: kindCode}, 0.9, false}},
}

// fits returns what a part of a question offers a parameter of a method.
func (m *method) fits(p *parameter, v *values) []fit {
	var found []fit
	all := v.all
	if p.kind == kindZone {
		all = v.zones()
	}
	for _, x := range all {
		f := fit{value: x}
		for _, plain := range plainFits[p.kind] {
			if plain.kind == x.kind {
				f.score, f.sure = plain.score, plain.sure
			}
		}
		before, after := v.before(x.start), v.after(x.end)
		switch named := m.namedBefore(p, v, x); {
		case p.kind == kindNumber:
			switch unit := p.words.has(after, anyWeight) && !m.otherUnit(p, after); {
			case x.kind != kindNumber, p.Type == "integer" && strings.ContainsAny(x.text, ".eE"):
				f.score = 0
			case named:
				f.score = 2
			case unit:
				f.score = 1.6
			case !p.Required:
				f.score = 0
			}
		case named && (p.kind == kindText || p.kind == kindPath || p.kind == kindDate):
			if f.score = 2; x.kind == kindWord {
				f.score = 1.9
			}
		case p.kind == kindText && x.kind == kindName && inWords[before.text]:
			f.score = 1
		case p.kind == kindPath:
			m.fitPath(p, &f, before, after)
		}
		if f.score > 0 {
			found = append(found, f)
		}
	}
	switch p.kind {
	case kindOption:
		found = append(found, p.optionFits(v)...)
	case kindSwitch:
		found = append(found, p.switchFits(v)...)
	case kindList:
		found = append(found, m.listFits(p, v)...)
	case kindText:
		found = append(found, m.textFits(p, v)...)
	case kindPath:
		if p.Required && p.folder {
			found = append(found, fit{value: value{text: "."}, score: 0.05}) // no folder is named
		}
	}
	return found
}

// before returns the word before a place, without articles, and after the word after it.
func (v *values) before(at int) (found token) {
	for _, t := range v.tokens {
		if t.end <= at && t.text != "the" && t.text != "a" && t.text != "an" {
			found = t
		}
	}
	return found
}

func (v *values) after(at int) token {
	i := slices.IndexFunc(v.tokens, func(t token) bool { return t.start >= at })
	if i < 0 {
		return token{}
	}
	return v.tokens[i]
}

// joinForm is what may stand between a parameter's name and a value: "title: Dune", "with the title of Dune".
var joinForm = regexp.MustCompile(`^\s*(?:([:=：])\s*|(?i:(?:is|of|to|as|the|a|an|called|named|be)\s+)*)["'“「]?$`)

// namedBefore reports whether the parameter's own name stands before a value. Without a colon a
// common word or a name of the method is no value.
func (m *method) namedBefore(p *parameter, v *values, x value) bool {
	for i := range v.tokens {
		n := p.nameAt(v.tokens[i:])
		if n == 0 || v.tokens[i+n-1].end > x.start {
			continue
		}
		join := joinForm.FindStringSubmatch(v.text[v.tokens[i+n-1].end:x.start])
		t := v.after(x.start)
		if join != nil && (join[1] != "" || x.kind != kindWord || t.content() && !m.words.has(t, nameWeight)) {
			return true
		}
	}
	return false
}

// directions are what people say for names of parameters.
var directions = map[string]string{
	"from": "from", "origin": "from", "sourc": "from", "start": "from", "departur": "from",
	"to": "to", "destin": "to", "destinat": "to", "target": "to", "recipient": "to", "receiver": "to",
}

// nameAt returns how many tokens at the start of a text are the parameter's name.
func (p *parameter) nameAt(tokens []token) int {
	if strings.EqualFold(tokens[0].text, p.Name) || len(p.names) == 1 && directions[p.names[0]] == tokens[0].text {
		return 1
	}
	for i, name := range p.names {
		if i == len(tokens) || stem(tokens[i].text) != name {
			return 0
		}
	}
	return len(p.names)
}

// otherUnit reports whether a word is in the definition of another number.
func (m *method) otherUnit(p *parameter, unit token) bool {
	return slices.ContainsFunc(m.parameters, func(q parameter) bool {
		return q.kind == kindNumber && q.Name != p.Name && q.words.has(unit, anyWeight)
	})
}

// inWords stand before a place.
var inWords = set("in inside within under below from at of into to near")

// fitPath prefers a folder or a file as the parameter says, and takes a word in the place of a path:
// "in X", "the X folder".
func (m *method) fitPath(p *parameter, f *fit, before, after token) {
	folder, file := strings.HasSuffix(f.text, "/"), fileForm.MatchString(f.text[strings.LastIndexAny(f.text, `/\`)+1:])
	switch {
	case f.kind == kindWord:
		place := inWords[before.text] || p.folder && says(after.text, folderWords) || p.file && says(after.text, fileWords)
		if t := tokenize(f.text); place && len(t) == 1 && t[0].content() && !m.words.has(t[0], anyWeight) {
			f.score = 0.6
		}
	case f.kind == kindQuoted:
	case folder && !p.folder:
		f.score = 0
	case file && !p.file:
		f.score, f.sure = 0.4, false
	case folder && !p.file, file && !p.folder:
		f.score += 0.4
	}
	if folder && len(f.text) > 1 {
		f.text = strings.TrimRight(f.text, "/")
	}
}

func (p *parameter) optionFits(v *values) (found []fit) {
	for _, option := range p.options {
		words := tokenize(splitName(option))
		for i, t := range v.tokens {
			s := span{}
			if at := strings.Index(t.text, option); at >= 0 && hasHan(option) {
				s = span{t.start + at, t.start + at + len(option)}
			} else if n := len(words); n > 0 && i+n <= len(v.tokens) && slices.EqualFunc(words, v.tokens[i:i+n], sameStem) {
				s = span{t.start, v.tokens[i+n-1].end}
			}
			if s.end > 0 {
				found = append(found, fit{value: value{span: s, text: option}, score: 1.8 + 0.01*float64(len(option))})
			}
		}
	}
	return found
}

func sameStem(a, b token) bool { return stem(a.text) == stem(b.text) }

// switchFits turns a switch on if its name is spoken of, and off if that is negated.
func (p *parameter) switchFits(v *values) []fit {
	for i, t := range v.tokens {
		if p.words.has(t, 1) {
			on := value{span: t.span, text: "true"}
			if negated(v.tokens[:i]) {
				on.text = "false"
			}
			return []fit{{value: on, score: 1}}
		}
	}
	if p.Required {
		return []fit{{value: value{text: "false"}, score: 0.05}}
	}
	return nil
}

// listFits puts the values that an element could take into one JSON list.
func (m *method) listFits(p *parameter, v *values) []fit {
	element := *p
	element.kind, element.Required = p.item, true
	items := m.fits(&element, v)
	slices.SortStableFunc(items, func(a, b fit) int { return cmp.Compare(b.score, a.score) })
	var chosen []fit
	for _, x := range items {
		// A value for which only its place speaks is taken alone, and only if the list is required.
		weak := x.score < 1 && (len(chosen) > 0 || !p.Required)
		if !weak && x.end > 0 && !slices.ContainsFunc(chosen, func(y fit) bool { return x.overlaps(y.span) }) {
			chosen = append(chosen, x)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	list := chosen[0]
	slices.SortFunc(chosen, func(a, b fit) int { return cmp.Compare(a.start, b.start) })
	list.span = span{chosen[0].start, chosen[len(chosen)-1].end}
	elements := make([]json.RawMessage, len(chosen))
	for i, x := range chosen {
		if elements[i] = json.RawMessage(x.text); p.item != kindNumber {
			elements[i], _ = json.Marshal(x.text)
		}
	}
	text, _ := json.Marshal(elements)
	list.text = string(text)
	return []fit{list}
}

var (
	textCues  = set("for about containing contains contain mentioning mention mentions mentioned called named saying says matching")
	phraseEnd = set("in inside within under from on at by with using into")
)

// textFits finds what a free text could be: the words after a cue, or what is left of the question.
func (m *method) textFits(p *parameter, v *values) (found []fit) {
	for i, t := range v.tokens {
		if !textCues[v.before(t.start).text] {
			continue
		}
		s := span{t.start, t.start}
		for _, t := range v.tokens[i:] {
			if phraseEnd[t.text] || strings.ContainsAny(v.text[s.end:t.start], ",;?!\n，。；？！") {
				break
			}
			s.end = t.end
		}
		if s.end > s.start {
			found = append(found, fit{value: value{span: s, text: v.text[s.start:s.end]}, score: 1.1})
		}
	}
	for i, least := range []float64{anyWeight, nameWeight} { // a value may also stand in a description
		if x := v.rest(m.words, least); p.Required && x.end > 0 {
			found = append(found, fit{value: x, score: 0.3 - 0.1*float64(i)})
		}
	}
	return found
}

var runForm = regexp.MustCompile(`[^\x00 ]+(?: +[^\x00 ]+)*`)

// rest returns the longest run of words that are neither everybody's nor, counting so much, in a vocabulary.
func (v *values) rest(own vocabulary, least float64) (longest value) {
	kept := make([]byte, len(v.text))
	for i := range kept {
		if v.text[i] == ' ' {
			kept[i] = ' '
		}
	}
	for _, t := range v.tokens {
		r, at := []rune(t.text), t.start
		explained := func(i int) bool {
			return i >= 0 && i+1 < len(r) && (own[string(r[i:i+2])] >= least || stopPairs[string(r[i:i+2])])
		}
		switch {
		case hasHan(t.text):
			for i, c := range r {
				if !strings.ContainsRune(particles, c) && !explained(i-1) && !explained(i) {
					copy(kept[at:], string(c))
				}
				at += utf8.RuneLen(c)
			}
		case t.content() && !own.has(t, least):
			copy(kept[t.start:], v.text[t.start:t.end])
		}
	}
	for _, at := range runForm.FindAllIndex(kept, -1) {
		if at[1]-at[0] > longest.end-longest.start {
			longest = value{span: span{at[0], at[1]}, text: v.text[at[0]:at[1]]}
		}
	}
	return longest
}
