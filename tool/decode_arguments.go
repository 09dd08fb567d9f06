package tool

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/internal/jsonfield"
	"github.com/vcpgo/vcp/tool/schema"
)

// A decoder decodes arguments into values of a Go type. The executor checks the arguments with the
// schema of the type before.
type decoder struct {
	goType    reflect.Type
	useNumber bool           // values of type any keep all digits of numbers, which takes more memory
	times     *timeConverter // nil if nothing has to be converted
}

func newDecoder(t reflect.Type) *decoder {
	return &decoder{
		goType:    t,
		useNumber: containsAny(t, map[reflect.Type]bool{}),
		times:     newTimeConverter(t, map[reflect.Type]*timeConverter{}),
	}
}

// into decodes arguments into the value that the pointer target points to.
func (d *decoder) into(target any, arguments []byte) error {
	if d.times != nil {
		var err error
		if arguments, err = d.times.convert(arguments); err != nil {
			return err
		}
	}
	if !d.useNumber {
		return json.Unmarshal(arguments, target)
	}
	j := json.NewDecoder(bytes.NewReader(arguments))
	j.UseNumber()
	return j.Decode(target)
}

// problem converts err, an error of the method into, to an error for the model. It masks secrets in
// the text of err, because the decoding methods of a type may repeat values there.
func (d *decoder) problem(err error, call *Call) error {
	if _, ok := errors.AsType[*schema.ArgumentsError](err); ok {
		return err
	}
	say := chinese.Tool.Printer(call.Language).Say
	path, value, err := d.failedArgument(err, call.Arguments)
	p := schema.Problem{
		Path: path, Code: schema.CodeType, Expected: say("arguments that can be read"),
		Received: shorten(string(value)),
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

// failedArgument returns the name and value of an argument that caused err, and the error of
// decoding this argument alone. It decodes the arguments one by one, because encoding/json does not
// say which argument the decoding method of a type refused. If no argument alone causes an error,
// it returns "", all arguments, and err.
func (d *decoder) failedArgument(err error, arguments json.RawMessage) (name string, value json.RawMessage, _ error) {
	var members map[string]json.RawMessage
	if readsItself(d.goType) || json.Unmarshal(arguments, &members) != nil {
		return "", arguments, err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		alone := fmt.Appendf(nil, "{%s:%s}", orderedjson.String(name), members[name])
		if err := d.into(reflect.New(d.goType).Interface(), alone); err != nil {
			return name, members[name], err
		}
	}
	return "", arguments, err
}

// containsAny reports whether t contains an interface type, into which a number could be decoded.
// seen contains the types that were searched before.
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

// timeConverter converts the JSON of a type that contains time.Duration or time.Time to the JSON
// that encoding/json reads. A model writes a duration as a string, and encoding/json expects a
// number. A model may write a time without an offset, and encoding/json expects one.
type timeConverter struct {
	// At most one of these is set. value converts a duration or a time.
	value  func(text json.RawMessage) (json.RawMessage, error)
	elem   *timeConverter            // converts the elements of a list or a map
	fields map[string]*timeConverter // converts the fields of a struct, by their names in JSON
}

// newTimeConverter returns the converter for t. It returns nil if t contains neither a duration nor
// a time nor itself. made contains the converters that were made before, also those of the types
// that contain t.
func newTimeConverter(t reflect.Type, made map[reflect.Type]*timeConverter) *timeConverter {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return &timeConverter{value: nanoseconds}
	case t == reflect.TypeFor[time.Time]():
		return &timeConverter{value: withOffset}
	case t.Kind() == reflect.Pointer:
		return newTimeConverter(t.Elem(), made)
	case readsItself(t):
		return nil
	}
	if c, ok := made[t]; ok {
		return c
	}
	c := &timeConverter{}
	made[t] = c
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		c.elem = newTimeConverter(t.Elem(), made)
	case reflect.Struct:
		c.fields = map[string]*timeConverter{}
		for _, field := range jsonfield.Of(t) {
			if f := newTimeConverter(field.Type, made); f != nil {
				c.fields[field.Name] = f
			}
		}
	}
	if c.elem == nil && len(c.fields) == 0 {
		made[t] = nil
	}
	return made[t]
}

// readsItself reports whether t decodes JSON or text with methods of its own.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// convert returns the JSON text with durations in nanoseconds and times with an offset. It leaves
// values of other JSON types to encoding/json.
func (c *timeConverter) convert(text json.RawMessage) (_ json.RawMessage, err error) {
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
	case c.value != nil && text[0] == '"':
		return c.value(text)
	case c.elem != nil && text[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
		for i := range list {
			if list[i], err = c.elem.convert(list[i]); err != nil {
				return nil, err
			}
		}
		return json.Marshal(list)
	case text[0] == '{' && c.value == nil:
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			return nil, err
		}
		for name, member := range members {
			if inner := cmp.Or(c.elem, c.fields[name]); inner != nil {
				if members[name], err = inner.convert(member); err != nil {
					return nil, err
				}
			}
		}
		return json.Marshal(members)
	}
	return text, nil
}

// nanoseconds converts a duration from a JSON string to a number.
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

// withOffset adds the local offset to a time without an offset, in a JSON string.
func withOffset(text json.RawMessage) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	// RFC 3339 also allows "t" for "T". The layout also reads fractions of a second.
	if v, err := time.ParseInLocation("2006-01-02T15:04:05", strings.ToUpper(s), time.Local); err == nil {
		return json.Marshal(v)
	}
	return text, nil // it has an offset, or encoding/json refuses it
}
