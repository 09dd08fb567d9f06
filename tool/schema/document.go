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

// location is the base address of every schema. Its scheme is invented, so that a relative
// reference does not become a file name.
const location = "parameters:///schema"

// document is the JSON of a schema with its members in order.
type document struct{ top any }

// at returns the JSON of a subschema. It is nil if the document lacks the subschema.
func (d document) at(n *jsonschema.Schema) any {
	v := d.top
	for _, token := range pointer(n.Location) {
		v = child(v, token)
	}
	return v
}

// child returns a member or an element. It is nil if v lacks the member or element.
func child(v any, token string) any {
	switch v := v.(type) {
	case *orderedjson.Object:
		return v.Values[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// pointer returns the path to a subschema, from the location that the validator gives it.
func pointer(location string) []string {
	_, fragment, _ := strings.Cut(location, "#")
	tokens := strings.Split(fragment, "/")[1:]
	for i, token := range tokens {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens
}

// replaceChild replaces a member or an element that exists.
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

// copied returns a shallow copy of v, an object or an array.
func copied(v any) any {
	switch v := v.(type) {
	case *orderedjson.Object:
		return v.Clone()
	case []any:
		return slices.Clone(v)
	}
	return v
}

// denyAll is a loader that loads nothing. The library's default reads files.
type denyAll struct{}

func (denyAll) Load(url string) (any, error) {
	return nil, &ReferenceError{URL: url}
}

// ReferenceError is a reference to something outside of the schema. It is never followed.
type ReferenceError struct{ URL string }

func (e *ReferenceError) Error() string {
	return fmt.Sprintf("the schema refers to %q, and a schema may refer to nothing outside of itself: put what it needs under $defs", e.URL)
}

// placeIn returns the place of a schema in its document, for an error.
func placeIn(n *jsonschema.Schema) string { return strings.TrimPrefix(n.Location, location) }
