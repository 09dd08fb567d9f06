package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// readArguments implements Schema.ObjectWith.
func readArguments(
	ps *parameters, args []Text, o ObjectOptions,
) (object json.RawMessage, repaired []Repaired, err error) {
	size, nameBytes := 0, 0
	for _, arg := range args {
		nameBytes += len(arg.Name)
		size += len(arg.Name) + len(arg.Value) + 4 // 4 for the punctuation in an object: "":,
	}
	if size > maxText {
		return nil, nil, tooLong(language(o.Language), size)
	}
	// Each name may be matched with each pattern.
	if root := ps.of(ps.root); len(args)*len(root.patterns)+matchingCost(nameBytes, root.namePatterns) > maxWork {
		problem := language(o.Language).tooMuchWork()
		return nil, nil, &ArgumentsError{Language: o.Language, Problems: []Problem{problem}}
	}
	r := newRequest(ps, args, language(o.Language))
	defer r.release()
	for i := range r.args {
		r.take(&r.args[i])
	}
	for i := range ps.declared {
		if d := &ps.declared[i]; !r.slots[i].read && !r.reported[d.name] && r.grow(d.info) {
			r.slots[i].value, r.slots[i].read = *d.info.fallback, true
		}
	}
	if r.grown > maxText {
		return nil, nil, tooLong(r.language, r.grown)
	}
	unknown, harmless := r.checkUnknown()
	if !o.DropUnknown || !harmless {
		r.found, r.unknown = append(r.found, unknown...), nil
	}
	if !r.surelyFits() {
		// At least the valueSize of the arguments: a value and its comma have 2 bytes or more, and
		// valueSize adds 2.
		bound := 2*size + r.grown
		found, more := ps.check(r.all(), bound, r.reported, r.language)
		if len(found) > 0 && r.several != nil && r.reread(bound) {
			found, more = nil, 0
		}
		r.keepRepairs()
		if found = append(r.found, found...); len(found) > 0 {
			if r.unknown != nil { // they are not dropped, because other arguments are wrong
				found = append(found, unknown...)
			}
			r.suggestMissing(found)
			return nil, nil, newError(r.language, found, more, ps.index)
		}
	}
	r.dropUnknown()
	return r.encode(size + r.grown), r.repaired.report(), nil
}

func tooLong(l language, size int) error {
	return &ArgumentsError{Language: string(l), Problems: []Problem{{
		Code: CodeLimit, Expected: l.say("at most %d bytes in all", maxText), Received: l.say("%d bytes", size),
	}}}
}

// take reads one argument and stores its value, or a finding if it cannot be read. An undeclared
// argument that the schema does not accept is stored in unknown.
func (r *request) take(arg *Text) {
	i, declared := r.parameters.match(arg.Name)
	name := arg.Name
	switch {
	case declared:
		name = r.parameters.declared[i].name
	case !utf8.ValidString(name):
		p := Problem{Code: CodeEncoding, Expected: r.say("a name in UTF-8"), Received: r.say("other bytes")}
		r.fail(strings.ToValidUTF8(name, "\uFFFD"), p)
		return
	case !r.parameters.takesOther(name):
		r.unknown = append(r.unknown, arg)
		return
	default:
		i = r.other(name)
	}
	s := &r.slots[i]
	if earlier := s.arg; earlier != nil {
		if earlier.Value != arg.Value || earlier.JSON != arg.JSON {
			two := r.say("two: %s and %s", r.describe(earlier.Value), r.describe(arg.Value))
			r.fail(name, Problem{Code: CodeDuplicate, Expected: r.say("one value"), Received: two})
		}
		return
	}
	s.arg = arg
	if !utf8.ValidString(arg.Value) {
		r.fail(name, Problem{Code: CodeEncoding, Expected: r.say("text in UTF-8"), Received: r.say("other bytes")})
		return
	}
	r.path = append(r.path[:0], name)
	if name != arg.Name {
		r.note(ArgumentName)
	}
	if declared && r.parameters.declared[i].isAbsent(arg) {
		r.note(NullAbsent)
		return
	}
	v, refused := r.readArgument(i, arg)
	if refused != nil {
		r.fail(name, *refused)
		return
	}
	if isHuge(v) {
		r.fail(name, r.longNumber())
		r.found[len(r.found)-1].path, _ = hugeNumber(v, name)
		return
	}
	s.value, s.read = v, true
}

