package document_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/document"
)

func TestDecodeStoresOrRefusesEachField(t *testing.T) {
	type inner struct {
		Word string `yaml:"word"`
	}
	type target struct {
		Switch bool            `yaml:"switch"`
		Number int             `yaml:"number,omitempty"`
		Names  []string        `yaml:"names"`
		On     map[string]bool `yaml:"on"`
		Inner  inner           `yaml:"inner"`
		List   []inner         `yaml:"list"`
		Level  level           `yaml:"level"`
		Hidden string
	}
	initial := target{Switch: true, Names: []string{"kept"}, Inner: inner{"kept"}, Level: 2}
	for _, tt := range []struct {
		name, text string
		want       target
		err        error
	}{
		{
			name: "a field that the document does not contain keeps its value", text: "number: 0x10",
			want: target{Switch: true, Number: 16, Names: []string{"kept"}, Inner: inner{"kept"}, Level: 2},
		},
		{
			name: "each kind is stored",
			text: "{switch: false, number: -3, names: [a], on: {b: true}, inner: {word: c}, " +
				"list: [{word: d}], level: 7}",
			want: target{
				Number: -3, Names: []string{"a"}, On: map[string]bool{"b": true}, Inner: inner{"c"},
				List: []inner{{"d"}}, Level: 7,
			},
		},
		{name: "an empty list, map or struct keeps its value", text: "names:\non:\ninner:\nlist:\n", want: initial},
		{
			name: "an empty scalar", text: "switch:",
			err: &document.ValueError{Line: 1, Field: "switch", Value: "empty", Want: "true or false"},
		},
		{
			name: "a list for a text", text: "inner: {word: [a, b]}",
			err: &document.ValueError{Line: 1, Field: "inner.word", Value: "a list", Want: "a text"},
		},
		{
			name: "a number for a text", text: "list: [{word: a}, {word: 5}]",
			err: &document.ValueError{Line: 1, Field: "list[1].word", Value: "5", Want: "a text"},
		},
		{
			name: "a fraction for a whole number", text: "number: 1.5",
			err: &document.ValueError{Line: 1, Field: "number", Value: "1.5", Want: "a whole number"},
		},
		{
			name: "a number that no int can store", text: "number: 99999999999999999999",
			err: &document.ValueError{Line: 1, Field: "number", Value: "99999999999999999999", Want: "a whole number"},
		},
		{
			name: "a switch in quotation marks", text: `switch: "true"`,
			err: &document.ValueError{
				Line: 1, Field: "switch", Value: `"true" in quotation marks`,
				Want: "true or false",
			},
		},
		{
			name: "a number in quotation marks", text: `number: "3"`,
			err: &document.ValueError{
				Line: 1, Field: "number", Value: `"3" in quotation marks`,
				Want: "a whole number",
			},
		},
		{
			name: "a text in a map of switches", text: "on: {a: b}",
			err: &document.ValueError{Line: 1, Field: "on.a", Value: `"b"`, Want: "true or false"},
		},
		{
			name: "a mapping for a list", text: "names: {a: b}",
			err: &document.ValueError{Line: 1, Field: "names", Value: "a mapping", Want: "a list"},
		},
		{
			name: "a text for a mapping", text: "inner: a",
			err: &document.ValueError{Line: 1, Field: "inner", Value: `"a"`, Want: "a mapping"},
		},
		{
			name: "a text that UnmarshalText refuses", text: "level: high",
			err: &document.ValueError{
				Line: 1, Field: "level", Value: `"high"`,
				Want: "a text in the format of the field",
			},
		},
		{
			name: "a switch for a type with UnmarshalText", text: "level: true",
			err: &document.ValueError{
				Line: 1, Field: "level", Value: "true",
				Want: "a text in the format of the field",
			},
		},
		{
			name: "an unknown field", text: "inner: {werd: a}",
			err: &document.UnknownFieldError{Line: 1, Field: "inner.werd", Name: "werd", Known: []string{"word"}},
		},
		{
			name: "a field without a name", text: `"": a`,
			err: &document.UnknownFieldError{
				Line:  1,
				Known: []string{"switch", "number", "names", "on", "inner", "list", "level"},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := document.Parse([]byte(tt.text))
			require.NoError(t, err)
			got := initial
			err = v.Decode(&got)
			if tt.err != nil {
				require.Equal(t, tt.err, err)
				requireShortLine(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

type level int

func (l *level) UnmarshalText(text []byte) error {
	if string(text) == "7" {
		*l = 7
		return nil
	}
	return errors.New("no level")
}
