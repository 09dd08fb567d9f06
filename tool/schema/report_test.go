package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestUnracedReportsAreLimited(t *testing.T) {
	longtest.SkipIfRaced(t)
	many := longtest.Count(10_000, 100_000)
	list := func(element string) string { return "[" + strings.Repeat(element+",", many-1) + element + "]" }
	members := func(value string) string {
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, `,"m%d":%s`, i, value)
		}
		return "{" + b.String()[1:] + "}"
	}
	var unknown []schema.Text
	for i := range many {
		unknown = append(unknown, schema.Text{Name: fmt.Sprint("a", i), Value: "x"})
	}
	integers := `{"type":"object","properties":{"v":{"type":"array","items":{"type":"integer"}}}}`
	for _, tt := range []struct {
		name, schema string
		args         []schema.Text
		repaired     int // number of repairs; 0 if the arguments are refused
		problems     int // the minimum number of problems
	}{
		{"repairs of a list", integers, []schema.Text{{Name: "v", Value: list(`"1"`)}}, many, 0},
		{"repairs of a plain list", integers, []schema.Text{{Name: "v", Value: strings.Repeat("+7,", many-1) + "+7"}}, many + 1, 0}, // and the list itself
		{
			"repairs of members", `{"type":"object","properties":{"v":{"type":"object","additionalProperties":{"type":"integer"}}}}`,
			[]schema.Text{{Name: "v", Value: members(`"1"`), JSON: true}},
			many, 0,
		},
		{
			"repairs of one of several readings",
			`{"type":"object","anyOf":[{"properties":{"v":{"type":"array","items":{"type":"integer"}}}},{"properties":{"v":{"type":"null"}}}]}`,
			[]schema.Text{{Name: "v", Value: strings.Repeat("+7,", 999) + "+7"}},
			1001, 0, // 1000 elements and the list itself
		},
		{"wrong elements", integers, []schema.Text{{Name: "v", Value: list(`"x"`)}}, 0, many},
		{"wrong elements and a comma at the end", integers, []schema.Text{{Name: "v", Value: strings.Repeat("x,", many)}}, 0, many},
		{"unknown arguments", `{"type":"object","additionalProperties":false}`, unknown, 0, many},
		{
			"unknown members", `{"type":"object","properties":{"v":{"type":"object","additionalProperties":false}}}`,
			[]schema.Text{{Name: "v", Value: members("1"), JSON: true}},
			0, many,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := schema.Compile(json.RawMessage(tt.schema))
			require.NoError(t, err)
			_, repaired, err := s.Object(tt.args)
			if tt.repaired > 0 {
				require.NoError(t, err)
				require.LessOrEqual(t, len(repaired), 2*schema.MaxPlaces) // no case has more than two kinds of repairs
				times := 0
				for _, r := range repaired {
					times += 1 + r.More
				}
				require.Equal(t, tt.repaired, times)
				return
			}
			var bad *schema.ArgumentsError
			require.ErrorAs(t, err, &bad)
			require.Len(t, bad.Problems, schema.MaxProblems)
			require.GreaterOrEqual(t, len(bad.Problems)+bad.More, tt.problems)
			require.Less(t, len(err.Error()), 4096)
			const shown = 20 // problems in the text of an error
			require.Contains(t, err.Error(), fmt.Sprintf("; and %d more", bad.More+schema.MaxProblems-shown))
			require.Nil(t, repaired)
		})
	}
}

func TestUnracedFindingsTakeLimitedMemory(t *testing.T) {
	longtest.SkipIfRaced(t)
	var declared, required, unknown []string
	for i := range 20 {
		declared = append(declared, fmt.Sprintf(`"%s%d":{}`, strings.Repeat("x", 5000), i))
	}
	for i := range 10_000 {
		required = append(required, fmt.Sprintf(`"p%d"`, i))
		unknown = append(unknown, fmt.Sprintf(`"k%d":1`, i))
	}
	long := strings.Repeat("x", 50_000)
	for _, tt := range []struct{ name, form, value string }{
		{
			"unknown members beside declared ones with long names",
			`{"type":"object","additionalProperties":false,"properties":{` + strings.Join(declared, ",") + `}}`,
			`{` + strings.Join(unknown, ",") + `}`,
		},
		{
			"many members that a member with a long name requires",
			`{"type":"object","dependentRequired":{"` + long + `":[` + strings.Join(required, ",") + `]}}`, `{"` + long + `":1}`,
		},
		{
			"many missing members of many objects",
			`{"type":"array","items":{"type":"object","required":[` + strings.Join(required, ",") + `]}}`,
			"[" + strings.Repeat("{},", 99) + "{}]",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := schematest.One(t, tt.form)
			allocated := memorytest.Allocated(func() {
				_, _, err := s.Object([]schema.Text{{Name: "v", Value: tt.value}})
				require.Error(t, err)
			})
			require.Less(t, allocated, 100<<20)
		})
	}
}

// TestRepairsAreCountedOnce checks that each repair is counted once, even if attempts to read other
// alternatives failed before, and that MaxPlaces limits the list.
func TestRepairsAreCountedOnce(t *testing.T) {
	s, err := schema.Compile(json.RawMessage(`{"type":"object","properties":{
		"a":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"boolean"},{"type":"object","properties":{"n":{"type":"integer"}}}]}},
		"b":{"type":"array","items":{"type":"boolean"}}}}`))
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]int{}
		draw := func(name string, spellings map[string][]string) string {
			var elements []string
			for range rapid.IntRange(1, 60).Draw(t, "elements of "+name) {
				spelling := rapid.SampledFrom([]string{`1`, `"1"`, `"+1"`, `true`, `"yes"`, `{"n":"2"}`}).Draw(t, "element")
				repairs, ok := spellings[spelling]
				if !ok {
					continue
				}
				for _, r := range repairs {
					want[r]++
				}
				elements = append(elements, spelling)
			}
			return "[" + strings.Join(elements, ",") + "]"
		}
		args := []schema.Text{
			{
				Name: "a",
				Value: draw("a", map[string][]string{
					`1`: nil, `"1"`: {schema.QuotedValue}, `"+1"`: {schema.NumberSpelling, schema.QuotedValue},
					`true`: nil, `{"n":"2"}`: {schema.QuotedValue},
				}),
			},
			{
				Name: "b",
				Value: draw("b", map[string][]string{
					`1`: {schema.BooleanSpelling}, `true`: nil, `"yes"`: {schema.BooleanSpelling, schema.QuotedValue},
				}),
			},
		}
		_, repaired, err := s.Object(args)
		if err != nil {
			t.Fatal(err)
		}
		got, listed := map[string]int{}, map[string]int{}
		for _, r := range repaired {
			got[r.Repair] += 1 + r.More
			listed[r.Repair]++
		}
		for name, n := range want {
			if got[name] != n || listed[name] != min(n, schema.MaxPlaces) {
				t.Fatalf("%s was needed %d times: %d reported, %d listed\n%v", name, n, got[name], listed[name], args)
			}
		}
		if len(got) != len(want) {
			t.Fatal("repairs that were not needed:", got, want)
		}
	})
}
