package schema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// location is the base URL of every schema. Its scheme does not exist, so that a relative reference
// cannot become a file name.
const location = "parameters:///schema"

// document is the JSON of a schema with its members in order.
type document struct{ top any }

// at returns the JSON of a subschema; nil if the document does not contain it.
func (d document) at(n *jsonschema.Schema) any {
	v := d.top
	for _, token := range pointer(n.Location) {
		v = child(v, token)
	}
	return v
}

// child returns the member of an object or the element of a list that token names; nil if v does
// not contain it.
func child(v any, token string) any {
	switch v := v.(type) {
	case *orderedjson.Object:
		return v.Values[token]
	case map[string]any:
		return v[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// pointer returns the tokens of the JSON Pointer in a location such as
// "parameters:///schema#/a/b".
func pointer(location string) []string {
	_, fragment, _ := strings.Cut(location, "#")
	tokens := strings.Split(fragment, "/")[1:] // without the empty text before the first slash
	for i, token := range tokens {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens
}

// replaceChild replaces the member or element of v that token names.
func replaceChild(v any, token string, with any) {
	switch v := v.(type) {
	case *orderedjson.Object:
		v.Set(token, with)
	case []any:
		if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(v) {
			v[i] = with
		}
	}
}

// copied returns a shallow copy of v if it is an object or an array, and otherwise v.
func copied(v any) any {
	switch v := v.(type) {
	case *orderedjson.Object:
		return v.Clone()
	case []any:
		return slices.Clone(v)
	}
	return v
}

// denyAll is a jsonschema.URLLoader that refuses every URL. The library's default reads files.
type denyAll struct{}

// Load implements jsonschema.URLLoader.
func (denyAll) Load(url string) (any, error) {
	return nil, &ReferenceError{URL: url}
}

// ReferenceError is the error for a schema that refers to something outside of itself. Such a
// reference is never followed.
type ReferenceError struct{ URL string }

func (e *ReferenceError) Error() string {
	return fmt.Sprintf("the schema refers to %q, and a schema may refer to nothing outside of itself: put what it needs under $defs", e.URL)
}

// locationIn returns the JSON Pointer of a subschema in its document, for an error.
func locationIn(n *jsonschema.Schema) string { return strings.TrimPrefix(n.Location, location) }
