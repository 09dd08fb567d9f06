package document

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An UnknownFieldError reports a field that the target of Decode does not have.
type UnknownFieldError struct {
	Field string   // its path, as in "reasoning.tag"
	Line  int      // 0 if it is not known
	Name  string   // the last element of Field, shortened if it is long
	Known []string // the fields that the mapping may have
}

// Error names the field and the known fields.
func (e *UnknownFieldError) Error() string {
	return fmt.Sprintf("there is no field %q (fields: %s)", e.Field, strings.Join(e.Known, ", "))
}

// A ValueError reports a value that its field does not accept.
type ValueError struct {
	Field string // its path, as in "approveRules[1].tool"
	Line  int    // 0 if it is not known
	// Value is the refused value, as its method String returns it. If the value is refused only
	// because it is quoted, " in quotation marks" follows.
	Value string
	Want  string // which values are allowed
}

// Error names the field, the value and the allowed values.
func (e *ValueError) Error() string {
	return fmt.Sprintf("%s is %s; allowed is %s", e.Field, e.Value, e.Want)
}

// Decode stores a Mapping in the struct that dst points to; dst must not be nil. The yaml tags of
// the struct's fields are their names in the document. A field that is not in v keeps its value. A
// struct, a list or a map also keeps its value if its field in v is empty; an empty scalar is an
// error. A type with UnmarshalText accepts texts and numbers, a string accepts only texts, and a
// field of type Value accepts anything. The error is the first that DecodeAll returns.
func (v Value) Decode(dst any) error {
	if errs := v.DecodeAll(dst); len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// DecodeAll is like Decode, but continues after an error. It returns all errors in the order of the
// document. Each is an *UnknownFieldError or a *ValueError, unless dst has a field of a type that
// Decode cannot store. If a value is refused, a struct field keeps its value, and an item of a list
// or map is the zero value.
func (v Value) DecodeAll(dst any) []error {
	var d decoder
	d.value(v, reflect.ValueOf(dst).Elem(), "")
	return d.errs
}

// decoder stores values and collects errors.
type decoder struct{ errs []error }

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	valueType       = reflect.TypeFor[Value]()
)

// value stores v in dst, or adds an error that names the path.
func (d *decoder) value(v Value, dst reflect.Value, path string) {
	wrong := func(want string) {
		value := v.String()
		if v.Kind == String && fitsUnquoted(v.Text, dst.Kind()) {
			value += " in quotation marks"
		}
		d.errs = append(d.errs, &ValueError{Field: path, Line: v.Line, Value: value, Want: want})
	}
	if dst.Type() == valueType {
		dst.Set(reflect.ValueOf(v))
		return
	}
	if reflect.PointerTo(dst.Type()).Implements(textUnmarshaler) {
		read := reflect.New(dst.Type())
		u, _ := read.Interface().(encoding.TextUnmarshaler)
		if v.Kind != String && v.Kind != Number || u.UnmarshalText([]byte(v.Text)) != nil {
			wrong("a text in the format of the field")
			return
		}
		dst.Set(read.Elem())
		return
	}
	kind := dst.Kind()
	n, err := strconv.ParseInt(v.Text, 0, strconv.IntSize)
	want, known := wanted[kind]
	switch {
	case !known:
		d.errs = append(d.errs, fmt.Errorf("a %s cannot be read from a document", dst.Type()))
	case kind == reflect.Bool && v.Kind == Bool:
		dst.SetBool(strings.EqualFold(v.Text, "true"))
	case kind == reflect.String && v.Kind == String:
		dst.SetString(v.Text)
	case kind == reflect.Int && v.Kind == Number && err == nil:
		dst.SetInt(n)
	case kind == reflect.Slice && v.Kind == List:
		d.items(v.Items, dst, path)
	case (kind == reflect.Map || kind == reflect.Struct) && v.Kind == Mapping:
		d.fields(v.Fields, dst, path)
	case (kind == reflect.Slice || kind == reflect.Map || kind == reflect.Struct) && v.Kind == Null:
		// The items or fields may be commented out.
	default:
		wrong(want)
	}
}

// wanted says which values each kind of field accepts.
var wanted = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.String: "a text", reflect.Int: "a whole number",
	reflect.Slice: "a list", reflect.Map: "a mapping", reflect.Struct: "a mapping",
}

// fitsUnquoted reports whether a quoted text would be a value of the kind without quotation marks.
func fitsUnquoted(text string, kind reflect.Kind) bool {
	switch kind {
	case reflect.Bool:
		return strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
	case reflect.Int:
		_, err := strconv.ParseInt(text, 0, strconv.IntSize)
		return err == nil
	}
	return false
}

func (d *decoder) items(items []Value, dst reflect.Value, path string) {
	list := reflect.MakeSlice(dst.Type(), len(items), len(items))
	for i, item := range items {
		d.value(item, list.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
	dst.Set(list)
}

// fields stores fields in a struct, or in a map with string keys.
func (d *decoder) fields(fields []Field, dst reflect.Value, path string) {
	isMap := dst.Kind() == reflect.Map
	var known []reflect.StructField
	if isMap {
		dst.Set(reflect.MakeMapWithSize(dst.Type(), len(fields)))
	} else {
		known = namedFields(dst.Type())
	}
	for _, f := range fields {
		fieldPath := join(path, element(f.Name))
		if isMap {
			value := reflect.New(dst.Type().Elem()).Elem()
			d.value(f.Value, value, fieldPath)
			dst.SetMapIndex(reflect.ValueOf(f.Name), value)
			continue
		}
		i := slices.IndexFunc(known, func(field reflect.StructField) bool { return tagName(field) == f.Name })
		if i < 0 {
			name := shortened(f.Name)
			unknown := &UnknownFieldError{Field: join(path, name), Line: f.Line, Name: name}
			for _, field := range known {
				unknown.Known = append(unknown.Known, tagName(field))
			}
			d.errs = append(d.errs, unknown)
			continue
		}
		d.value(f.Value, dst.FieldByIndex(known[i].Index), fieldPath)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// element returns a name as an element of a path. A long name is shortened. A name that is not one
// word is in quotation marks.
func element(name string) string {
	name = shortened(name)
	if spelled := strconv.Quote(name); name == "" || len(spelled) != len(name)+2 || strings.ContainsAny(name, " .[") {
		return spelled
	}
	return name
}

// namedFields returns the fields of a struct and of its embedded structs that have a name in
// documents.
func namedFields(t reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return tagName(f) == "" })
}

// tagName returns the name of a struct field in a document; "" means that it has none.
func tagName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return name
}