// readArgument reads the argument of a slot.
func (r *request) readArgument(i int, arg *Text) (any, *Problem) {
	if i >= len(r.parameters.declared) {
		return r.readValue(arg, r.of(r.of(r.parameters.root).member(arg.Name)))
	}
	if d := &r.parameters.declared[i]; d.more == nil {
		return r.readValue(arg, d.info)
	}
	return r.readAll(i, arg)
}

// checkUnknown returns a finding for each unknown argument. harmless reports whether all of them
// may be dropped instead, as ObjectOptions.DropUnknown describes.
func (r *request) checkUnknown() (found []finding, harmless bool) {
	given := func(name string) bool { return r.slots[r.parameters.index[name]].arg != nil }
	harmless = r.parameters.silent && len(r.unknown) <= MaxPlaces
	if len(r.unknown) == 0 {
		return nil, harmless
	}
	expected := r.declaredNames(r.parameters.names)
	for i, arg := range r.unknown {
		f := r.unknownArgument([]string{arg.Name}, r.parameters.names, expected, given, i+1)
		found = append(found, f)
		harmless = harmless && f.Nearest == "" && text.Comparable(arg.Name) && !arg.mayContainArguments()
	}
	return found, harmless
}

// suggestMissing sets Problem.Nearest if exactly one argument is unknown, exactly one is missing,
// and the value of the unknown argument fits the type of the missing one.
func (r *request) suggestMissing(found []finding) {
	var missing, unknown []int // indexes in found
	for i, f := range found {
		switch {
		case f.Code == CodeRequired && len(f.path) == 1:
			missing = append(missing, i)
		case f.Code == CodeUnknown && len(f.path) == 1:
			unknown = append(unknown, i)
		}
	}
	if len(missing) != 1 || len(unknown) != 1 || found[unknown[0]].Nearest != "" {
		return
	}
	missingName, unknownName := found[missing[0]].path[0], found[unknown[0]].path[0]
	at := slices.IndexFunc(r.args, func(a Text) bool { return a.Name == unknownName })
	i, declared := r.parameters.index[missingName]
	if at < 0 || !declared {
		return
	}
	p := r.parameters.declared[i].info
	if v, refused := r.readValue(&r.args[at], p); refused == nil && (p.types == typeAny || typeOf(v)&p.types != 0) {
		found[unknown[0]].Nearest = missingName
	}
}

// mayContainArguments reports whether the value looks like an object or a list, in JSON or in text.
// Models may write all arguments of a call into one argument such as "args". If this argument were
// dropped, the call would run without the arguments that restrict what it does.
func (t *Text) mayContainArguments() bool {
	value := t.Value
	if t.JSON {
		value = orderedjson.PlainText(json.RawMessage(value))
	}
	value = strings.TrimSpace(value)
	return strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")
}

// dropUnknown records the repair UnknownArgument for each unknown argument. Unknown arguments have
// no value in r, so nothing else is needed to drop them.
func (r *request) dropUnknown() {
	for _, arg := range r.unknown {
		r.path = append(r.path[:0], arg.Name)
		r.note(UnknownArgument)
	}
}

// isAbsent reports whether the value of an argument is null or Python's None and means that the
// argument is absent; see NullAbsent.
func (d *parameter) isAbsent(arg *Text) bool {
	word := strings.TrimSpace(arg.Value)
	if d.required || word != "null" && (arg.JSON || word != "None") {
		return false
	}
	mayBeText := false
	for _, n := range d.declarations() {
		if _, _, listed := choose(word, n.info.choices); listed || n.info.types&typeNull != 0 {
			return false
		}
		mayBeText = mayBeText || n.info.types&typeString != 0 || n.info.listForm.text
	}
	if arg.JSON || !mayBeText {
		return true
	}
	v := defaultOf(d.info.node) // a word that may be text means absence only if the default is null
	return v != nil && *v == nil
}
