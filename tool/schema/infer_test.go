package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/schema"
)

type filter struct {
	Field string `json:"field" enum:"name, size" jsonschema:"what to compare"`
	Least int    `json:"least,omitempty" minimum:"0"`
}

type everything struct {
	Path    string            `json:"path" jsonschema:"where to look"`
	Sort    string            `json:"sort" enum:"asc,desc" default:"asc"`
	Limit   int               `json:"limit" minimum:"1" maximum:"100" default:"20"`
	Ratio   float64           `json:"ratio,omitempty" minimum:"0.1"`
	Deep    bool              `json:"deep" default:"true"`
	Kinds   []string          `json:"kinds,omitempty" enum:"file,dir" default:"[\"file\"]"`
	Levels  []int             `json:"levels,omitempty" maximum:"9"`
	Owner   *string           `json:"owner,omitempty" pattern:"^[a-z]+$"`
	Filters []filter          `json:"filters,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Day     string            `json:"day,omitempty" format:"date"`
	Since   *time.Time        `json:"since,omitempty"`
	hidden  int               // is no argument, because it is not exported
	Skipped int               `json:"-"`
}

func TestForReadsTypesAndTags(t *testing.T) {
	s, err := schema.For[everything]()
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"type":"object","additionalProperties":false,"required":["path"],
		"properties":{
			"path":{"type":"string","description":"where to look"},
			"sort":{"type":"string","enum":["asc","desc"],"default":"asc"},
			"limit":{"type":"integer","minimum":1,"maximum":100,"default":20},
			"ratio":{"type":"number","minimum":0.1},
			"deep":{"type":"boolean","default":true},
			"kinds":{"type":"array","items":{"type":"string","enum":["file","dir"]},"default":["file"]},
			"levels":{"type":"array","items":{"type":"integer","maximum":9}},
			"owner":{"type":["null","string"],"pattern":"^[a-z]+$"},
			"filters":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["field"],"properties":{
				"field":{"type":"string","enum":["name","size"],"description":"what to compare"},
				"least":{"type":"integer","minimum":0}}}},
			"labels":{"type":"object","additionalProperties":{"type":"string"}},
			"day":{"type":"string","format":"date"},
			"since":{"type":["null","string"],"format":"date-time"}
		}}`, string(s.JSON()))

	var names []string
	for _, p := range s.Properties() {
		names = append(names, p.Name)
	}
	assert.Equal(t,
		[]string{"path", "sort", "limit", "ratio", "deep", "kinds", "levels", "owner", "filters", "labels", "day", "since"},
		names)

	raw, _, err := s.Object([]schema.Text{
		{Name: "path", Value: "."}, {Name: "filters", Value: `[{"field":"Size","least":"5"}]`}, {Name: "owner", Value: "null"},
	})
	require.NoError(t, err)
	var got everything
	require.NoError(t, json.Unmarshal(raw, &got))
	want := everything{Path: ".", Sort: "asc", Limit: 20, Deep: true, Kinds: []string{"file"}, Filters: []filter{{"size", 5}}}
	assert.Equal(t, want, got)
	_ = want.hidden // so that linters do not report it as unused
}

type (
	Shared struct {
		Since time.Time `json:"since,omitempty" jsonschema:"the first day"`
		Limit int       `json:"limit" default:"5" minimum:"1"`
	}
	Level        int
	hiddenPart   struct{ Page int }
	embedsItself struct {
		Shared
		Parts []embedsItself
	}
	request struct {
		Shared `json:"shared"`
		hiddenPart
		Level
		Limit *int          `json:"limit,omitempty" jsonschema:"how many"`
		Parts []requestPart `json:"parts,omitempty"`
	}
	requestPart struct {
		*Shared
		Limit string `json:"limit"`
	}
)

