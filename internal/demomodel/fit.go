package demomodel

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A fit is a value that a parameter could take.
type fit struct {
	value
	score     float64 // how well it fits: 0.05 for a guess, about 2 for a value after the parameter's name, 3 for arithmetic
	sure      bool    // hardly any other parameter takes such a value
	named     bool    // the parameter's name comes right before it
	parameter int     // index in the method's parameters
}

// plainFits[p][x] is the score of a value of kind x for a parameter of kind p, if no words around
// the value change the score.
var plainFits = map[kind]map[kind]float64{
	kindArithmetic: {kindArithmetic: 3, kindQuoted: 1},
	kindGlob:       {kindGlob: 1.6, kindFormat: 1},
	kindZone:       {kindZone: 1.8},
	kindDate:       {kindDate: 1.8, kindQuoted: 1},
	kindPath:       {kindPath: 1.6, kindQuoted: 1},
	kindText:       {kindQuoted: 1.6, kindCode: 0.9, kindDate: 0.9, kindName: 0.6},
}

// fits returns the values in a part of a question that fit a parameter of a method.
func (m *method) fits(p *parameter, v *values) []fit {
	switch p.kind {
	case kindOption:
		return p.optionFits(v)
	case kindSwitch:
		return p.switchFits(v)
	case kindList:
		return m.listFits(p, v)
	}
	var found []fit
	names := p.nameEnds(v.tokens)
	for _, x := range v.all {
		// A question may contain any date, so a date is sure only after the parameter's name.
		f := fit{value: x, score: plainFits[p.kind][x.kind], sure: p.kind == x.kind && x.isDistinct() && x.kind != kindDate}
		wordBefore, wordAfter := v.around(x.span)
		// For afterName, words such as "of" may be between the name and the value; for f.named,
		// only blanks and colons.
		afterName := slices.ContainsFunc(names, func(end int) bool { return m.follows(x, end, v.text) })
		f.named = slices.ContainsFunc(names, func(end int) bool { return end < x.start && strings.Trim(v.text[end:x.start], " :") == "" })
		switch {
		case p.kind == kindNumber:
			f.score = m.numberScore(p, x, afterName, wordAfter)
		case afterName && p.kind == kindDate && x.kind == kindDate:
			f.score, f.sure = 2.2, true
		case afterName && (p.kind == kindText || p.kind == kindPath):
			if f.score = 2; x.kind == kindWord {
				f.score = 1.9
			}
		case p.kind == kindText && x.kind == kindName && inWords[wordBefore.text]:
			f.score = 1
		case p.kind == kindPath:
			m.fitPath(p, &f, wordBefore, wordAfter)
		}
		if f.score > 0 {
			found = append(found, f)
		}
	}
	switch {
	case p.kind == kindText && p.Required:
		pathsTaken := slices.ContainsFunc(m.parameters, func(q parameter) bool { return q.kind == kindPath && q.Required })
		for i, limit := range []float64{anyWeight, nameWeight} { // with nameWeight, words of the description may be a value, too
			if x := v.rest(m.words, limit, pathsTaken); x.end > 0 {
				found = append(found, fit{value: x, score: 0.3 - 0.1*float64(i)})
			}
		}
	case p.kind == kindPath && p.Required && p.takesFolders:
		found = append(found, fit{value: value{text: "."}, score: 0.05}) // no folder is named
	}
	return found
}

// around returns the words before and after a place. It skips articles before the place.
func (v *values) around(s span) (wordBefore, wordAfter token) {
	for _, t := range v.tokens {
		switch {
		case t.start >= s.end:
			return wordBefore, t
		case t.end <= s.start && t.text != "the" && t.text != "a" && t.text != "an":
			wordBefore = t
		}
	}
	return wordBefore, token{}
}

