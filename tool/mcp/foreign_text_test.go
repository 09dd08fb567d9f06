package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/orderedjson"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/text"
)

// hidden reports whether a definition must not contain r.
func hidden(r rune) bool { return r != '\n' && r != '\t' && text.Hidden(r) }

// stringsOf returns all member names and strings within a value.
func stringsOf(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			list = append(list, stringsOf(e)...)
		}
	case *orderedjson.Object:
		for _, name := range v.Names {
			list = append(append(list, name), stringsOf(v.Values[name])...)
		}
	}
	return list
}

func TestSchemasContainNoHiddenCharacter(t *testing.T) {
	word := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("ab\u200b\u200c\u200d\u202e\u3164\ufe0f\U000e0100\u00a0")), rapid.Rune()))
	name := rapid.OneOf(word,
		rapid.SampledFrom([]string{"title", "description", "properties", "enum", "default", "const", "pattern", "$comment"}))
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
			case kind == 0 || depth == 0:
				return word.Draw(t, "text")
			case kind == 1:
				return rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "list")
			}
			return rapid.MapOfN(name, value(depth-1), 0, 3).Draw(t, "object")
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(value(3).Draw(t, "schema"))
		require.NoError(t, err)
		cleaned, err := cleanSchema(raw)
		if err != nil {
			return // two names of an object became equal
		}
		v, err := orderedjson.ReadOrdered(string(cleaned))
		require.NoError(t, err)
		for _, s := range stringsOf(v) {
			assert.False(t, strings.ContainsFunc(s, hidden), "%q", s)
		}
	})
}

func TestCleanedSchemasKeepTheirMeaning(t *testing.T) {
	cleaned, err := cleanSchema(json.RawMessage(
		`{"properties":{"b\u200b":{"enum":[" x\u202e"],"default":{"title":" y "},"title":" z "},"a":{"minimum":1.50}},"required":["b\u200b"]}`))
	require.NoError(t, err)
	assert.Equal(t,
		`{"properties":{"b":{"enum":[" x"],"default":{"title":" y "},"title":"z"},"a":{"minimum":1.50}},"required":["b"]}`, string(cleaned))
	_, err = cleanSchema(json.RawMessage(`{"properties":{"b":{},"b\u200b":{}}}`))
	require.Error(t, err)
	_, err = cleanSchema(json.RawMessage(`{"a`))
	require.Error(t, err)
}

func TestDescriptionsAreShortenedWhateverTheNameOfTheParameter(t *testing.T) {
	long := strings.Repeat("x", 2*maxDescription)
	for _, name := range []string{"path", "default", "const", "properties", "title"} {
		cleaned, err := cleanSchema(json.RawMessage(`{"properties":{"` + name + `":{"description":"` + long + `"}}}`))
		require.NoError(t, err)
		assert.Less(t, len(cleaned), maxDescription+100, name)
	}
	cleaned, err := cleanSchema(json.RawMessage(`{"default":{"description":"` + long + `"}}`))
	require.NoError(t, err)
	assert.Contains(t, string(cleaned), long, "data stays whole")
}
