package schema

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/vcpgo/vcp/internal/text"
)

// check runs the validator on v, whose mass is at most size, and returns its findings. known are
// arguments that have been reported already. Findings that they are missing, and findings about the
// arguments as a whole, are dropped.
func (ps *parameters) check(v any, size int, known map[string]bool) (found []finding) {
	fail := func(expected, received string) []finding {
		return []finding{{Problem: Problem{Expected: expected, Received: received}}}
	}
	defer func() {
		if p := recover(); p != nil {
			found = fail("arguments that can be checked against the schema", fmt.Sprint(p))
		}
	}()
	if ps.work(v, size, ps.root, maxWork) > maxWork {
		return fail("fewer elements, or fewer within one another", "more than can be checked against the schema")
	}
	err := ps.root.Validate(v)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return fail("arguments that the schema accepts", err.Error())
	}
	return ps.findings(invalid, v, known)
}

// findings returns what the validator found in instance.
func (ps *parameters) findings(err *jsonschema.ValidationError, instance any, known map[string]bool) []finding {
	f := findings{parameters: ps, instance: instance, known: known}
	f.add(err)
	if len(known) > 0 {
		f.list = slices.DeleteFunc(f.list, func(f finding) bool { return len(f.path) == 0 })
	}
	return f.list
}

// checkNumbers finds the first number in v, which is at path, that is past the limits.
func (ps *parameters) checkNumbers(v any, path []string) []finding {
	if path, found := hugeNumber(v, path); found {
		return []finding{{path: slices.Clone(path), Problem: Problem{Expected: expectNumber, Received: "a longer one"}}}
	}
	return nil
}

// findings collects the findings in the validator's tree of causes.
type findings struct {
	parameters *parameters
	instance   any
	known      map[string]bool // arguments that have been reported already
	list       []finding
	unknown    int                // members that no schema knows
	sorted     map[*part][]string // the names of the members of the schema that was asked for last
}

func (f *findings) note(path []string, expected, got string) {
	f.list = append(f.list, finding{path: path, Problem: Problem{Expected: expected, Received: got}})
}

// add collects the findings of err and of its causes.
func (f *findings) add(err *jsonschema.ValidationError) {
	path := err.InstanceLocation
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		f.missing(err, k.Missing)
	case *kind.DependentRequired:
		f.dependent(path, k.Prop, k.Missing)
	case *kind.Dependency:
		f.dependent(path, k.Prop, k.Missing)
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			f.list = append(f.list, f.unknownMember(err, name))
		}
	case *kind.FalseSchema:
		f.note(path, "nothing", describe(f.at(path)))
	case *kind.AnyOf, *kind.OneOf:
		f.alternatives(err)
	default:
		if expected, got, ok := explain(err.ErrorKind); ok {
			if got == "" {
				got = describe(f.at(path))
			}
			f.note(path, expected, got)
			return
		}
		if len(err.Causes) == 0 {
			f.note(path, "a value that its schema accepts", describe(f.at(path)))
		}
		for _, cause := range err.Causes {
			f.add(cause)
		}
	}
}