var (
	// joinForm is the text between a parameter's name and a value: "title: Dune", "title of Dune".
	joinForm = regexp.MustCompile(`^\s*(?:([:=：])\s*|(?i:(?:is|of|to|as|the|a|an|called|named|be)\s+)*)["'“「]?$`)
	inWords  = set("in inside within under below from at of into to near 在") // before a place

	// A word of fromWords stands for a parameter named in fromNames, one of toWords for toNames.
	fromNames, fromWords = set("from origin source start departure"), set("from since between 从 自 自从")
	toNames, toWords     = set("to destination target recipient receiver until"), set("to until till before 到 离 距 距离")
)

// nameEnds returns the offsets at which the parameter's own name ends in a question, or a word of
// fromWords or toWords that stands for the parameter.
func (p *parameter) nameEnds(tokens []token) (ends []int) {
	for _, s := range placesOf(p.names, tokens) {
		ends = append(ends, s.end)
	}
	for _, t := range tokens {
		if fromNames[p.Name] && fromWords[t.text] || toNames[p.Name] && toWords[t.text] {
			ends = append(ends, t.end)
		}
	}
	return ends
}

// follows reports whether a value comes right after a parameter's name, which ends at end. A common
// word, or a word of the method's names, is a value only after a colon or an equals sign.
func (m *method) follows(x value, end int, text string) bool {
	if end > x.start || x.start > end+maxJoin {
		return false
	}
	join, t := joinForm.FindStringSubmatch(text[end:x.start]), tokenize(x.text)
	return len(join) > 0 && (join[1] != "" || x.kind != kindWord || len(t) > 0 && t[0].isContentWord() && !m.words.has(t[0], nameWeight))
}

// bounds are the words for the ends of a range in the names of parameters.
var bounds = map[kind]map[string]bool{kindFirst: stemSet("start first from begin min"), kindLast: stemSet("end last to until stop max")}

// numberScore returns how well a number fits. Best is an end of a range ("lines 5 to 8") that the
// parameter's name describes, or a number after that name, then a number before a unit that only
// this parameter has. A required parameter takes any other number.
func (m *method) numberScore(p *parameter, x value, afterName bool, unit token) float64 {
	otherHasUnit := slices.ContainsFunc(m.parameters, func(q parameter) bool {
		return q.kind == kindNumber && q.Name != p.Name && q.words.has(unit, anyWeight)
	})
	switch {
	case x.unit != "" && says(p.names, bounds[x.kind]) && p.words.has(tokenize(x.unit)[0], anyWeight):
		return 2
	case x.kind != kindNumber, p.Type == "integer" && strings.Contains(x.text, "."):
		return 0
	case afterName:
		return 2
	case p.words.has(unit, anyWeight) && !otherHasUnit:
		return 1.6
	case p.Required:
		return 0.5
	}
	return 0
}

