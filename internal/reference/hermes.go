package reference

import (
	"regexp"
	"slices"
	"strings"
)

// ReadHermes reads a reply in the form of docs/hermes.md.
func ReadHermes(text string, o Options) Reply {
	o.Limits = o.Limits.withDefaults()
	r := newReader(text, o)
	r.hermes = true
	r.read()
	return r.reply()
}

var (
	callTag     = regexp.MustCompile(`^<[ \t]?(/?)[ \t]?(?i:tool([_ \t-]?)call)[ \t]?>`)
	responseTag = regexp.MustCompile(`^<[ \t]?(?i:tool[_ \t-]?response)[ \t]?>`)
	toolsTag    = regexp.MustCompile(`^<[ \t]?(/?)[ \t]?(?i:tools)[ \t]?>`)
)

// hermesMarkerAt reads a tag: T1, T2, T8 and T10.
func hermesMarkerAt(text string, i int) (marker, bool) {
	if text[i] != '<' {
		return marker{}, false
	}
	rest := text[i:min(len(text), i+32)]
	if g := callTag.FindStringSubmatch(rest); g != nil {
		m := marker{kind: requestStart, start: i, end: i + len(g[0])}
		if g[1] != "" {
			m.kind = requestEnd
		}
		word := strings.Trim(g[0], "</> \t")
		if strings.ToLower(word) != word {
			m.repairs = append(m.repairs, "marker_case")
		}
		if !strings.EqualFold(g[0], "<"+g[1]+"tool_call>") {
			m.repairs = append(m.repairs, "marker_spacing")
		}
		return m, true
	}
	if s := responseTag.FindString(rest); s != "" {
		return marker{kind: resultStart, start: i, end: i + len(s)}, true
	}
	if g := toolsTag.FindStringSubmatch(rest); g != nil {
		end := i + len(g[0])
		if !isEmphasis(text[lineStart(text, i):i]) || !isEmphasis(text[end:lineEnd(text, end)]) {
			return marker{}, false // T10: each alone on its line, emphasis aside as in T8
		}
		if g[1] != "" {
			return marker{kind: definitionEnd, start: i, end: end}, true
		}
		return marker{kind: definitionStart, start: i, end: end}, true
	}
	return marker{}, false
}

// call is one object of a request.
type call struct {
	name, label string
	arguments   []Argument
	codes       map[string]bool
	end         int
}

// hermesBlock reads the request that START opens, nil if START is text.
func (r *reader) hermesBlock(m marker) *block {
	b := &block{start: m.start, around: r.around(m.start), repairs: m.list()}
	runs := map[int]bool{}
	if !b.around.ends() {
		runs = openRuns(r.lineText)
	}
	j := &jsonReader{text: r.text, end: len(r.text), p: m.end, quoted: b.around.quote, around: b.around, passed: -1}
	if len(runs) > 0 && closingRun(strings.TrimLeft(r.text[m.end:lineEnd(r.text, m.end)], " \t"), runs) == 0 {
		return nil // C9: closed before the body
	}
	body, fenced := r.bodyAt(b, m, j)
	for p := m.end; p < body; p++ {
		if isLineStart(r.text, p) && b.around.endsAt(r.text, p) { // C12
			b.end = m.end
			b.defect("unclosed_block", b.start)
			return b
		}
	}
	if body < 0 {
		if !r.otherFormAt(m) {
			return nil
		}
		b.defect("ambiguous_value", b.start) // T4
		r.breakAt(b, m.end)
		r.hermesSpan(b, runs)
		return b
	}
	if fenced.run > 0 { // J1
		b.repairs = append(b.repairs, Repair{"fenced_body", Span{fenced.start, fenced.body}})
	}
	j.p = body
	r.calls(b, j, fenced)
	b.repairs = append(b.repairs, j.repairs...)
	for _, p := range j.repairs {
		if p.Name == "single_quotes" && !r.o.allows(p.Name) { // J9
			b.defect("ambiguous_value", b.start)
		}
	}
	if j.over || j.deep {
		b.defect("limit_exceeded", b.start)
	}
	if j.passed >= 0 && (b.has("ambiguous_value") || b.open && r.hermesEndIn(j.passed)) { // C12
		b.swallowed = true
		b.defect("ambiguous_value", b.start)
	}
	r.hermesSpan(b, runs)
	return b
}

