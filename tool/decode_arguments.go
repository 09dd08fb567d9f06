package tool

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/schema"
)

// A decoder reads arguments that the schema of a type has accepted into values of the type.
type decoder struct {
	in        reflect.Type
	useNumber bool        // values of type any keep all digits of numbers, which takes more memory
	times     *timePlaces // nil if the arguments contain no times
}

func newDecoder(in reflect.Type) *decoder {
	return &decoder{in: in, useNumber: containsAny(in, map[reflect.Type]bool{}), times: timesIn(in)}
}

// into decodes arguments into the value that in points to.
func (d *decoder) into(in any, arguments []byte) error {
	if d.times != nil {
		var err error
		if arguments, err = d.times.convert(arguments); err != nil {
			return err
		}
	}
	if !d.useNumber {
		return json.Unmarshal(arguments, in)
	}
	j := json.NewDecoder(bytes.NewReader(arguments))
	j.UseNumber()
	return j.Decode(in)
}

// problem describes an error of into to the model. It masks secrets, because decoding methods of
// foreign types may repeat a value in their errors.
func (d *decoder) problem(err error, call *Call) error {
	var already *schema.ArgumentsError
	if errors.As(err, &already) {
		return err
	}
	say := chinese.Tool.Printer(call.Language).Say
	path, value, err := d.failedArgument(err, call.Arguments)
	p := schema.Problem{
		Path: path, Code: schema.CodeType, Expected: say("arguments that can be read"), Received: shorten(string(value)),
	}
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch):
		if mismatch.Field != "" {
			p.Path = mismatch.Field
		}
		p.Expected, p.Received = say("a value that fits %s", mismatch.Type), mismatch.Value
	case path != "":
		p.Expected = say("a value that can be read")
	}
	if mismatch == nil && !call.Method.Secret(path) {
		p.Expected += say(" (%s)", shorten(call.Method.CallSecrets(call.Arguments).MaskText(err.Error())))
	}
	return &schema.ArgumentsError{Problems: []schema.Problem{p}, Language: call.Language}
}

// failedArgument returns the argument that caused err, and the error of this argument alone:
// encoding/json does not say for which argument the methods of a type failed.
func (d *decoder) failedArgument(err error, arguments json.RawMessage) (name string, value json.RawMessage, _ error) {
	var members map[string]json.RawMessage
	if readsItself(d.in) || json.Unmarshal(arguments, &members) != nil {
		return "", arguments, err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		alone := append(append(append([]byte{'{'}, orderedjson.String(name)...), ':'), members[name]...)
		if err := d.into(reflect.New(d.in).Interface(), append(alone, '}')); err != nil {
			return name, members[name], err
		}
	}
	return "", arguments, err
}

// containsAny reports whether t contains an interface, into which a number could be decoded. seen
// contains the types that were searched before.
func containsAny(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return containsAny(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if containsAny(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// timePlaces are the places in a type that contain a time.Duration or a time.Time. The model writes
// a duration as a string, and encoding/json reads it from a number. encoding/json reads a time only
// with an offset.
type timePlaces struct {
	// here converts the value if the type itself is one of these two. It is nil otherwise.
	here   func(text json.RawMessage) (json.RawMessage, error)
	elem   *timePlaces            // of a list or a map
	fields map[string]*timePlaces // of a struct, by their names in JSON
}

// timesIn returns the places of times in t, and nil if t contains none. The recursion ends, because
// a type with a schema does not contain itself.
func timesIn(t reflect.Type) *timePlaces {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return &timePlaces{here: nanoseconds}
	case t == reflect.TypeFor[time.Time]():
		return &timePlaces{here: withOffset}
	case t.Kind() == reflect.Pointer:
		return timesIn(t.Elem())
	case readsItself(t):
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		if elem := timesIn(t.Elem()); elem != nil {
			return &timePlaces{elem: elem}
		}
	case reflect.Struct:
		fields := map[string]*timePlaces{}
		for _, field := range reflect.VisibleFields(t) {
			tag := field.Tag.Get("json")
			if field.Anonymous || !field.IsExported() || tag == "-" {
				continue
			}
			name, _, _ := strings.Cut(tag, ",")
			if name == "" {
				name = field.Name
			}
			if places := timesIn(field.Type); places != nil {
				fields[name] = places
			}
		}
		if len(fields) > 0 {
			return &timePlaces{fields: fields}
		}
	}
	return nil
}

// readsItself reports whether t decodes JSON or text with methods of its own.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// convert returns JSON with durations in nanoseconds and times with an offset. Values of another
// shape are unchanged, so that encoding/json refuses them.
func (p *timePlaces) convert(text json.RawMessage) (json.RawMessage, error) {
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
	case p.here != nil && text[0] == '"':
		return p.here(text)
	case p.elem != nil && text[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
		for i := range list {
			var err error
			if list[i], err = p.elem.convert(list[i]); err != nil {
				return nil, err
			}
		}
		return json.Marshal(list)
	case text[0] == '{' && p.here == nil:
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			return nil, err
		}
		for name, member := range members {
			in := p.elem
			if in == nil {
				in = p.fields[name]
			}
			if in == nil {
				continue
			}
			var err error
			if members[name], err = in.convert(member); err != nil {
				return nil, err
			}
		}
		return json.Marshal(members)
	}
	return text, nil
}

// nanoseconds turns the text of a duration into a number.
func nanoseconds(text json.RawMessage) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return nil, err
	}
	return strconv.AppendInt(nil, int64(v), 10), nil
}

// withOffset adds the local offset to a time that has none.
func withOffset(text json.RawMessage) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if v, err := time.ParseInLocation("2006-01-02T15:04:05", strings.ToUpper(s), time.Local); err == nil { // also reads fractions of a second
		return json.Marshal(v)
	}
	return text, nil // it has an offset, or encoding/json refuses it
}
