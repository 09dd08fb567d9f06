// Package jsonfield lists the fields of a struct that encoding/json reads.
package jsonfield

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Field is a field of a struct or of a struct that it embeds.
type Field struct {
	reflect.StructField        // Index is the path from the outer struct
	Name                string // in JSON
	// Optional reports that the tag contains omitempty or omitzero.
	Optional bool

	tagged bool // Name comes from the tag
}

// Of returns the fields of the struct type t, in their order in Go, by the rules of encoding/json:
// the fields of an embedded struct without a name of its own count as fields of t. Of several
// fields with one name, the one at the least depth counts, and of those the one whose tag names it.
// If that leaves several, none of them counts.
func Of(t reflect.Type) []Field {
	var all []Field
	level, visited := []Field{{StructField: reflect.StructField{Type: t}}}, map[reflect.Type]bool{}
	for len(level) > 0 {
		var next []Field
		for _, outer := range level {
			for i := range outer.Type.NumField() {
				f, embeds := read(outer.Type.Field(i))
				f.Index = append(slices.Clone(outer.Index), i)
				switch {
				case embeds:
					next = append(next, f)
				case f.Name != "":
					all = append(all, f)
				}
			}
			visited[outer.Type] = true
		}
		level = slices.DeleteFunc(next, func(f Field) bool { return visited[f.Type] })
	}
	named := map[string][]Field{}
	for _, f := range all {
		named[f.Name] = append(named[f.Name], f)
	}
	all = slices.DeleteFunc(all, func(f Field) bool {
		return slices.ContainsFunc(named[f.Name], func(other Field) bool {
			return !slices.Equal(other.Index, f.Index) && (len(other.Index) < len(f.Index) ||
				len(other.Index) == len(f.Index) && (other.tagged || !f.tagged))
		})
	})
	slices.SortFunc(all, func(a, b Field) int { return slices.Compare(a.Index, b.Index) })
	return all
}

// read returns a field of a struct. embeds reports that the fields of its type, a struct, count in
// its place. If embeds is false and Name is "", encoding/json ignores the field.
func read(field reflect.StructField) (f Field, embeds bool) {
	f.StructField = field
	t := field.Type
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	embeddedStruct := field.Anonymous && t.Kind() == reflect.Struct
	tag := field.Tag.Get("json")
	if tag == "-" || !field.IsExported() && !embeddedStruct {
		return f, false
	}
	name, options, _ := strings.Cut(tag, ",")
	f.tagged = name != "" && !strings.ContainsFunc(name, notInName)
	if embeddedStruct && !f.tagged {
		f.Type = t
		return f, true
	}
	if f.Name = field.Name; f.tagged {
		f.Name = name
	}
	for option := range strings.SplitSeq(options, ",") {
		f.Optional = f.Optional || option == "omitempty" || option == "omitzero"
	}
	return f, false
}

// notInName reports whether encoding/json ignores a name with this character.
func notInName(c rune) bool {
	return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}
