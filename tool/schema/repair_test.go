package schema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

const (
	anObject    = `{"type":"object"}`
	anArray     = `{"type":"array"}`
	ofStrings   = `{"type":"array","items":{"type":"string"}}`
	ofNumbers   = `{"type":"array","items":{"type":"integer"}}`
	ofFractions = `{"type":"array","items":{"type":"number"}}`
	ofWords     = `{"type":"array","items":{"enum":["red","green"]}}`
)

// repairList returns the names of repairs. A path other than v follows the name, after an @.
func repairList(repaired []schema.Repaired) string {
	var list []string
	for _, r := range repaired {
		if r.Path != "v" {
			r.Repair += "@" + r.Path
		}
		list = append(list, r.Repair)
	}
	return strings.Join(list, " ")
}

func TestRepairsAreNamed(t *testing.T) {
	// If want is "", the text is refused.
	for _, test := range []struct{ name, form, text, want, repairs string }{
		{"clean JSON needs no repair", anObject, `{"a":[true,null,"x",1.5]}`, `{"a":[true,null,"x",1.5]}`, ""},
		{"strings in single quotation marks", anObject, `{'a': 'b', "c": ['d']}`, `{"a":"b","c":["d"]}`, "single_quotes"},
		{"an apostrophe in double quotation marks", anArray, `['a', "it's"]`, `["a","it's"]`, "single_quotes"},
		{"double quotation marks in single ones", anArray, `['say "x"']`, `["say \"x\""]`, "single_quotes"},
		{"an escaped apostrophe", anArray, `['it\'s', 'a\\b\n\u00e9']`, `["it's","a\\b\né"]`, "single_quotes"},
		{"a comma after the last element", anArray, `[1, 2, ]`, `[1,2]`, "trailing_comma"},
		{"a comma after the last member", anObject, `{"a": 1,}`, `{"a":1}`, "trailing_comma"},
		{"commas after a last element and a last member are one repair", anObject, `{"a": [1,],}`, `{"a":[1]}`, "trailing_comma"},
		{"Python's literals", anArray, `[True, False, None]`, `[true,false,null]`, "python_literals"},
		{
			"Python's literals, quotation marks and commas", anObject, `{'a': True, 'b': [None,],}`,
			`{"a":true,"b":[null]}`, "single_quotes python_literals trailing_comma",
		},
		{"a fence", anObject, "```json\n{\"a\":1}\n```", `{"a":1}`, "code_fence"},
		{"a fence without a language", anArray, "```\n[1]\n```\n", `[1]`, "code_fence"},
		{"a fence of tildes", anArray, "~~~~\r\n[1]\r\n~~~~", `[1]`, "code_fence"},
		{"a fence around JSON that needs repairs", anArray, "```python\n['a']\n```", `["a"]`, "code_fence single_quotes"},
		{"text in strings stays", anArray, `["True", "a,]", "'b'", "None,",]`, `["True","a,]","'b'","None,"]`, "trailing_comma"},
		{"a fence in a string stays", anArray, "[\"```json\\n[1]\\n```\"]", "[\"```json\\n[1]\\n```\"]", ""},

		{"a plus sign", `{"type":"integer"}`, `+5`, `5`, "number_spelling"},
		{"leading zeros", `{"type":"integer"}`, `007`, `7`, "number_spelling"},
		{"a number without a whole part", `{"type":"number"}`, `.5`, `0.5`, "number_spelling"},
		{"an integer with a fraction of zero is JSON", `{"type":"integer"}`, `5.0`, `5`, ""},
		{"another spelling of true", `{"type":"boolean"}`, `是`, `true`, "boolean_spelling"},
		{"another case of false", `{"type":"boolean"}`, `FALSE`, `false`, "boolean_spelling"},
		{
			"1 in JSON for true", `{"type":"array","items":{"type":"boolean"}}`, `[1, 0, true]`, `[true,false,true]`,
			"boolean_spelling@v[0] boolean_spelling@v[1]",
		},
		{"a listed value in another case", `{"enum":["red","green"]}`, `RED`, `"red"`, "enum_case"},
		{"a listed value in an alternative", `{"anyOf":[{"enum":["red","green"]},{"type":"null"}]}`, `Red`, `"red"`, "enum_case"},
		{"a listed value beside another type", `{"anyOf":[{"enum":["auto"]},{"type":"integer"}]}`, `Auto`, `"auto"`, "enum_case"},
		{"a constant in another case", `{"const":"now"}`, `NOW`, `"now"`, "enum_case"},

		{"a quoted listed value", `{"enum":["red","green"]}`, `"red"`, `"red"`, "quoted_value"},
		{"a listed value in single quotation marks and another case", `{"enum":["red","green"]}`, `'Red'`, `"red"`, "quoted_value enum_case"},
		{"a listed value in Chinese quotation marks", `{"enum":["red","green"]}`, `“green”`, `"green"`, "quoted_value"},
		{"a listed value in backticks", `{"enum":["red","green"]}`, "`red`", `"red"`, "quoted_value"},
		{"a listed value that has quotation marks", `{"enum":["\"red\"","red"]}`, `"red"`, `"\"red\""`, ""},
		{"blanks for underscores", `{"enum":["in_progress","done"]}`, `In progress`, `"in_progress"`, "enum_spelling"},
		{"an underscore for a hyphen", `{"enum":["in-progress","done"]}`, `in_progress`, `"in-progress"`, "enum_spelling"},
		{"a minus is not a hyphen", `{"enum":["-created","name"]}`, `created`, ``, ""},
		{"blanks that fit two", `{"enum":["a-b","a_b"]}`, `a b`, ``, ""},
		{"quotation marks around two values", `{"enum":["a","b"]}`, `"a" "b"`, ``, ""},
		{
			"listed values within JSON", `{"type":"array","items":{"enum":["in_progress","done"]}}`,
			`["in progress","Done"]`, `["in_progress","done"]`, "enum_spelling@v[0] enum_case@v[1]",
		},

		{"full-width digits", `{"type":"integer"}`, `－５０`, `-50`, "full_width_digits"},
		{"full-width digits with a point", `{"type":"number"}`, `１．５`, `1.5`, "full_width_digits"},
		{"full-width digits in a list", ofNumbers, `５、６`, `[5,6]`, "comma_list full_width_digits@v[0] full_width_digits@v[1]"},
		{"full-width digits of a string stay", `{"type":"string"}`, `５０`, `"５０"`, ""},

		{"a tuple", ofNumbers, `(1, 2)`, `[1,2]`, "python_tuple"},
		{"a tuple of strings", ofStrings, `('a', "b, c")`, `["a","b, c"]`, "single_quotes python_tuple"},
		{"a tuple of one", ofNumbers, ` (1,) `, `[1]`, "python_tuple"},
		{"tuples within a list", anArray, `[(1, 2), (3, (4, 5,))]`, `[[1,2],[3,[4,5]]]`, "python_tuple"},
		{"a number in round brackets is not a tuple", ofNumbers, `(1)`, ``, ""},
		{"round brackets with nothing in them", ofNumbers, `()`, ``, ""},
		{"words in round brackets are not a tuple", ofStrings, `(a)`, `["(a)"]`, "single_element"},

		{"a quoted number", `{"type":"integer"}`, `"5"`, `5`, "quoted_value"},
		{"a quoted boolean", `{"type":"boolean"}`, `"yes"`, `true`, "quoted_value boolean_spelling"},
		{"a quoted array", ofNumbers, `"[1, 2]"`, `[1,2]`, "quoted_value"},
		{"quotation marks around a string stay", `{"type":"string"}`, `"5"`, `"\"5\""`, ""},
		{"a string within JSON that is no number", ofNumbers, `["1", 2, "0x"]`, ``, ""},
		{
			"strings within JSON for other types",
			`{"type":"object","properties":{"n":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"}},"s":{"type":"string"}}}`,
			`{"n":"5","l":"[1]","s":"5"}`, `{"l":[1],"n":5,"s":"5"}`, "quoted_value@v.l quoted_value@v.n",
		},
		{
			"JSON within JSON within JSON", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"array"}}}}}`,
			`{"a":"{\"b\":\"[1]\"}"}`, `{"a":{"b":[1]}}`, "quoted_value@v.a.b quoted_value@v.a",
		},
		{
			"repairs within strings of JSON", `{"type":"array","items":{"type":"object"}}`, `["{'a':1}"]`,
			`[{"a":1}]`, "single_quotes@v[0] quoted_value@v[0]",
		},

		{"elements between commas", ofStrings, `a, b c ,d`, `["a","b c","d"]`, "comma_list"},
		{"Chinese commas", ofStrings, `北京，上海`, `["北京","上海"]`, "comma_list"},
		{"enumeration commas", ofStrings, `北京、上海 、广州`, `["北京","上海","广州"]`, "comma_list"},
		{"a comma at the end", ofStrings, `a, b,`, `["a","b"]`, "trailing_comma comma_list"},
		{"commas within quotation marks", ofStrings, `"a, b", 'c, d', e`, `["a, b","c, d","e"]`, "single_quotes comma_list"},
		{"escapes within quotation marks", ofStrings, `"a\n\"b\"", c`, `["a\n\"b\"","c"]`, "comma_list"},
		{"an apostrophe within a word", ofStrings, `don't, can't`, `["don't","can't"]`, "comma_list"},
		{"brackets that are closed", ofStrings, `f(x), g[1]`, `["f(x)","g[1]"]`, "comma_list"},
		{"commas and lines", ofStrings, "a,\n  b,\n\n  c", `["a","b","c"]`, "comma_list"},
		{"lines", ofStrings, "a b\r\nc\n\nd", `["a b","c","d"]`, "line_list"},
		{"lines with bullets", ofStrings, "- a\n- b", `["a","b"]`, "line_list"},
		{"lines with dots", ofStrings, "● a\n● b", `["a","b"]`, "line_list"},
		{"a numbered list", ofStrings, "1. a\n2. b\n3. c", `["a","b","c"]`, "numbered_list line_list"},
		{"a numbered list with brackets", ofStrings, "1) a b\n\n2) c", `["a b","c"]`, "numbered_list line_list"},
		{"a Chinese numbered list", ofStrings, "１．北京\n２．上海", `["北京","上海"]`, "numbered_list line_list"},
		{"circled numbers", ofStrings, "①a\n② b", `["a","b"]`, "numbered_list line_list"},
		{"a numbered list of numbers", ofNumbers, "1. 5\n2. 7", `[5,7]`, "numbered_list line_list"},
		{"initials are not markers", ofStrings, "J. Smith\nA. Doe", `["J. Smith","A. Doe"]`, "line_list"},
		{"keys are not markers", ofStrings, "10: a\n20: b", `["10: a","20: b"]`, "line_list"},
		{"times are not markers", ofStrings, "10:30 a\n11:00 b", `["10:30 a","11:00 b"]`, "line_list"},
		{"full-width fractions are not markers", ofFractions, "３．5\n１．7", `[3.5,1.7]`, "line_list full_width_digits@v[0] full_width_digits@v[1]"},
		{"versions are not markers", ofStrings, "3.x\n1.5", `["3.x","1.5"]`, "line_list"},
		{"decimal points are not markers", ofFractions, "1.5\n2.5", `[1.5,2.5]`, "line_list"},
		{
			"semicolons if only one element is allowed", `{"type":"array","items":{"type":"string"},"maxItems":1}`,
			`a; b`, `["a; b"]`, "single_element",
		},
		{"semicolons in quotation marks", ofStrings, `"a; b", c`, `["a; b","c"]`, "comma_list"},
		{"numbers with other lengths than groups of thousands", ofNumbers, `2020,21,1`, `[2020,21,1]`, "comma_list"},
		{"years", ofNumbers, `2020,2021,2022`, `[2020,2021,2022]`, "comma_list"},
		{"numbers of three digits between commas and blanks", ofNumbers, `50, 100, 600`, `[50,100,600]`, "comma_list"},
		{"numbers of three digits between enumeration commas", ofNumbers, `50、100`, `[50,100]`, "comma_list"},
		{"fractions between commas", ofFractions, `12.5,48.25`, `[12.5,48.25]`, "comma_list"},
		{"three single digits between commas", ofFractions, `1,2,3`, `[1,2,3]`, "comma_list"},
		{"quoted numbers with thousands separators", ofStrings, `"1,000", "2,000"`, `["1,000","2,000"]`, "comma_list"},
		{
			"listed values may look like groups of thousands", `{"type":"array","items":{"enum":["100","200"]}}`,
			`100,200`, `["100","200"]`, "comma_list",
		},
		{`a word that begins with "and"`, ofStrings, `a, android`, `["a","android"]`, "comma_list"},
		{"quoted lines", ofStrings, "\"a, b\"\n\"c\"", `["a, b","c"]`, "line_list"},
		{"one element", ofStrings, ` a b `, `["a b"]`, "single_element"},
		{"one element in quotation marks", ofStrings, `"a, b"`, `["a, b"]`, "single_element"},
		{"one element that opens a bracket", ofStrings, `f(`, `["f("]`, "single_element"},
		{"an element that looks like a number stays a string", ofStrings, `007, true`, `["007","true"]`, "comma_list"},
		{"numbers between commas", ofNumbers, `1, -2,3`, `[1,-2,3]`, "comma_list"},
		{"numbers on lines", ofNumbers, "-5\n3", `[-5,3]`, "line_list"},
		{"one number", ofNumbers, `5`, `[5]`, "single_element"},
		{"a quoted number among others", ofNumbers, `"1", 2`, `[1,2]`, "comma_list quoted_value@v[0]"},
		{"listed values", ofWords, `Red, green`, `["red","green"]`, "comma_list enum_case@v[0]"},
		{"a list that may be null", `{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}`, `a, b`, `["a","b"]`, "comma_list"},
		{"null if a list may be null", `{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}`, `null`, `null`, ""},
		{"a number or a list of numbers", `{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]}`, `5`, `5`, ""},
		{
			"several numbers, for a number or a list of numbers",
			`{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]}`, `5, 6`, `[5,6]`,
			"comma_list",
		},
		{
			"a list with a schema for each position",
			`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}`, `a, 5`, `["a",5]`, "comma_list",
		},
		{"text for a string or a list is a string", `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, `a, b`, `"a, b"`, ""},
		{
			"a list within an object",
			`{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}}}`, `{"tags":"a, b"}`,
			`{"tags":["a","b"]}`, "comma_list@v.tags quoted_value@v.tags",
		},
		{"JSON in single quotation marks is not split", ofStrings, `['a, b', 'c']`, `["a, b","c"]`, "single_quotes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, repaired, err := schematest.One(t, test.form).Object([]schema.Text{{Name: "v", Value: test.text}})
			if test.want == "" {
				require.Error(t, err)
				assert.Empty(t, repaired)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, `{"v":`+test.want+`}`, string(got))
			assert.Equal(t, test.repairs, repairList(repaired))
		})
	}
}

func TestNestingIsLimited(t *testing.T) {
	s := schematest.One(t, anArray)
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	_, _, err := s.Object([]schema.Text{{Name: "v", Value: deep(100)}})
	require.NoError(t, err)
	_, _, err = s.Object([]schema.Text{{Name: "v", Value: deep(101)}})
	require.ErrorContains(t, err, "it is nested more than 100 deep")
	_, _, err = s.Object([]schema.Text{{Name: "v", Value: deep(1_000_000)}})
	require.ErrorContains(t, err, "it is nested more than 100 deep")
}

func TestSimilarNamesAreReportedAsRepairs(t *testing.T) {
	args := []schema.Text{{Name: "Query", Value: "x"}, {Name: "case_sensitive", Value: "Yes"}}
	_, repaired, err := schematest.Compile(t, search).Object(args)
	require.NoError(t, err)
	assert.Equal(t, "argument_name@query argument_name@caseSensitive boolean_spelling@caseSensitive",
		repairList(repaired))
}

func TestEachRepairIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/arguments.md")
	require.NoError(t, err)
	for _, name := range schema.RepairNames() {
		assert.Regexp(t, "(?m)^\\| .*`"+name+"`", string(text), name)
	}
}
