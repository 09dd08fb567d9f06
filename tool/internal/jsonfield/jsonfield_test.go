package jsonfield_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/internal/jsonfield"
)

type (
	Inner  struct{ A, B int }
	Other  struct{ B, C int }
	Tagged struct {
		D int `json:"B"`
	}
	Deep   struct{ Inner }
	hidden struct{ E int }
	Number int
	number int
	Again  struct{ Inner }
	Named  interface{ Name() string }
)

func TestFieldsAreThoseOfEncodingJSON(t *testing.T) {
	for name, value := range map[string]any{
		"an embedded struct": struct{ Inner }{},
		"an embedded struct with a name": struct {
			Inner `json:"inner"`
		}{},
		"an embedded struct with options": struct {
			Inner `json:",omitempty"`
		}{},
		"an embedded struct that is omitted": struct {
			Inner `json:"-"`
		}{},
		"a hyphen as a name": struct {
			Inner `json:"-,"` //nolint:staticcheck // the comma looks like a mistake, but makes the hyphen a name
		}{},
		"a name that is ignored": struct {
			Inner `json:"a\\b"` //nolint:staticcheck // this test needs the invalid name
		}{},
		"an embedded pointer": struct{ *Inner }{&Inner{}},
		"an embedded pointer with a name": struct {
			*Inner `json:"inner"`
		}{},
		"a struct that is not exported": struct{ hidden }{},
		"a struct that is not exported, with a name": struct {
			hidden `json:"hidden"`
		}{},
		"other embedded types": struct {
			Number
			number
			Named
		}{},
		"an outer field hides an inner one": struct {
			Inner
			B string
		}{},
		"two fields of one depth": struct {
			Inner
			Other
		}{},
		"the tagged one of two fields": struct {
			Inner
			Tagged
		}{},
		"the least depth": struct {
			Deep
			Other
		}{},
		"one struct on two paths": struct {
			Deep
			Again
		}{},
		"order": struct {
			Z int
			Inner
			Y int `json:"A"`
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			written, err := json.Marshal(value)
			require.NoError(t, err)
			want := []string{}
			members, err := orderedjson.Members(written)
			require.NoError(t, err)
			for _, m := range members {
				want = append(want, m.Name)
			}
			names := []string{}
			for _, f := range jsonfield.Of(reflect.TypeOf(value)) {
				names = append(names, f.Name)
				reflect.ValueOf(value).FieldByIndex(f.Index) // panics if the index is wrong
			}
			assert.Equal(t, want, names, "%s", bytes.TrimSpace(written))
		})
	}
}
