package schema_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

// fiveFields is the schema of a typical method, with arguments of different types. fiveTexts are
// arguments that fit it without repairs.
const fiveFields = `{"type":"object","additionalProperties":false,"required":["path","query"],"properties":{
	"path":{"type":"string","description":"where to look","minLength":1},
	"query":{"type":"string","description":"what to look for"},
	"limit":{"type":"integer","minimum":1,"maximum":100,"default":20},
	"recursive":{"type":"boolean","default":true},
	"kinds":{"type":"array","items":{"type":"string","enum":["file","dir","link"]}}}}`

var fiveTexts = []schema.Text{
	{Name: "path", Value: "/home/user/projects"},
	{Name: "query", Value: "func main() {\n\tfmt.Println(\"hello\")\n}"},
	{Name: "limit", Value: "50"},
	{Name: "recursive", Value: "true"},
	{Name: "kinds", Value: `["file", "dir"]`},
}

// BenchmarkFiveFields compares Schema.Object, which reads and checks five texts, with the validator
// alone, which only checks the values of these texts.
func BenchmarkFiveFields(b *testing.B) {
	b.Run("fast check", func(b *testing.B) { benchmarkFields(b, fiveFields) })
	// The fast check does not cover patterns, so the validator runs.
	b.Run("validator", func(b *testing.B) {
		benchmarkFields(b, strings.Replace(fiveFields, `"minLength":1`, `"pattern":"^/"`, 1))
	})
}

func benchmarkFields(b *testing.B, raw string) {
	s := schematest.Compile(b, raw)
	object, repaired, err := s.Object(fiveTexts)
	require.NoError(b, err)
	require.Empty(b, repaired)

	c := jsonschema.NewCompiler()
	c.AssertFormat()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	require.NoError(b, err)
	require.NoError(b, c.AddResource("fields:///five", doc))
	validator, err := c.Compile("fields:///five")
	require.NoError(b, err)
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var typed any
	require.NoError(b, d.Decode(&typed))

	// Object and the validator are measured in turns, so that other load of the machine affects
	// both. The median of all turns is reported.
	const calls = 200
	turn := func(run func() error) float64 {
		start := time.Now()
		for range calls {
			if err := run(); err != nil {
				b.Fatal(err)
			}
		}
		return float64(time.Since(start).Nanoseconds()) / calls
	}
	var objectTimes, validateTimes, ratios []float64
	for b.Loop() {
		o := turn(func() error { _, _, err := s.Object(fiveTexts); return err })
		v := turn(func() error { return validator.Validate(typed) })
		objectTimes, validateTimes, ratios = append(objectTimes, o), append(validateTimes, v), append(ratios, o/v)
	}
	median := func(figures []float64) float64 {
		slices.Sort(figures)
		return figures[len(figures)/2]
	}
	b.ReportMetric(median(objectTimes), "object-ns")
	b.ReportMetric(median(validateTimes), "validate-ns")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(0, "ns/op") // 0 omits the metric, which would be the time of two turns
}
