package schema

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxFindings limits the findings of the validator that are kept. The others are counted.
const maxFindings = 10_000

// check runs the validator on v and returns its findings, and how many more there are. size must be
// at least valueSize(v). reported contains the names of arguments that have findings already: check
// does not report these arguments as missing. If reported is not empty, check also omits findings
// about the arguments as a whole.
func (ps *parameters) check(v any, size int, reported map[string]bool, l language) (found []finding, more int) {
	fail := func(expected phrase, received string) []finding {
		return []finding{{Problem: Problem{Code: CodeForm, Expected: l.say(expected), Received: received}}}
	}
	defer func() {
		if p := recover(); p != nil {
			found, more = fail(phrase("arguments that can be checked against the schema"), fmt.Sprint(p)), 0
		}
	}()
	if ps.work(v, size, ps.root, maxWork) > maxWork {
		return []finding{{Problem: l.tooMuchWork()}}, 0
	}
	err := ps.root.Validate(v)
	if err == nil {
		return nil, 0
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return fail(phrase("arguments that the schema accepts"), err.Error()), 0
	}
	return ps.findings(invalid, v, reported, l)
}

// findings converts the validator's error about instance to findings. more counts those that are
// not kept.
func (ps *parameters) findings(
	err *jsonschema.ValidationError, instance any, reported map[string]bool, l language,
) (list []finding, more int) {
	f := findings{language: l, parameters: ps, instance: instance, reported: reported}
	f.add(err)
	if len(reported) > 0 {
		f.list = slices.DeleteFunc(f.list, func(f finding) bool { return len(f.path) == 0 })
	}
	return f.list, f.more
}

// findings collects the findings in the validator's tree of errors and their causes.
type findings struct {
	language
	parameters *parameters
	instance   any
	reported   map[string]bool // arguments that have been reported already
	list       []finding
	more       int               // findings after the first maxFindings
	unknown    int               // number of unknown members so far
	declared   map[string]string // results of declaredNames, by the location of the schema; "" for all arguments
}

// isFull reports whether list is full. In this case, it counts a finding that is not kept.
func (f *findings) isFull() bool {
	if len(f.list) < maxFindings {
		return false
	}
	f.more++
	return true
}

// note adds a finding.
func (f *findings) note(path []string, code Code, expected, got string) {
	if !f.isFull() {
		f.list = append(f.list, finding{path: path, Problem: Problem{Code: code, Expected: expected, Received: got}})
	}
}

// add collects the findings of err and of its causes.
func (f *findings) add(err *jsonschema.ValidationError) {
	path := err.InstanceLocation
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		f.missing(err, k.Missing, "")
	case *kind.DependentRequired:
		f.missing(err, k.Missing, k.Prop)
	case *kind.Dependency:
		f.missing(err, k.Missing, k.Prop)
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			if !f.isFull() {
				f.list = append(f.list, f.unknownMember(err, name))
			}
		}
	case *kind.AnyOf, *kind.OneOf:
		f.alternatives(err)
	default:
		if code, expected, got := f.explain(err.ErrorKind); code != "" {
			// The problem also tells how to write the value, unless the text spells an integer.
			if wanted, ok := err.ErrorKind.(*kind.Type); ok && isWords(f.at(path)) {
				expected = f.spelled(typesNamed(wanted.Want...))
			}
			if p := f.parameters.byLocation[err.SchemaURL]; code == CodeType && p != nil {
				expected += f.parameters.members(p, f.language)
			}
			f.note(path, code, expected, cmp.Or(got, f.describe(f.at(path))))
			return
		}
		if len(err.Causes) == 0 {
			f.note(path, CodeForm, f.say("a value that its schema accepts"), f.describe(f.at(path)))
		}
		for _, cause := range err.Causes {
			f.add(cause)
		}
	}
}

// isWords reports whether a value is a string that is not the spelling of an integer.
func isWords(v any) bool {
	text, ok := v.(string)
	_, spells := integerText(text)
	return ok && !spells
}

// at returns the value at a path; nil if nothing is there.
func (f *findings) at(path []string) any {
	v := f.instance
	for _, token := range path {
		v = child(v, token)
	}
	return v
}

// missing adds a finding for each of names, the missing members of an object. because is the member
// that requires them, or "" if they are always required.
func (f *findings) missing(err *jsonschema.ValidationError, names []string, because string) {
	for _, name := range names {
		if len(err.InstanceLocation) == 0 && f.reported[name] || f.isFull() {
			continue
		}
		expected := f.say("a value")
		if because != "" {
			expected = f.say("a value, because %s is given", shorten(because))
		} else if p := f.parameters.byLocation[err.SchemaURL]; p != nil && p.named[name] != nil {
			member := f.parameters.of(p.named[name])
			expected = f.types(member.types) + f.parameters.members(member, f.language)
		}
		f.note(joinPath(err.InstanceLocation, name), CodeRequired, expected, f.say("nothing"))
	}
}