func (r *reader) hermesEndIn(from int) bool {
	for p := from; p < len(r.text); p++ {
		if m, ok := hermesMarkerAt(r.text, p); ok && m.kind == requestEnd {
			return true
		}
	}
	return false
}

// hermesSpan, C9: a code span that is open before START quotes the request.
func (r *reader) hermesSpan(b *block, runs map[int]bool) { r.spanBehind(b, b.end, runs) }

// bodyAt, T3: returns where the JSON of a request begins, -1 if START is text or the body is in another form; and the fence around it.
func (r *reader) bodyAt(b *block, m marker, j *jsonReader) (int, fence) {
	j.quoted = quoteLine(r.text[lineStart(r.text, m.start):m.start])
	j.around = surroundings{definition: -1} // where they end is told later
	defer func() {
		if b != nil {
			j.around = b.around
		}
	}()
	fenced := false
	object := func() bool {
		if j.p-m.end >= 1024 || j.space() != whole {
			return false
		}
		if r.text[j.p] == '{' {
			return true
		}
		if r.text[j.p] != '[' {
			return false
		}
		at := j.p
		j.p++
		ok := fenced || j.space() == whole && r.text[j.p] == '{'
		j.p = at
		return ok
	}
	if object() {
		if j.p-m.end >= 1024 {
			return -1, fence{}
		}
		return j.p, fence{}
	}
	if j.p >= len(r.text) || j.p-m.end >= 1024 {
		return -1, fence{}
	}
	f, ok := fenceOpener(r.text[j.p:lineEnd(r.text, j.p)])
	if !ok {
		return -1, fence{}
	}
	f.start, f.body = j.p, lineEnd(r.text, j.p)
	j.p, fenced = f.body, true
	if !object() {
		return -1, fence{}
	}
	return j.p, f
}

var (
	jsonBehind = regexp.MustCompile("^(?:`{1,2}[{\\[]|(?:`{3,}|~{3,})[A-Za-z]*[ \\t]*[{\\[])")
	nameOnly   = regexp.MustCompile(`^[\p{L}\p{Nd}_][\p{L}\p{Nd}_./-]{0,63}`)
	otherTag   = regexp.MustCompile(`^<[A-Za-z]`)
)

// otherFormAt, T4: reports whether a call was meant in another form.
func (r *reader) otherFormAt(m marker) bool {
	rest := r.text[m.end:]
	blanks := " \t\r\n"
	if quoteLine(r.text[lineStart(r.text, m.start):m.start]) {
		blanks += ">" // T3
	}
	body := strings.TrimLeft(rest, blanks)
	if body == "" || len(rest)-len(body) >= 1024 {
		return false
	}
	at := len(r.text) - len(body)
	if body[0] == '"' || body[0] == '\'' || jsonBehind.MatchString(body) {
		return true
	}
	if _, ok := hermesMarkerAt(r.text, at); !ok && otherTag.MatchString(body) && !responseTag.MatchString(body) && !toolsTag.MatchString(body) {
		return true
	}
	name := nameOnly.FindString(body)
	if name != "" && strings.HasPrefix(body[len(name):], "(") {
		return true
	}
	if name == "" || at > m.end && !strings.ContainsAny(r.text[m.end:at], "\r\n") {
		return false
	}
	behind := body[len(name):]
	trimmed := strings.TrimLeft(behind, " \t")
	if trimmed == "" {
		return false
	}
	if behind[0] == ':' || strings.ContainsRune("{\r\n", rune(trimmed[0])) {
		return true
	}
	if toolsTag.MatchString(trimmed) || responseTag.MatchString(trimmed) {
		return false
	}
	if next, ok := hermesMarkerAt(r.text, len(r.text)-len(trimmed)); ok {
		return next.kind == requestEnd && strings.Contains(name, "_")
	}
	return otherTag.MatchString(trimmed)
}

