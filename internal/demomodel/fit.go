package demomodel

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// A fit is a value that a parameter could take, and how well.
type fit struct {
	value
	score float64
	// sure is set where the value alone shows what is wanted: nobody writes 17*23 for another reason.
	sure bool
}

// fits returns what a part of a question offers a parameter of a method.
func (m *method) fits(p *parameter, v *values) []fit {
	var found []fit
	add := func(score float64, sure bool, list ...value) {
		for _, x := range list {
			if score > 0 {
				found = append(found, fit{value: x, score: score, sure: sure})
			}
		}
	}
	if p.kind != kindSwitch {
		for _, x := range named(m, p, v) {
			if text, ok := p.accept(x.text); ok {
				add(2, false, value{x.span, text})
			}
		}
	}
	switch p.kind {
	case kindArithmetic:
		add(3, true, v.arithmetic...)
		add(1, false, v.quoted...)
	case kindPath:
		found = append(found, m.pathFits(p, v)...)
	case kindGlob, kindRegexp:
		found = append(found, m.patternFits(p, v)...)
	case kindZone:
		add(1.8, false, v.zones()...)
	case kindURL:
		add(2, true, v.urls...)
		for _, x := range v.paths {
			add(0.8, false, x.value)
		}
	case kindEmail:
		add(2, true, v.emails...)
	case kindDate:
		add(1.6, false, v.dates...)
	case kindOption:
		found = append(found, optionFits(p, v)...)
	case kindSwitch:
		found = append(found, switchFits(m, p, v)...)
	case kindNumber:
		found = append(found, m.numberFits(p, v)...)
	case kindList:
		found = append(found, m.listFits(p, v)...)
	case kindObject:
		add(2, false, v.json...)
	case kindPlace, kindText:
		found = append(found, m.textFits(p, v)...)
	}
	return found
}

// accept reports whether a word that the user wrote next to a parameter's name can be its value, and how it is written.
func (p *parameter) accept(word string) (string, bool) {
	switch p.kind {
	case kindNumber:
		if w := numberWords[strings.ToLower(word)]; w != "" {
			word = w
		}
		return word, json.Valid([]byte(word)) && strings.Trim(word, "-0123456789.eE") == "" && (p.Type != "integer" || !strings.ContainsAny(word, ".eE"))
	case kindOption:
		i := slices.IndexFunc(p.options, func(o string) bool { return strings.EqualFold(o, word) })
		if i < 0 {
			return "", false
		}
		return p.options[i], true
	case kindZone:
		return zoneOf(titled(word))
	case kindText, kindPlace, kindPath, kindDate:
		return word, true
	}
	return "", false
}

// pathFits prefers what is sure to be a path, and a folder or a file as the parameter says.
func (m *method) pathFits(p *parameter, v *values) []fit {
	var found []fit
	for _, x := range v.paths {
		f := fit{value: x.value, score: 1.6, sure: x.strength == pathSure}
		if x.strength == pathMaybe {
			f.score = 1.2
		}
		switch {
		case x.folder && p.folder && !p.file, x.file && p.file && !p.folder:
			f.score += 0.4
		case x.folder && !p.folder:
			continue
		case x.file && !p.file:
			f.score, f.sure = 0.4, false
		}
		if x.folder && len(f.text) > 1 {
			f.text = strings.TrimRight(f.text, "/")
		}
		found = append(found, f)
	}
	for _, x := range v.quoted {
		found = append(found, fit{value: x, score: 1})
	}
	for _, x := range m.places(p, v) {
		found = append(found, fit{value: x, score: 0.6})
	}
	if p.Required && p.folder {
		// Where no folder is named, the one where one stands is meant.
		found = append(found, fit{value: value{text: "."}, score: 0.05})
	}
	return found
}

// places finds a bare word used as a path is: "in X", "the X folder".
func (m *method) places(p *parameter, v *values) []value {
	var found []value
	for i, t := range v.tokens {
		if t.stem == "" || t.stop || isNumber(t.text) || m.words.has(t) || v.covered(span{t.start, t.end}) {
			continue
		}
		before, after := "", ""
		if i > 0 {
			before = strings.ToLower(v.tokens[i-1].text)
		}
		if i > 1 && before == "the" {
			before = strings.ToLower(v.tokens[i-2].text)
		}
		if i+1 < len(v.tokens) {
			after = strings.ToLower(v.tokens[i+1].text)
		}
		_, hint := extensions[t.text]
		if !hint && (inWords[before] || p.folder && folderWords[after] || p.file && fileWords[after]) {
			found = append(found, value{span{t.start, t.end}, t.text})
		}
	}
	return found
}

// inWords stand before a place.
var inWords = set("in inside within under below from at of into to near")

