package schema_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// restrictive is a schema that badArguments violate in many ways.
const restrictive = `{"type":"object","minProperties":20,"required":["missing"],"additionalProperties":false,
	"dependentRequired":{"n":["because"]},"properties":{
	"missing":{"type":["string","null"]},"because":{},"n":{"type":"integer"},"b":{"type":"boolean"},"low":{"minimum":1,"type":"integer"},
	"high":{"maximum":1,"type":"integer"},"above":{"exclusiveMinimum":1,"type":"number"},"below":{"exclusiveMaximum":1,"type":"number"},
	"even":{"multipleOf":2,"type":"integer"}, "e":{"enum":["a","b"]}, "c":{"const":{"a":1}},
	"f":{"format":"date-time","type":"string"}, "d":{"format":"go-duration"},
	"m":{"format":"email"}, "p":{"pattern":"^a"}, "short":{"minLength":3}, "long":{"maxLength":1},
	"few":{"minItems":2,"type":"array"}, "many":{"maxItems":1,"type":"array"},
	"unique":{"uniqueItems":true,"type":"array"}, "contains":{"contains":{"const":1},"type":"array"},
	"less":{"contains":{},"maxContains":1,"type":"array"},
	"list":{"type":"array","items":{"type":"string"}}, "not":{"not":{"type":"string"}},
	"any":{"type":"object","anyOf":[{"required":["x"]},{"required":["y"]}]},
	"none":false,"tuple":{"type":"array","prefixItems":[{}],"items":false},"o":{"type":"object","maxProperties":0}}}`

var badArguments = []schema.Text{
	{Name: "n", Value: "1"},
	{Name: "n", Value: "2"},
	{Name: "b", Value: "perhaps"},
	{Name: "low", Value: "0"},
	{Name: "high", Value: "2"},
	{Name: "above", Value: "1"},
	{Name: "below", Value: "1"},
	{Name: "even", Value: "3"},
	{Name: "e", Value: "z"},
	{Name: "c", Value: "z"},
	{Name: "f", Value: "today"},
	{Name: "d", Value: "long"},
	{Name: "m", Value: "x"},
	{Name: "p", Value: "b"},
	{Name: "short", Value: "a"},
	{Name: "long", Value: "ab"},
	{Name: "few", Value: "[]"},
	{Name: "many", Value: "[1,2]"},
	{Name: "unique", Value: "[1,1]"},
	{Name: "contains", Value: "[2]"},
	{Name: "less", Value: "[1,2]"},
	{Name: "list", Value: "a; b"},
	{Name: "not", Value: "a"},
	{Name: "any", Value: "{}"},
	{Name: "none", Value: "a"},
	{Name: "tuple", Value: "[1,2]"},
	{Name: "o", Value: `{"a":1}`},
	{Name: "zzz", Value: "a"},
	{Name: "fe", Value: "[", JSON: true},
	{Name: "\xff", Value: "a"},
}

// TestChineseProblemsMatchEnglish checks that the same arguments have the same problems in Chinese
// as in English, and that no problem mixes the languages.
func TestChineseProblemsMatchEnglish(t *testing.T) {
	s := schematest.Compile(t, restrictive)
	in := func(language string) *schema.ArgumentsError {
		_, _, err := s.ObjectWith(badArguments, schema.ObjectOptions{Language: language})
		var refused *schema.ArgumentsError
		require.ErrorAs(t, err, &refused)
		return refused
	}
	kinds := func(e *schema.ArgumentsError) (list []string) {
		for _, p := range e.Problems {
			list = append(list, p.Path+" "+string(p.Code)+" "+p.Nearest)
			require.NotEmpty(t, p.Code, p.Path)
		}
		slices.Sort(list)
		return list
	}
	english, chinese := in("en"), in("zh")
	require.Equal(t, kinds(english), kinds(chinese))
	require.False(t, strings.ContainsFunc(english.Error(), isHan))
	codes := map[schema.Code]bool{}
	for _, p := range chinese.Problems {
		codes[p.Code] = true
	}
	require.GreaterOrEqual(t, len(codes), 22, "badArguments have problems of nearly all kinds")
	// What may be English in Chinese text: quoted values, names, lists of names, and words of JSON.
	allowed := regexp.MustCompile(`"[^"]*"|date-time|go-duration|email|schema|JSON|UTF-8|missing|because|[a-z]+(, [a-z]+)+|` +
		`string|null|boolean|integer|object|array|true|false`)
	for _, p := range chinese.Problems {
		assert.NotRegexp(t, `[a-z]{2}`, allowed.ReplaceAllString(p.Expected+p.Received, ""), p.Path)
	}
}

func TestErrorsAreInChinese(t *testing.T) {
	s := schematest.Compile(t,
		`{"type":"object","required":["city"],"properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1}}}`)
	for _, test := range []struct {
		name string
		args []schema.Text
		want string
	}{
		{"a missing argument", nil, "参数无效：city：缺少，要求 string"},
		{"a wrong value", []schema.Text{{Name: "city", Value: "北京"}, {Name: "days", Value: "很多"}}, `参数无效：days：要求 integer（只写数字），收到 "很多"`},
		{
			"JSON that cannot be read",
			[]schema.Text{{Name: "city", Value: "北京"}, {Name: "days", Value: "[1,", JSON: true}},
			`参数无效：days：要求一个 JSON 值，收到 "[1,"（过早结束）`,
		},
		{"a value past a limit", []schema.Text{{Name: "city", Value: "北京"}, {Name: "days", Value: "0"}}, `参数无效：days：要求至少 1，收到 0`},
		{"an unknown argument", []schema.Text{{Name: "location_city", Value: "北京"}}, "参数无效：city：缺少，要求 string；location_city：未知参数（是否应为 city？）"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := s.ObjectWith(test.args, schema.ObjectOptions{Language: "zh"})
			require.EqualError(t, err, test.want)
		})
	}
}