// opensRequest reports whether a START at p opens a request (T6, T13).
func (r *reader) opensRequest(p int) bool {
	m, ok := hermesMarkerAt(r.text, p)
	if !ok || m.kind != requestStart {
		return false
	}
	j := &jsonReader{text: r.text, end: len(r.text), p: m.end, passed: -1}
	body, _ := r.bodyAt(nil, m, j)
	return body >= 0 || r.otherFormAt(m)
}

// breakAt, J12: from p on nothing tells what is in a string: the request reaches to the next END in whatever place, or to where
// another begins.
func (r *reader) breakAt(b *block, p int) {
	around, from := b.around, p
	for ; p < len(r.text); p++ {
		if isLineStart(r.text, p) && p > from && around.endsAt(r.text, p) || around.tagEnds(r.text, p) { // C12
			b.end = from
			b.defect("unclosed_block", b.start)
			return
		}
		m, ok := hermesMarkerAt(r.text, p)
		if !ok {
			continue
		}
		switch {
		case m.kind == requestEnd:
			b.repairs = append(b.repairs, m.list()...)
			b.end, b.ended, b.hasEnd = m.end, true, true
			return
		case m.kind == requestStart && r.opensRequest(p), m.kind == resultStart && r.objectBehind(m):
			b.end = p
			return
		}
	}
	b.end = len(r.text)
}

// breakPlain is breakAt without the surroundings, which have ended.
func (r *reader) breakPlain(b *block, p int) {
	plain := *b
	plain.around = surroundings{definition: -1}
	r.breakAt(&plain, p)
	b.end, b.ended, b.hasEnd = plain.end, plain.ended, plain.hasEnd
	b.defect("ambiguous_value", b.start)
}

// startEnd returns where the START of a block ends.
func (r *reader) startEnd(b *block) int {
	m, _ := hermesMarkerAt(r.text, b.start)
	return m.end
}

// objectBehind, T8: reports whether an object stands directly behind a tag.
func (r *reader) objectBehind(m marker) bool {
	return strings.HasPrefix(strings.TrimLeft(r.text[m.end:], " \t\r\n"), "{")
}

// calls reads the objects of a request, and what stands behind them.
func (r *reader) calls(b *block, j *jsonReader, fenced fence) {
	list := r.text[j.p] == '['
	if list { // J2
		j.repair("several_calls", j.p, j.p+1)
		j.p++
	}
	for {
		c := &call{codes: map[string]bool{}, end: len(r.text)}
		b.calls = append(b.calls, c)
		j.space()
		o := r.object(b, c, j)
		if o != whole {
			r.hermesStops(b, j, o)
			return
		}
		c.end = j.p
		last := j.p
		o = j.space()
		if list && o == whole {
			closes := r.text[j.p] == ']'
			if r.text[j.p] == ',' {
				comma := j.p
				j.p++
				if o = j.space(); o == whole && r.text[j.p] == ']' {
					j.repair("trailing_comma", comma, comma+1)
					closes = true
				} else if o == whole && r.text[j.p] == '{' {
					continue
				}
			}
			if closes {
				j.p++
				last = j.p
				r.hermesTail(b, j, last, fenced)
				return
			}
		}
		if list {
			if o == whole && partOfTag(r.text[j.p:]) {
				o = cut
			} else if o == whole {
				o = broken
			}
			r.hermesStops(b, j, o)
			return
		}
		if o == whole && r.text[j.p] == '{' {
			j.repair("several_calls", j.p, j.p+1)
			continue
		}
		j.p = last
		r.hermesTail(b, j, last, fenced)
		return
	}
}

