package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
)

// listedValues returns a schema that lists n values, each of which has the given format.
func listedValues(format string, n int) string {
	var values []string
	for i := range n {
		values = append(values, fmt.Sprintf(format, i))
	}
	return `{"enum":[` + strings.Join(values, ",") + `]}`
}

func compiled(t *testing.T, raw string) *Schema {
	t.Helper()
	s, err := Compile(json.RawMessage(raw))
	require.NoError(t, err)
	return s
}

func TestUnracedListedValuesOfAlternativesAreUnitedInOnePass(t *testing.T) {
	longtest.SkipIfRaced(t)
	allocated := func(n int) int {
		raw := `{"type":"object","anyOf":[{"properties":{"v":` + listedValues(`"%d"`, n) + `}}]}`
		return memorytest.Allocated(func() { require.Len(t, compiled(t, raw).Properties()[0].Enum, n) })
	}
	allocated(1) // fills caches
	require.Less(t, allocated(4000), 6*allocated(1000), "four times as many values, and some tolerance")
}

func TestUnracedATextIsReadOnceForAllListedValues(t *testing.T) {
	longtest.SkipIfRaced(t)
	text := "[" + strings.Repeat("1,", 10_000) + "1]"
	allocated := func(n int) int {
		s := compiled(t, `{"type":"object","properties":{"v":`+listedValues("[%d]", n)+`}}`)
		return memorytest.Allocated(func() {
			_, _, err := s.Object([]Text{{Name: "v", Value: text}})
			require.Error(t, err)
		})
	}
	allocated(1) // fills caches
	require.Less(t, allocated(200), 2*allocated(20), "the number of listed values hardly matters")
}

func TestUnracedReadingByManyDeclarationsIsLimited(t *testing.T) {
	longtest.SkipIfRaced(t)
	text := strings.Repeat("1,", 20_000) + "x" // no declaration accepts it
	allocated := func(n int) int {
		var alternatives []string
		for i := range n {
			alternatives = append(alternatives,
				fmt.Sprintf(`{"properties":{"v":{"type":"array","items":{"type":"integer","minimum":%d}}}}`, i))
		}
		s := compiled(t, `{"type":"object","anyOf":[`+strings.Join(alternatives, ",")+`]}`)
		return memorytest.Allocated(func() {
			_, _, err := s.Object([]Text{{Name: "v", Value: text}})
			require.Error(t, err)
		})
	}
	allocated(1) // fills caches
	require.Less(t, allocated(200), 2*allocated(20), "the number of declarations hardly matters")
}

func TestComparingWithListedValuesIsLimited(t *testing.T) {
	s := compiled(t, `{"type":"object","properties":{"v":{"type":"array","items":`+listedValues("%d", 1000)+`}}}`)
	ps := s.parameters
	for name, text := range map[string]string{
		"a plain list": strings.Repeat("x,", 300) + "x",
		"JSON":         `["` + strings.Repeat(`x","`, 300) + `x"]`,
	} {
		t.Run(name, func(t *testing.T) {
			c := coercer{analysis: ps.analysis, left: maxWork}
			_, refused := c.read(text, ps.declared[0].info)
			require.Nil(t, refused, "the validator reports the elements")
			require.Zero(t, c.left)
			_, refused = c.read("1", c.of(ps.declared[0].info.element(0)))
			require.Equal(t, CodeLimit, refused.Code)
		})
	}
}

func TestMatchingNamesWithPatternsIsLimited(t *testing.T) {
	var patterns []string
	for i := range 1000 {
		patterns = append(patterns, fmt.Sprintf(`"^a%d$":{"type":"integer"}`, i))
	}
	raw := `{"type":"object","additionalProperties":false,"patternProperties":{` + strings.Join(patterns, ",") + `}}`
	members, args := map[string]any{}, []Text{}
	for i := range 1000 {
		members[fmt.Sprint("b", i)] = "1"
		args = append(args, Text{Name: fmt.Sprint("b", i)})
	}
	s := compiled(t, raw)
	c := coercer{analysis: s.parameters.analysis, left: maxWork}
	c.fit(members, s.parameters.root)
	require.Zero(t, c.left)
	_, _, err := s.Object(args)
	require.ErrorContains(t, err, "more than can be checked against the schema")

	// Very short names cost little by their length, but each is matched with each pattern.
	for i := range args {
		args[i].Name = string(rune('b' + i%20))
	}
	_, _, err = s.Object(args)
	require.ErrorContains(t, err, "more than can be checked against the schema")
}
