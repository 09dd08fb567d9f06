package schematest

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/vcpgo/vcp/tool/schema"
)

// IsDefaulted reports whether an object contains the given arguments, and no other members except
// those whose values are defaults in the schema.
func IsDefaulted(s *schema.Schema, given, object json.RawMessage) bool {
	defaults := map[string]bool{}
	var collect func(any)
	collect = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				collect(e)
			}
		case map[string]any:
			if d, ok := v["default"]; ok {
				defaults[string(encode(d))] = true
			}
			for _, e := range v {
				collect(e)
			}
		}
	}
	collect(decode(s.JSON()))
	return covers(decode(object), decode(given), defaults)
}

// covers reports whether got contains want, and no other members except those with default values.
func covers(got, want any, defaults map[string]bool) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		for name, v := range want {
			member, given := object[name]
			ok = ok && given && covers(member, v, defaults)
		}
		for name, v := range object {
			_, given := want[name]
			ok = ok && (given || defaults[string(encode(v))])
		}
		return ok
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range list {
			ok = ok && covers(list[i], want[i], defaults)
		}
		return ok
	}
	return reflect.DeepEqual(got, want)
}

// SameJSON reports whether two JSON values are equal. Numbers are equal if they are written with
// the same digits.
func SameJSON(a, b json.RawMessage) bool { return reflect.DeepEqual(decode(a), decode(b)) }

func decode(raw json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}