// hermesTail reads what stands behind the last bracket: T5, T6, T8 and J12.
func (r *reader) hermesTail(b *block, j *jsonReader, last int, fenced fence) {
	o := j.space()
	if o == whole && fenced.run > 0 && isLineStart(r.text, lineStart(r.text, j.p)) { // J1: the closing line
		line := r.text[j.p:lineEnd(r.text, j.p)]
		marks := len(line) - len(strings.TrimLeft(line, string(fenced.mark)))
		if marks >= fenced.run {
			j.p += marks
			last = j.p
			o = j.space()
		}
	}
	if o == ended {
		b.defect("unclosed_block", last)
		if b.end = last; !isBlankText(r.text[j.p:lineEnd(r.text, j.p)]) {
			r.breakPlain(b, j.p)
		}
		return
	}
	if o == cut || partOfTag(r.text[j.p:]) {
		b.end, b.cut = last, true
		switch {
		case b.around.ends():
			b.defect("unclosed_block", last)
		case r.o.Stop:
			b.ended = true
			b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
		}
		return
	}
	m, ok := hermesMarkerAt(r.text, j.p)
	switch {
	case ok && m.kind == requestEnd:
		b.repairs = append(b.repairs, m.list()...)
		b.end, b.ended, b.hasEnd = m.end, true, true
	case ok && m.kind == requestStart && r.opensRequest(j.p):
		b.end, b.ended = last, true
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
	case ok && m.kind == resultStart && r.standsAlone(m, r.text[lineStart(r.text, m.start):m.start], r.text[m.end:lineEnd(r.text, m.end)]):
		b.end = j.p
		b.defect("unclosed_block", last)
	default:
		b.defect("ambiguous_value", b.start)
		r.breakAt(b, j.p)
	}
}

// partOfTag, T5: reports whether s is the beginning of an END, or of another tag of the protocol.
func partOfTag(s string) bool {
	for _, tag := range []string{"</tool_call>", "<tool_call>", "<tool_response>", "<tools>", "</tools>"} {
		bare := strings.NewReplacer(" ", "", "\t", "", "_", "", "-", "")
		tag, begun := bare.Replace(tag), bare.Replace(s)
		if strings.HasPrefix(s, "<") && len(begun) < len(tag) && strings.HasPrefix(tag, strings.ToLower(begun)) {
			return true
		}
	}
	return false
}

// standsAlone, T8: reports whether a result's tag has its line to itself, emphasis set aside, or an object stands behind it. before and
// behind are what stands beside it on its line, which begins behind the last request.
func (r *reader) standsAlone(m marker, before, behind string) bool {
	object := strings.TrimLeft(strings.TrimLeft(r.text[m.end:], " \t\u3000\ufeff*_~"), " \t\r\n")
	return isEmphasis(before) && isEmphasis(behind) || strings.HasPrefix(object, "{")
}

// hermesStops ends a request whose JSON does not end: T12, T13, J12 and C12.
func (r *reader) hermesStops(b *block, j *jsonReader, o outcome) {
	switch o {
	case broken:
		b.defect("ambiguous_value", b.start)
		r.breakAt(b, j.p)
	case ended: // C12 leaves open where a request ends that has open brackets
		b.defect("unclosed_block", b.start)
		b.end = r.startEnd(b)
		if !isBlankText(r.text[j.p:lineEnd(r.text, j.p)]) {
			r.breakPlain(b, j.p)
		}
	case cut:
		b.end, b.cut = len(r.text), true
		if b.valueOpen {
			b.open = true
			b.defect("unclosed_value", b.start)
		} else {
			b.defect("unclosed_block", b.start)
		}
	}
}