func TestEmbeddedStructsAreReadAsByEncodingJSON(t *testing.T) {
	s, err := schema.For[request]()
	require.NoError(t, err)
	since := `{"type":"string","format":"date-time","description":"the first day"}`
	assert.JSONEq(t, `{
		"type":"object","additionalProperties":false,"required":["shared","Page","Level"],
		"properties":{
			"shared":{"type":"object","additionalProperties":false,"properties":{
				"since":`+since+`,"limit":{"type":"integer","minimum":1,"default":5}}},
			"Page":{"type":"integer"},
			"Level":{"type":"integer"},
			"limit":{"type":["null","integer"],"description":"how many"},
			"parts":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["limit"],"properties":{
				"since":`+since+`,"limit":{"type":"string"}}}}
		}}`, string(s.JSON()))

	raw, _, err := s.Object([]schema.Text{
		{Name: "shared", Value: `{"limit":7}`},
		{Name: "Page", Value: "2"},
		{Name: "level", Value: "3"},
		{Name: "limit", Value: "4"},
		{Name: "parts", Value: `[{"limit":"x"}]`},
	})
	require.NoError(t, err)
	var got request
	require.NoError(t, json.Unmarshal(raw, &got))
	limit := 4
	assert.Equal(t, request{
		Shared: Shared{Limit: 7}, hiddenPart: hiddenPart{2}, Level: 3, Limit: &limit, Parts: []requestPart{{Limit: "x"}},
	}, got)
}

func TestForTakesMapsAndEmptyStructs(t *testing.T) {
	open, err := schema.For[map[string]int]()
	require.NoError(t, err)
	raw, _, err := open.Object([]schema.Text{{Name: "a", Value: "1"}})
	require.NoError(t, err)
	assert.Equal(t, `{"a":1}`, string(raw))

	none, err := schema.For[struct{}]()
	require.NoError(t, err)
	assert.Empty(t, none.Properties())
	_, _, err = none.Object([]schema.Text{{Name: "a", Value: "1"}})
	require.EqualError(t, err, "invalid arguments: a: unknown argument, expected no arguments")
	raw, _, err = none.Object(nil)
	require.NoError(t, err)
	assert.Equal(t, `{}`, string(raw))
}

// textNumber is a number that is read from a string.
type textNumber int

func (*textNumber) UnmarshalText([]byte) error { return nil }

// custom implements json.Unmarshaler.
type custom struct{ X int }

func (*custom) UnmarshalJSON([]byte) error { return nil }

// bits is a list of bytes whose elements implement encoding.TextUnmarshaler.
type bits []bit

type bit uint8

func (*bit) UnmarshalText([]byte) error { return nil }

type blob []byte

