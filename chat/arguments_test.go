package chat

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol"
)

// Arguments that were stored are read back as the model wrote them. Only the white space in JSON
// may differ.
func TestArgumentsReadBack(t *testing.T) {
	values := rapid.SampledFrom([]string{
		"", "plain", "5", `"5"`, "null", "true", `{"a":[1,2.50,"<&>"]}`, "[9007199254740993]", "{", "a\"b\\c\n",
		"\u2028", "\x00", "始",
	})
	name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-c]?`))
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 0, 5, rapid.ID).Draw(rt, "names")
		var list []protocol.Argument
		for _, name := range names {
			a := protocol.Argument{Name: name, Value: rapid.OneOf(values, rapid.String()).Draw(rt, "value")}
			if rapid.Bool().Draw(rt, "json") && json.Valid([]byte(a.Value)) {
				a.Form = protocol.FormJSON
			}
			list = append(list, a)
		}
		object, asJSON := argumentsObject(list)
		require.True(t, json.Valid(object), "%s", object)
		stored, err := json.Marshal(object)
		require.NoError(t, err)
		back, err := readArguments(stored, asJSON)
		require.NoError(t, err)
		require.Len(t, back, len(list))
		for i, a := range list {
			require.Equal(t, a.Name, back[i].Name)
			require.Equal(t, a.Form, back[i].Form)
			if a.Form == protocol.FormJSON {
				require.JSONEq(t, a.Value, back[i].Value)
				continue
			}
			require.Equal(t, a.Value, back[i].Value)
		}
	})
}

func TestRecordedArgumentsAreOneObject(t *testing.T) {
	for _, tt := range []struct {
		name   string
		list   []protocol.Argument
		want   string
		asJSON []string
	}{
		{
			"of two arguments with one name the last counts",
			[]protocol.Argument{{Name: "a", Value: "1"}, {Name: "b"}, {Name: "a", Value: "2"}},
			`{"b":"","a":"2"}`, nil,
		},
		{
			"broken JSON is text",
			[]protocol.Argument{{Name: "a", Value: "{", Form: protocol.FormJSON}},
			`{"a":"{"}`, nil,
		},
		{
			"bytes that are not UTF-8 are replaced",
			[]protocol.Argument{{Name: "a\xff", Value: "\xff"}},
			"{\"a\uFFFD\":\"\uFFFD\"}", nil,
		},
		{
			"names that become equal count as one",
			[]protocol.Argument{{Name: "\xfe", Value: "1"}, {Name: "\xff", Value: "2"}},
			"{\"\uFFFD\":\"2\"}", nil,
		},
		{"no arguments are an empty object", nil, "{}", nil},
		{
			"JSON stays JSON, digits and order too",
			[]protocol.Argument{{Name: "a", Value: `{"z": 1.50, "b": "<"}`, Form: protocol.FormJSON}},
			`{"a":{"z":1.50,"b":"<"}}`,
			[]string{"a"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			object, asJSON := argumentsObject(tt.list)
			require.Equal(t, tt.want, string(object))
			require.Equal(t, tt.asJSON, asJSON)
		})
	}
}

func TestAnArgumentThatIsNotAStringMustBeInJSONArguments(t *testing.T) {
	for _, value := range []string{"null", "1", "[]"} {
		object := json.RawMessage(`{"a":` + value + `}`)
		_, err := readArguments(object, nil)
		require.ErrorContains(t, err, `argument "a" is not a string`)
		list, err := readArguments(object, []string{"a"})
		require.NoError(t, err)
		require.Equal(t, []protocol.Argument{{Name: "a", Value: value, Form: protocol.FormJSON}}, list)
	}
}