// object reads one call.
func (r *reader) object(b *block, c *call, j *jsonReader) outcome {
	seen := map[string]int{}
	defer func() {
		if strings.TrimSpace(c.name) == "" {
			c.name = ""
			c.codes["missing_tool_name"] = true // J14
		}
	}()
	return j.members(func(key string, start, end int) outcome {
		known := strings.ToLower(key)
		switch known {
		case "name", "id", "arguments", "parameters":
			if known != key { // J3
				j.repair("key_case", start, end)
			}
			if known == "parameters" { // J4
				j.repair("parameters_key", start, end)
				known = "arguments"
			}
		default:
			c.codes["bad_key"] = true // J13
		}
		if seen[known]++; seen[known] > 1 && (known == "name" || known == "id" || known == "arguments") {
			c.codes["duplicate_key"] = true // J16
			known = ""
		}
		if o := j.space(); o != whole {
			return o
		}
		b.valueOpen = false
		var o outcome
		switch known {
		case "name":
			o = r.nameOf(c, j)
			b.valueOpen = o == cut && !c.codes["missing_tool_name"]
		case "id":
			o = r.labelOf(c, j)
			b.valueOpen = o == cut && !c.codes["missing_tool_name"]
		case "arguments":
			o = r.argumentsOf(b, c, j)
		default:
			_, o = j.value()
		}
		return o
	}, func() { b.valueOpen = false })
}

// members reads the members of the object at j.p: what stands behind a key is read by value, and closed tells that a comma or a brace
// has followed it.
func (j *jsonReader) members(value func(key string, start, end int) outcome, closed func()) outcome {
	if j.depth++; j.depth > 1000 {
		j.over = true
	}
	defer func() { j.depth-- }()
	j.p++
	for first := true; ; first = false {
		if o := j.space(); o != whole {
			return o
		}
		if first && j.text[j.p] == '}' {
			j.p++
			return whole
		}
		key, start, end, o := j.member()
		if o != whole {
			return o
		}
		if o := value(key, start, end); o != whole {
			return o
		}
		if o := j.space(); o != whole {
			return o
		}
		switch j.text[j.p] {
		case '}':
			closed()
			j.p++
			return whole
		case ',':
			closed()
			comma := j.p
			j.p++
			if o := j.space(); o != whole {
				return o
			}
			if j.text[j.p] == '}' && !j.clean { // J6
				j.repair("trailing_comma", comma, comma+1)
				j.p++
				return whole
			}
		default:
			return broken
		}
	}
}

// nameOf, J14: the name is a string.
func (r *reader) nameOf(c *call, j *jsonReader) outcome {
	if q := j.text[j.p]; q != '"' && q != '\'' {
		_, o := j.value()
		c.codes["missing_tool_name"] = true
		return o
	}
	_, says, o := j.str()
	if o == whole {
		c.name = strings.TrimSpace(says)
	}
	return o
}

// labelOf, J14: the id is a string or a number.
func (r *reader) labelOf(c *call, j *jsonReader) outcome {
	q := j.text[j.p]
	if q == '"' || q == '\'' {
		_, says, o := j.str()
		if o == whole {
			c.label = says
		}
		return o
	}
	text, o := j.value()
	if q == '-' || '0' <= q && q <= '9' {
		if o == whole {
			c.label = text
		}
	} else {
		c.codes["missing_tool_name"] = true
	}
	return o
}

// argumentsOf, J5, J11 and J15: the arguments are an object, null, or a string that holds an object.
func (r *reader) argumentsOf(b *block, c *call, j *jsonReader) outcome {
	switch q := j.text[j.p]; {
	case q == '{':
		return r.argumentList(b, c, j)
	case q == '"' || q == '\'':
		at := j.p
		_, says, o := j.str()
		if o != whole {
			b.valueOpen = o == cut
			return o
		}
		j.repair("arguments_string", at, at+1)
		inner := &jsonReader{text: says, end: len(says), clean: true, passed: -1}
		read := &call{codes: map[string]bool{}}
		if inner.space() != whole || says[inner.p] != '{' || r.argumentList(b, read, inner) != whole || inner.space() != cut {
			c.codes["bare_value"] = true
			return whole
		}
		c.arguments = read.arguments
		for code := range read.codes {
			c.codes[code] = true
		}
		return whole
	case strings.HasPrefix(j.text[j.p:], "null") || strings.HasPrefix(j.text[j.p:], "None"):
		_, o := j.value()
		return o
	}
	_, o := j.value()
	c.codes["bare_value"] = true
	return o
}