func TestSchemasMatchHowTypesAreDecoded(t *testing.T) {
	const bytes = `"type":"string","contentEncoding":"base64","description":"bytes in base64"`
	const duration = `"type":"string","format":"go-duration","description":"a duration such as \"1m30s\""`
	for _, tt := range []struct {
		name string
		make func() (*schema.Schema, error)
		want string // the property v
	}{
		{"a time", schema.For[struct {
			V time.Time `json:"v"`
		}], `{"type":"string","format":"date-time"}`},
		{"times in a list", schema.For[struct {
			V []time.Time `json:"v"`
		}], `{"type":"array","items":{"type":"string","format":"date-time"}}`},
		{"a duration", schema.For[struct {
			V time.Duration `json:"v"`
		}], `{` + duration + `}`},
		{"a pointer to a duration", schema.For[struct {
			V *time.Duration `json:"v"`
		}], strings.Replace(`{`+duration+`}`, `"string"`, `["null","string"]`, 1)},
		{"durations in a list", schema.For[struct {
			V []time.Duration `json:"v"`
		}], `{"type":"array","items":{` + duration + `}}`},
		{"a duration with a description and a default", schema.For[struct {
			V time.Duration `json:"v" jsonschema:"how long to wait" default:"30s"`
		}], `{"type":"string","format":"go-duration","description":"how long to wait (a duration such as \"1m30s\")","default":"30s"}`},
		{"a type with an UnmarshalText", schema.For[struct {
			V textNumber `json:"v"`
		}], `{"type":"string"}`},
		{"an address, which is a struct", schema.For[struct {
			V []netip.Addr `json:"v"`
		}], `{"type":"array","items":{"type":"string"}}`},
		{"a type with an UnmarshalJSON is described by its kind", schema.For[struct {
			V custom `json:"v"`
		}], `{"type":"object","properties":{"X":{"type":"integer"}},"required":["X"],"additionalProperties":false}`},
		{"bytes", schema.For[struct {
			V []byte `json:"v"`
		}], `{` + bytes + `}`},
		{"bytes with a description", schema.For[struct {
			V blob `json:"v" jsonschema:"the image"`
		}], strings.Replace(`{`+bytes+`}`, `"bytes in base64"`, `"the image (bytes in base64)"`, 1)},
		{"lists of bytes", schema.For[struct {
			V []blob `json:"v"`
		}], `{"type":"array","items":{` + bytes + `}}`},
		{"an array of bytes, which is a list", schema.For[struct {
			V [2]byte `json:"v"`
		}], `{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":2,"maxItems":2}`},
		{"bytes with an UnmarshalText", schema.For[struct {
			V bits `json:"v"`
		}], `{"type":"array","items":{"type":"string"}}`},
		{"a list with limits of its length and its elements", schema.For[struct {
			V []string `json:"v" minItems:"1" maxItems:"3" minLength:"2" maxLength:"9"`
		}], `{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","minLength":2,"maxLength":9}}`},
		{"any JSON", schema.For[struct {
			V json.RawMessage `json:"v"`
		}], `true`},
		{"a pointer to any JSON", schema.For[struct {
			V *json.RawMessage `json:"v" jsonschema:"the body"`
		}], `{"description":"the body"}`},
		{"any JSON, in a map", schema.For[struct {
			V map[string][]json.RawMessage `json:"v"`
		}], `{"type":"object","additionalProperties":{"type":"array","items":true}}`},
		{"a json.Number", schema.For[struct {
			V json.Number `json:"v" minimum:"1" default:"2.50"`
		}], `{"type":"number","minimum":1,"default":2.50}`},
		{"a pointer to a json.Number", schema.For[struct {
			V *json.Number `json:"v"`
		}], `{"type":["null","number"]}`},
		{"a whole number of any size", schema.For[struct {
			V *big.Int `json:"v"`
		}], `{"type":["null","integer"]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := tt.make()
			require.NoError(t, err)
			assert.JSONEq(t, tt.want, string(s.Properties()[0].Schema))
		})
	}
}

func TestTimesAndDurationsAreChecked(t *testing.T) {
	s, err := schema.For[struct {
		At   time.Time     `json:"at,omitzero"`
		Wait time.Duration `json:"wait,omitempty"`
	}]()
	require.NoError(t, err)
	for _, tt := range []struct{ argument, value, want string }{
		{"at", "2024-02-29T12:00:00Z", ""},
		{"at", "2024-02-29T12:00:00.5+08:00", ""},
		{"at", "tomorrow", `at: expected text in the format date-time, such as "2006-01-02T15:04:05Z", got "tomorrow"`},
		{"at", "2024-02-29", `at: expected text in the format date-time, such as "2006-01-02T15:04:05Z", got "2024-02-29"`},
		{"wait", "1m30s", ""},
		{"wait", "-500ms", ""},
		{"wait", "0", ""},
		{"wait", "5", `wait: expected a duration such as "1m30s", got "5"`},
		{"wait", "PT5S", `wait: expected a duration such as "1m30s", got "PT5S"`},
		{"wait", "9999999999h", `wait: expected a duration such as "1m30s", got "9999999999h"`},
	} {
		t.Run(tt.argument+" "+tt.value, func(t *testing.T) {
			_, _, err := s.Object([]schema.Text{{Name: tt.argument, Value: tt.value}})
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "invalid arguments: "+tt.want)
		})
	}
}