// at returns the value at a path; nil if there is none.
func (f *findings) at(path []string) any {
	v := f.instance
	for _, token := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

func (f *findings) missing(err *jsonschema.ValidationError, names []string) {
	for _, name := range names {
		if len(err.InstanceLocation) == 0 && f.known[name] {
			continue
		}
		expected := "a value"
		if p := f.parameters.byLocation[err.SchemaURL]; p != nil && p.named[name] != nil {
			expected = f.parameters.of(p.named[name]).types.String()
		}
		f.note(joinPath(err.InstanceLocation, name), expected, gotNothing)
	}
}

func (f *findings) dependent(path []string, because string, names []string) {
	for _, name := range names {
		if len(path) == 0 && f.known[name] {
			continue
		}
		f.note(joinPath(path, name), "a value, because "+because+" is given", gotNothing)
	}
}

func (f *findings) unknownMember(err *jsonschema.ValidationError, name string) finding {
	f.unknown++
	var names []string
	if len(err.InstanceLocation) == 0 {
		names = f.parameters.names
	} else if p := f.parameters.byLocation[err.SchemaURL]; p != nil {
		if names = f.sorted[p]; names == nil {
			names = sortedKeys(p.named)
			f.sorted = map[*part][]string{p: names} // a long list of objects has the same unknown members again and again
		}
	}
	object, _ := f.at(err.InstanceLocation).(map[string]any)
	given := func(name string) bool { _, ok := object[name]; return ok }
	return unknownArgument(joinPath(err.InstanceLocation, name), names, given, f.unknown)
}

// unknownArgument reports that the last name of a path is not one of names, of which some are given.
// It is the nth of its kind: near names are searched only if they will be shown.
func unknownArgument(path, names []string, given func(string) bool, nth int) finding {
	p := Problem{Expected: "no such argument", Received: "an unknown argument", Unknown: true}
	switch {
	case len(names) == 0:
		p.Expected = "no arguments"
	case len(names) <= maxShown:
		p.Expected = "one of the arguments " + strings.Join(names, ", ")
	}
	if nth <= maxShown {
		p.Nearest = nearest(path[len(path)-1], slices.DeleteFunc(slices.Clone(names), given))
	}
	return finding{path: path, Problem: p}
}

// nearest returns the name that an unknown one may mean: one with few other letters, or else one
// with the same words; "" if there is none.
func nearest(unknown string, names []string) string {
	if near := text.Nearest(unknown, names); len(near) > 0 {
		return near[0]
	}
	for _, name := range names {
		if text.ContainsWords(unknown, name) {
			return name
		}
	}
	return ""
}

// alternatives reports a value that none of several schemas takes. If all but one want another
// type, that one says what is wrong. Else the error says which types would do.
func (f *findings) alternatives(err *jsonschema.ValidationError) {
	depth := len(err.InstanceLocation)
	var near []*jsonschema.ValidationError
	for _, cause := range err.Causes {
		if !wrongType(cause, depth) {
			near = append(near, cause)
		}
	}
	if len(near) == 1 {
		f.add(near[0])
		return
	}
	expected := "exactly one of several forms"
	if p := f.parameters.byLocation[err.SchemaURL]; p != nil {
		if k := p.types; k != typeAny && k&typeOf(f.at(err.InstanceLocation)) == 0 {
			expected = k.String()
		} else if len(err.Causes) > 0 {
			expected = "one of the forms that its schema lists"
		}
	}
	f.note(err.InstanceLocation, expected, describe(f.at(err.InstanceLocation)))
}

// wrongType reports whether err only says that the value at that depth has the wrong type.
func wrongType(err *jsonschema.ValidationError, depth int) bool {
	if len(err.InstanceLocation) != depth {
		return false
	}
	if _, ok := err.ErrorKind.(*kind.Type); ok {
		return true
	}
	return len(err.Causes) > 0 && !slices.ContainsFunc(err.Causes, func(c *jsonschema.ValidationError) bool { return !wrongType(c, depth) })
}

const gotNothing = "nothing"

// explain returns what one kind of finding expected. got is "" if the value itself shows it. ok is
// false for a kind that only groups others.
func explain(k jsonschema.ErrorKind) (expected, got string, ok bool) {
	switch k := k.(type) {
	case *kind.Type:
		var want types
		for _, name := range k.Want {
			want |= typeNamed(name)
		}
		return want.String(), "", true
	case *kind.Enum:
		return oneOf(k.Want), "", true
	case *kind.Const:
		return describe(k.Want), "", true
	case *kind.Minimum:
		return "at least " + ratText(k.Want), "", true
	case *kind.Maximum:
		return "at most " + ratText(k.Want), "", true
	case *kind.ExclusiveMinimum:
		return "more than " + ratText(k.Want), "", true
	case *kind.ExclusiveMaximum:
		return "less than " + ratText(k.Want), "", true
	case *kind.MultipleOf:
		return "a multiple of " + ratText(k.Want), "", true
	case *kind.Format:
		return formatText(k.Want), "", true
	case *kind.Pattern:
		return "text that matches " + k.Want, "", true
	case *kind.MinLength:
		return atLeast(k.Want, "character"), count(k.Got, "character"), true
	case *kind.MaxLength:
		return atMost(k.Want, "character"), count(k.Got, "character"), true
	case *kind.MinItems:
		return atLeast(k.Want, "element"), count(k.Got, "element"), true
	case *kind.MaxItems:
		return atMost(k.Want, "element"), count(k.Got, "element"), true
	case *kind.MinProperties:
		return atLeast(k.Want, "member"), count(k.Got, "member"), true
	case *kind.MaxProperties:
		return atMost(k.Want, "member"), count(k.Got, "member"), true
	case *kind.AdditionalItems:
		return "no further elements", count(k.Count, "element") + " too many", true
	case *kind.UniqueItems:
		return "no element twice", fmt.Sprintf("elements %d and %d alike", k.Duplicates[0], k.Duplicates[1]), true
	case *kind.Contains, *kind.MinContains:
		return "more elements of the form that its schema names", "", true
	case *kind.MaxContains:
		return "fewer elements of the form that its schema names", "", true
	case *kind.Not:
		return "a value other than those that its schema rules out", "", true
	}
	return "", "", false
}

func atLeast(n int, what string) string { return "at least " + count(n, what) }
func atMost(n int, what string) string  { return "at most " + count(n, what) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ratText writes a limit as a decimal number.
func ratText(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	if f, exact := r.Float64(); exact {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strings.TrimRight(r.FloatString(20), "0")
}

func joinPath(path []string, name string) []string {
	return append(path[:len(path):len(path)], name)
}