// argumentList reads the members of arguments: J11, J13, J16 and J17. A value counts once a comma or a brace follows it, or once it is
// what is ambiguous.
func (r *reader) argumentList(b *block, c *call, j *jsonReader) outcome {
	over, closed := false, false
	var pending *Argument
	list := func() {
		if pending == nil {
			return
		}
		a := *pending
		pending = nil
		same := slices.IndexFunc(c.arguments, func(b Argument) bool { return a.Name == b.Name })
		if same >= 0 && c.arguments[same].Text == a.Text {
			return
		}
		if same >= 0 {
			c.codes["duplicate_key"] = true
		}
		c.arguments = append(c.arguments, a)
	}
	o := j.members(func(key string, start, end int) outcome {
		if o := j.space(); o != whole {
			return o
		}
		b.valueOpen = true
		if key == "" {
			key = `""`
			c.codes["bad_key"] = true
		}
		refused := r.text[min(start, len(r.text))-1] == '\'' && !r.o.allows("single_quotes") // J9: it is ambiguous anyway
		before := j.over
		text, o := j.value()
		b.fieldCount++
		limits := r.o.Limits
		if !refused && end-start > limits.KeyBytes || b.fieldCount >= limits.Fields || j.p-b.start > limits.BlockBytes || j.over && !before {
			over = true
		}
		if over {
			b.defect("limit_exceeded", b.start)
			return o
		}
		if refused && end-start > 6*limits.KeyBytes { // J17
			return o
		}
		pending = &Argument{Name: key, Text: text, JSON: true}
		closed = o == whole
		b.valueOpen = b.valueOpen && !closed
		return o
	}, func() { closed = false; list() })
	if o == broken || closed { // T12: a value that its own last byte closes counts
		list()
	}
	return o
}

// hermesRequests makes the requests of one block: one for each object. What is wrong with one is wrong with all (J2).
func (r *reader) hermesRequests(b *block, status string) []Request {
	sortRepairs(b.repairs)
	found := map[string]bool{}
	for _, d := range b.defects {
		found[d.code] = true
	}
	for _, c := range b.calls {
		for code := range c.codes {
			found[code] = true
		}
	}
	for _, p := range b.repairs {
		if !r.o.allows(p.Name) {
			found["repair_refused"] = true
		}
	}
	if len(b.calls) == 0 {
		b.calls = []*call{{}}
	}
	var list []Request
	for _, c := range b.calls {
		q := Request{Span: Span{b.start, b.end}, ToolName: c.name, Label: c.label, Arguments: c.arguments, Repairs: b.repairs}
		r.settle(&q, b, found, status)
		list = append(list, q)
	}
	return list
}

// bareObject, T9: an object that names a method and has arguments and stands in no tag gives a notice.
func (r *reader) bareObject() {
	at := r.pos
	for _, word := range []string{`"arguments":`, `"parameters":`} {
		if !strings.HasPrefix(r.text[at:], word) {
			continue
		}
		from := strings.LastIndexByte(r.text[:at], '{')
		if from < 0 || from < r.lastEnd() || at-from > 256 || r.inCode() || r.inQuote() || r.definition >= 0 || r.dropping {
			return
		}
		between := r.text[from+1 : at]
		if isSpaceText(between) || strings.Contains(between, `"name"`) {
			r.notices = append(r.notices, Notice{"malformed_request", Span{from, at + len(word)}})
		}
	}
}