func optionFits(p *parameter, v *values) []fit {
	var found []fit
	lower := strings.ToLower(v.text)
	for _, option := range p.options {
		words := tokenise(splitName(option))
		for i := range v.tokens {
			if n := matchRun(v.tokens[i:], words); n > 0 {
				s := span{v.tokens[i].start, v.tokens[i+n-1].end}
				found = append(found, fit{value: value{s, option}, score: 1.8 + 0.1*float64(n)})
			}
		}
		if at := strings.Index(lower, strings.ToLower(option)); at >= 0 && hasHan(option) {
			found = append(found, fit{value: value{span{at, at + len(option)}, option}, score: 1.8})
		}
	}
	return found
}

// matchRun returns how many tokens at the start of a text are these words, all of them; 0 where they are not.
func matchRun(tokens, words []token) int {
	if len(words) == 0 || len(words) > len(tokens) {
		return 0
	}
	for i, w := range words {
		if t := tokens[i]; t.stem == "" || t.stem != w.stem {
			return 0
		}
	}
	return len(words)
}

// negations turn a switch off.
var negations = set("not no non without don't doesn't never skip exclude excluding")

// switchFits turns a switch on where its name is spoken of, or a word of its description that no other part of the method has.
func switchFits(m *method, p *parameter, v *values) []fit {
	for i, t := range v.tokens {
		if t.stop || !p.spokenOf(m, t) {
			continue
		}
		on := "true"
		for j := max(0, i-3); j < i; j++ {
			if negations[strings.ToLower(v.tokens[j].text)] {
				on = "false"
			}
		}
		return []fit{{value: value{span{t.start, t.end}, on}, score: 1}}
	}
	if p.Required {
		return []fit{{value: value{text: "false"}, score: 0.05}}
	}
	return nil
}

func (p *parameter) spokenOf(m *method, t token) bool {
	if t.stem == "" {
		for _, pair := range bigrams(t.text) {
			if p.words[pair] > 0 && m.words[pair] <= weightParameter {
				return true
			}
		}
		return false
	}
	weight, word := p.words.match(t.stem)
	switch {
	case weight <= 0:
		return false
	case weight >= 0.7:
		return true
	}
	return weight == p.words[word] && len(word) >= 5 && m.words[word] <= weightRemark
}

// numberFits goes by the word after a number: its unit. A word that several numbers of the method are described with tells nothing.
func (m *method) numberFits(p *parameter, v *values) []fit {
	own := func(i int) bool {
		if i < 0 || i >= len(v.tokens) || v.tokens[i].stop || !p.words.has(v.tokens[i]) {
			return false
		}
		for j := range m.parameters {
			q := &m.parameters[j]
			if q.kind == kindNumber && q.Name != p.Name && q.words.has(v.tokens[i]) {
				return false
			}
		}
		return true
	}
	var found []fit
	for _, x := range v.numbers {
		if p.Type == "integer" && strings.ContainsAny(x.text, ".eE") {
			continue
		}
		after := slices.IndexFunc(v.tokens, func(t token) bool { return t.start >= x.end })
		switch {
		case own(after):
			found = append(found, fit{value: x, score: 1.6})
		case p.Required:
			found = append(found, fit{value: x, score: 0.5})
		}
	}
	return found
}

// listFits puts the values that an element could take into one JSON list.
func (m *method) listFits(p *parameter, v *values) []fit {
	var found []fit
	for _, x := range v.json {
		if strings.HasPrefix(x.text, "[") {
			found = append(found, fit{value: x, score: 2})
		}
	}
	element := *p
	element.kind, element.Required = p.item, true
	items := m.fits(&element, v)
	slices.SortStableFunc(items, func(a, b fit) int { return cmp.Compare(b.score, a.score) })
	var chosen []fit
	for _, x := range items {
		// A value that only its place speaks for is taken alone, and where one is needed.
		weak := x.score < 1 && (len(chosen) > 0 || !p.Required)
		if !weak && x.end > 0 && !slices.ContainsFunc(chosen, func(y fit) bool { return x.overlaps(y.span) }) {
			chosen = append(chosen, x)
		}
	}
	if len(chosen) == 0 {
		return found
	}
	score, sure := chosen[0].score, slices.ContainsFunc(chosen, func(x fit) bool { return x.sure })
	slices.SortFunc(chosen, func(a, b fit) int { return cmp.Compare(a.start, b.start) })
	whole := span{chosen[0].start, chosen[len(chosen)-1].end}
	var all []string
	for _, x := range chosen {
		all = append(all, x.text)
	}
	var list []byte
	if p.item == kindNumber {
		list = []byte("[" + strings.Join(all, ",") + "]")
	} else {
		list, _ = json.Marshal(all)
	}
	return append(found, fit{value: value{whole, string(list)}, score: score, sure: sure})
}
