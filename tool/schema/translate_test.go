package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
)

func TestTranslatedReplacesDescriptionsOnly(t *testing.T) {
	texts := map[string]string{"the city": "城市", "the options": "选项", "an element": "元素"}
	for _, test := range []struct{ name, schema, want string }{
		{
			"descriptions", `{"type":"object","description":"the options","properties":{"city":{"type":"string","description":"the city"}}}`,
			`{"type":"object","description":"选项","properties":{"city":{"type":"string","description":"城市"}}}`,
		},
		{
			"deeper descriptions",
			`{"properties":{"list":{"type":"array","items":{"anyOf":[{"type":"string","description":"an element"},{"type":"null"}]}}}}`,
			`{"properties":{"list":{"type":"array","items":{"anyOf":[{"type":"string","description":"元素"},{"type":"null"}]}}}}`,
		},
		{
			"no translation", `{"properties":{"day":{"type":"string","description":"the day"}}}`,
			`{"properties":{"day":{"type":"string","description":"the day"}}}`,
		},
		{
			"arguments named like keywords", `{"properties":{"description":{"description":"the city"},"default":{"description":"the city"}}}`,
			`{"properties":{"description":{"description":"城市"},"default":{"description":"城市"}}}`,
		},
		{
			"data", `{"properties":{"city":{"type":"object","default":{"description":"the city"},"enum":[{"description":"the city"}]}}}`,
			`{"properties":{"city":{"type":"object","default":{"description":"the city"},"enum":[{"description":"the city"}]}}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := schematest.Compile(t, test.schema)
			translated, err := s.Translated(texts)
			require.NoError(t, err)
			assert.Equal(t, test.want, string(translated.JSON()))
			assert.Equal(t, test.schema, string(s.JSON()), "the schema itself is unchanged")
		})
	}
}
