package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/tool"
)

// An Expectation is a call that must run. In JSON it has one of three forms:
//
//	{"name": "weather_get", "arguments": {"city": "Paris"}}
//	{"name": "weather_get", "possible": {"city": ["Paris", "Rome"], "unit": ["celsius", ""]}}
//	{"weather_get": {"city": ["Paris"], "unit": ["celsius", ""]}}
//
// In the first form, each argument has one value. In the second, "possible" lists the values that
// an argument may have. If "" is among them, the argument may be absent. The third form is that of
// the "possible answers" of BFCL, the Berkeley Function Calling Leaderboard, and its rules apply:
// strings are equal if they differ only in case, spaces and some punctuation, and each member of an
// object has a list of values, too.
type Expectation struct {
	Name      string // the full name of the method
	arguments map[string]expected
	bfclRules bool   // whether values are compared by the rules of BFCL
	text      string // its JSON
}

// expected are the values that an argument may have.
type expected struct {
	values   []any
	optional bool // whether the argument may be absent
}

// UnmarshalJSON reads one of the three forms.
func (e *Expectation) UnmarshalJSON(data []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	*e = Expectation{arguments: map[string]expected{}, text: string(data)}
	if json.Unmarshal(members["name"], &e.Name) == nil && e.Name != "" {
		for member, raw := range members {
			var err error
			switch member {
			case "name":
			case "arguments":
				err = e.readArguments(raw)
			case "possible":
				err = e.readPossible(raw)
			default:
				err = fmt.Errorf("%s: the call has a member %q; allowed are name, arguments and possible",
					e.Name, member)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if len(members) != 1 {
		return errors.New(`an expected call has no "name"`)
	}
	e.bfclRules = true
	for name, raw := range members {
		e.Name = name
		return e.readPossible(raw)
	}
	return nil
}

// readArguments reads the member "arguments".
func (e *Expectation) readArguments(raw json.RawMessage) error {
	var arguments map[string]any
	if err := decodeNumbers(raw, &arguments); err != nil {
		return fmt.Errorf("%s: arguments: %w", e.Name, err)
	}
	for name, value := range arguments {
		e.arguments[name] = expected{values: []any{value}}
	}
	return nil
}

// readPossible reads the member "possible", or the arguments of the third form.
func (e *Expectation) readPossible(raw json.RawMessage) error {
	var arguments map[string][]any
	if err := decodeNumbers(raw, &arguments); err != nil {
		return fmt.Errorf("%s: each argument needs a list of possible values: %w", e.Name, err)
	}
	for name, values := range arguments {
		e.arguments[name] = expected{values: values, optional: slices.Contains(values, any(""))}
	}
	return nil
}

// Matches reports whether a call of the method with these typed arguments is the expected one. An
// argument that e does not name must be absent or have the default that the method declares.
func (e *Expectation) Matches(method *tool.Entry, arguments json.RawMessage) bool {
	return len(Call{Method: method, Arguments: arguments}.meets([]Expectation{*e})) > 0
}

// meets returns the indexes of the expectations that the call matches. It decodes the arguments
// once.
func (c Call) meets(expectations []Expectation) []int {
	var arguments map[string]any
	if decodeNumbers(c.Arguments, &arguments) != nil {
		return nil
	}
	var met []int
	for i := range expectations {
		if expectations[i].matches(c.Method, arguments) {
			met = append(met, i)
		}
	}
	return met
}

func (e *Expectation) matches(method *tool.Entry, got map[string]any) bool {
	if method.FullName != e.Name {
		return false
	}
	for name, want := range e.arguments {
		value, ok := got[name]
		if !ok && want.optional {
			continue
		}
		fits := func(v any) bool { return e.equal(value, v) }
		if !ok || !slices.ContainsFunc(want.values, fits) && !(want.optional && isDefault(method, name, value)) {
			return false // an optional argument may have its default, which means the same as no argument
		}
	}
	for name, value := range got {
		if _, named := e.arguments[name]; !named && !isDefault(method, name, value) {
			return false
		}
	}
	return true
}

// isDefault reports whether the method declares the value as the default of an argument.
func isDefault(method *tool.Entry, name string, value any) bool {
	for _, p := range method.Method.Parameters.Properties() {
		var fallback any
		if p.Name == name && p.Default != nil && decodeNumbers(p.Default, &fallback) == nil {
			return equalJSON(value, fallback)
		}
	}
	return false
}

func (e *Expectation) equal(got, want any) bool {
	if e.bfclRules {
		return equalBFCL(got, want)
	}
	return equalJSON(got, want)
}

// equalJSON compares JSON values. Numbers are equal if they have the same value.
func equalJSON(got, want any) bool {
	switch w := want.(type) {
	case json.Number:
		g, ok := got.(json.Number)
		return ok && equalNumbers(string(g), string(w))
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(g, w, equalJSON)
	case map[string]any:
		g, ok := got.(map[string]any)
		return ok && maps.EqualFunc(g, w, equalJSON)
	}
	return got == want // a string, a boolean or null
}

// equalBFCL compares as the checker of BFCL does. Strings are compared as standardized returns
// them. In want, a member of an object has a list of possible values.
func equalBFCL(got, want any) bool {
	switch w := want.(type) {
	case string:
		g, ok := got.(string)
		return ok && standardized(g) == standardized(w)
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(g, w, equalBFCL)
	case map[string]any:
		g, ok := got.(map[string]any)
		return ok && equalMembers(g, w)
	}
	return equalJSON(got, want)
}

func equalMembers(got, want map[string]any) bool {
	for key := range got {
		if _, known := want[key]; !known {
			return false
		}
	}
	for key, possible := range want {
		values, ok := possible.([]any)
		if !ok {
			values = []any{possible}
		}
		value, there := got[key]
		fits := func(v any) bool { return equalBFCL(value, v) }
		if there && !slices.ContainsFunc(values, fits) || !there && !slices.Contains(values, any("")) {
			return false
		}
	}
	return true
}

var punctuation = strings.NewReplacer(" ", "", ",", "", ".", "", "/", "", "-", "", "_", "", "*", "", "^", "", "'", `"`)

// standardized returns a string as the checker of BFCL compares it: in lower case, without spaces
// and some punctuation, and with double quotes in place of single ones.
func standardized(s string) string { return strings.ToLower(punctuation.Replace(s)) }

// equalNumbers compares two numbers of JSON by value, with all their digits. Numbers beyond the
// range of a float64 are equal only if they are written in the same way, because the digits of
// 1e999999999 would take too much memory.
func equalNumbers(a, b string) bool {
	if a == b {
		return true
	}
	floatA, errA := strconv.ParseFloat(a, 64)
	floatB, errB := strconv.ParseFloat(b, 64)
	if errA != nil || errB != nil || floatA != floatB {
		return false
	}
	exactA, okA := new(big.Rat).SetString(a)
	exactB, okB := new(big.Rat).SetString(b)
	return okA && okB && exactA.Cmp(exactB) == 0
}