// unknownMember returns the finding that an object has a member that its schema does not know.
func (f *findings) unknownMember(err *jsonschema.ValidationError, name string) finding {
	f.unknown++
	var names []string
	schema := err.SchemaURL
	if len(err.InstanceLocation) == 0 {
		names, schema = f.parameters.names, ""
	} else if p := f.parameters.byLocation[err.SchemaURL]; p != nil {
		names = p.names
	}
	object, _ := f.at(err.InstanceLocation).(map[string]any)
	given := func(name string) bool { _, ok := object[name]; return ok }
	expected, known := f.declared[schema]
	if !known {
		expected = f.declaredNames(names)
		if f.declared == nil {
			f.declared = map[string]string{}
		}
		f.declared[schema] = expected
	}
	return f.unknownArgument(joinPath(err.InstanceLocation, name), names, expected, given, f.unknown)
}

// alternatives reports a value that does not match anyOf or oneOf. If all schemas but one want
// another type, it reports the findings of the remaining schema. Otherwise it reports that the type
// is wrong, or that the value does not have one of the allowed forms.
func (f *findings) alternatives(err *jsonschema.ValidationError) {
	depth := len(err.InstanceLocation)
	var remaining []*jsonschema.ValidationError
	for _, cause := range err.Causes {
		if !wrongType(cause, depth) {
			remaining = append(remaining, cause)
		}
	}
	if len(remaining) == 1 {
		f.add(remaining[0])
		return
	}
	code, expected, got := CodeForm, f.say("exactly one of several forms"), f.at(err.InstanceLocation)
	if p := f.parameters.byLocation[err.SchemaURL]; p != nil {
		if k := p.types; k != typeAny && k&typeOf(got) == 0 {
			code, expected = CodeType, f.types(k)
		} else if len(err.Causes) > 0 {
			expected = f.say("one of the forms that its schema lists")
		}
	}
	f.note(err.InstanceLocation, code, expected, f.describe(got))
}

// wrongType reports whether err only says that the value at that depth has the wrong type.
func wrongType(err *jsonschema.ValidationError, depth int) bool {
	if len(err.InstanceLocation) != depth {
		return false
	}
	if _, ok := err.ErrorKind.(*kind.Type); ok {
		return true
	}
	return len(err.Causes) > 0 && !slices.ContainsFunc(err.Causes, func(c *jsonschema.ValidationError) bool {
		return !wrongType(c, depth)
	})
}

// explain returns the keyword that a value violates, and what the keyword expects. got says what
// was received, or is "" if that is the value itself. code is "" for a kind of error that only
// groups others.
func (l language) explain(k jsonschema.ErrorKind) (code Code, expected, got string) {
	switch k := k.(type) {
	case *kind.Type:
		return CodeType, l.types(typesNamed(k.Want...)), ""
	case *kind.Enum:
		return CodeEnum, l.oneOf(k.Want), ""
	case *kind.Const:
		return "const", l.describe(k.Want), ""
	case *kind.FalseSchema:
		return CodeForm, l.say("no value"), ""
	case *kind.Minimum:
		return "minimum", l.say("at least %s", ratText(k.Want)), ""
	case *kind.Maximum:
		return "maximum", l.say("at most %s", ratText(k.Want)), ""
	case *kind.ExclusiveMinimum:
		return "exclusiveMinimum", l.say("more than %s", ratText(k.Want)), ""
	case *kind.ExclusiveMaximum:
		return "exclusiveMaximum", l.say("less than %s", ratText(k.Want)), ""
	case *kind.MultipleOf:
		return "multipleOf", l.say("a multiple of %s", ratText(k.Want)), ""
	case *kind.Format:
		return "format", l.format(k.Want), ""
	case *kind.Pattern:
		return "pattern", l.say("text that matches %s", k.Want), ""
	case *kind.MinLength:
		return "minLength", l.say("at least %s", l.count(k.Want, "%d character")), l.count(k.Got, "%d character")
	case *kind.MaxLength:
		return "maxLength", l.say("at most %s", l.count(k.Want, "%d character")), l.count(k.Got, "%d character")
	case *kind.MinItems:
		return "minItems", l.say("at least %s", l.count(k.Want, "%d element")), l.count(k.Got, "%d element")
	case *kind.MaxItems:
		return "maxItems", l.say("at most %s", l.count(k.Want, "%d element")), l.count(k.Got, "%d element")
	case *kind.MinProperties:
		return "minProperties", l.say("at least %s", l.count(k.Want, "%d member")), l.count(k.Got, "%d member")
	case *kind.MaxProperties:
		return "maxProperties", l.say("at most %s", l.count(k.Want, "%d member")), l.count(k.Got, "%d member")
	case *kind.AdditionalItems:
		return "additionalItems", l.say("no further elements"), l.say("%s too many", l.count(k.Count, "%d element"))
	case *kind.UniqueItems:
		return "uniqueItems", l.say("no element twice"), l.say("elements %d and %d alike", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains, *kind.MinContains:
		return "contains", l.say("more elements of the form that its schema names"), ""
	case *kind.MaxContains:
		return "maxContains", l.say("fewer elements of the form that its schema names"), ""
	case *kind.Not:
		return "not", l.say("a value other than those that its schema rules out"), ""
	}
	return "", "", ""
}

// ratText returns a limit as a decimal number.
func ratText(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, exact := r.Float64()
	if exact || math.Abs(f) < 1e-15 { // 20 decimal places show only a few digits of so small a number
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strings.TrimRight(r.FloatString(20), "0") // rounded to 20 decimal places
}

// joinPath returns a new path with a name at the end.
func joinPath(path []string, name string) []string {
	return append(path[:len(path):len(path)], name)
}