// fitPath corrects the score of f by whether p takes folders or files. A plain word scores as a
// path only in phrases such as "in X" or "list X".
func (m *method) fitPath(p *parameter, f *fit, wordBefore, wordAfter token) {
	isFolder, isFile := strings.HasSuffix(f.text, "/"), fileForm.MatchString(f.text[strings.LastIndexAny(f.text, `/\`)+1:])
	switch {
	case f.kind == kindWord:
		isPlace := inWords[wordBefore.text] || strings.HasPrefix(wordAfter.text, "里") || strings.HasPrefix(wordAfter.text, "中的") ||
			p.takesFolders && wordAfter.in(folderWords) || p.takesFiles && wordAfter.in(fileWords) ||
			wordAfter.end == 0 && m.action.has(wordBefore, 1)
		if t := tokenize(f.text); isPlace && len(t) > 0 && t[0].isContentWord() && (strings.Contains(f.text, "/") || !m.words.has(t[0], anyWeight)) {
			f.score = 0.6
		}
	case f.kind == kindQuoted: // keeps its score
	case isFolder && !p.takesFolders:
		f.score = 0
	case isFile && !p.takesFiles:
		f.score, f.sure = 0.4, false
	case isFolder && !p.takesFiles, isFile && !p.takesFolders:
		f.score += 0.4
	}
	if isFolder && len(f.text) > 1 {
		f.text = strings.TrimRight(f.text, "/")
	}
}

func (p *parameter) optionFits(v *values) (found []fit) {
	for _, option := range p.options {
		places := placesOf(tokenize(splitName(option)), v.tokens)
		if at := strings.Index(v.text, option); at >= 0 && hasHan(option) { // a Chinese option may be a part of a token
			places = []span{{at, at + len(option)}}
		}
		for _, s := range places {
			score := 1.8 + 0.01*float64(len(option)) // a longer option wins
			found = append(found, fit{value: value{span: s, text: option}, score: score})
		}
	}
	return found
}

// switchFits turns a switch on if a question mentions its name, and off if it negates the name.
func (p *parameter) switchFits(v *values) []fit {
	t, negated := p.words.mentioned(v.tokens)
	switch {
	case t.end > 0:
		return []fit{{value: value{span: t.span, text: strconv.FormatBool(!negated)}, score: 1}}
	case p.Required:
		return []fit{{value: value{text: "false"}, score: 0.05}}
	}
	return nil
}

// listFits puts the values that an element could take into one JSON list.
func (m *method) listFits(p *parameter, v *values) []fit {
	element := *p
	element.kind, element.Required = p.item, true
	items := m.fits(&element, v)
	slices.SortStableFunc(items, func(a, b fit) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.start, b.start)) })
	list, elements := fit{}, []json.RawMessage{}
	for _, x := range items {
		// A value that is not in the question is no element. A value with a low score is an element
		// only if a required list would otherwise be empty.
		if x.end == 0 || x.overlaps(list.span) || x.score < 1 && (len(elements) > 0 || !p.Required) {
			continue
		}
		text := json.RawMessage(x.text)
		if p.item != kindNumber {
			text, _ = json.Marshal(x.text)
		}
		if elements = append(elements, text); len(elements) == 1 {
			list = x
		}
		list.span = span{min(list.start, x.start), max(list.end, x.end)}
	}
	if len(elements) == 0 {
		return nil
	}
	text, _ := json.Marshal(elements)
	list.text = string(text)
	return []fit{list}
}

var runForm = regexp.MustCompile(`[^\x00 ]+(?: +[^\x00 ]+)*`)

// rest returns the longest run of words that are not common and whose weight in own is below limit,
// or the zero value. If pathsTaken is set, another parameter takes paths, so a run without a solid
// value is preferred.
func (v *values) rest(own vocabulary, limit float64, pathsTaken bool) (longest value) {
	kept := make([]byte, len(v.text)) // the text with NUL bytes in place of words that are no value
	for i := range kept {
		if v.text[i] == ' ' {
			kept[i] = ' '
		}
	}
	for _, t := range v.tokens {
		if t.isContentWord() && !own.has(t, limit) {
			copy(kept[t.start:], v.text[t.start:t.end])
		}
		r, at := []rune(t.text), t.start
		// explained reports whether the pair of characters at i is common, or a word of own.
		explained := func(i int) bool {
			pair := string(r[max(0, i):min(i+2, len(r))])            // a single character at the ends, which is not common
			weighs := func(s string) bool { return own[s] >= limit } // s is the pair or a synonym of it
			return stopPairs[pair] || weighs(pair) || slices.ContainsFunc(synonyms[pair], weighs)
		}
		for i, c := range r {
			if hasHan(t.text) && !strings.ContainsRune(particles, c) && !explained(i-1) && !explained(i) {
				copy(kept[at:], string(c))
			}
			at += utf8.RuneLen(c)
		}
	}
	longestHasSolid := true // longest is empty, or it contains a solid value
	for _, at := range runForm.FindAllIndex(kept, -1) {
		x := value{span: span{at[0], at[1]}, text: v.text[at[0]:at[1]]}
		hasSolid := pathsTaken && slices.ContainsFunc(v.all, func(o value) bool { return solid[o.kind] && o.overlaps(x.span) })
		if longest.end == 0 || longestHasSolid && !hasSolid || longestHasSolid == hasSolid && at[1]-at[0] > longest.end-longest.start {
			longest, longestHasSolid = x, hasSolid
		}
	}
	return longest
}
