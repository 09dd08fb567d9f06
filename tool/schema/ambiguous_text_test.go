package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestAmbiguousOrInvalidTextIsRefused(t *testing.T) {
	const aList = `expected array, written as JSON or with commas, got `
	for _, test := range []struct{ name, form, text, want string }{
		{"blank text", ofStrings, ` `, aList + `" " (an empty list is written [])`},
		{"a broken array is not a list", ofStrings, `[a, b`, aList + `"[a, b" (not JSON: 'a' at byte 1 is out of place)`},
		{"a truncated array", ofStrings, `["a", "b"`, aList + `"[\"a\", \"b\"" (not JSON: it ends too early)`},
		{"an apostrophe that ends a string", ofStrings, `['it's']`, aList + `"['it's']" (not JSON: '\'' at byte 1 is out of place)`},
		{"two arrays", ofStrings, `["a"], ["b"]`, aList + `"[\"a\"], [\"b\"]" (not JSON: more follows after the first value, at byte 5)`},
		{"an object for an array", ofStrings, `{"a":1}`, aList + `"{\"a\":1}"`},
		{"an array within a list", ofStrings, `a, [b]`, aList + `"a, [b]" (it is neither JSON nor a plain list)`},
		{"a missing element", ofStrings, `a,,b`, aList + `"a,,b" (an element is missing)`},
		{"a comma alone", ofStrings, `,`, aList + `"," (an element is missing)`},
		{"a comma at the beginning", ofStrings, `,a`, aList + `",a" (an element is missing)`},
		{"a comma at the beginning of a line", ofStrings, "a\n,b", aList + `"a\n,b" (an element is missing)`},
		{"two kinds of commas", ofStrings, `a, b，c`, aList + `"a, b，c" (it has two kinds of commas)`},
		{"commas within lines", ofStrings, "a, b\nc", aList + `"a, b\nc" (some of its lines have commas and some do not)`},
		{"text after quotation marks", ofStrings, `"a" b, c`, aList + `"\"a\" b, c" (there is text outside the quotation marks)`},
		{"quotation marks that stay open", ofStrings, `"a, b`, aList + `"\"a, b" (quotation marks stay open)`},
		{
			"quotation marks within an element", ofStrings, `say "a, b"`,
			aList + `"say \"a, b\"" (an element opens brackets or quotation marks and does not close them)`,
		},
		{
			"a bracket around commas", ofStrings, `f(a, b), c`,
			aList + `"f(a, b), c" (an element opens brackets or quotation marks and does not close them)`,
		},
		{
			"Chinese quotation marks around commas", ofStrings, `“a，b”，c`,
			aList + `"“a，b”，c" (an element opens brackets or quotation marks and does not close them)`,
		},
		{"None alone", ofStrings, `None`, aList + `"None" (it may be text or mean no value)`},
		{"one bullet", ofStrings, `- a`, aList + `"- a" (its bullets or numbers may be text)`},
		{"a separator of thousands", ofNumbers, `1,000`, aList + `"1,000" (its commas may separate thousands)`},
		{"separators of thousands in several numbers", ofNumbers, `50,000,60,000`, aList + `"50,000,60,000" (its commas may separate thousands)`},
		{"separators of thousands among other commas", ofNumbers, `50,000, 7`, aList + `"50,000, 7" (its commas may separate thousands)`},
		{"separators of thousands with blanks", ofNumbers, `50, 000`, aList + `"50, 000" (its commas may separate thousands)`},
		{"separators of lakhs", ofNumbers, `1,00,000`, aList + `"1,00,000" (its commas may separate thousands)`},
		{"separators of thousands after a sign", ofNumbers, `-1,234,-5`, aList + `"-1,234,-5" (its commas may separate thousands)`},
		{"separators of thousands and a fraction", ofFractions, `1,234.5`, aList + `"1,234.5" (its commas may separate thousands)`},
		{"full-width separators of thousands", ofNumbers, `５０，０００`, aList + `"５０，０００" (its commas may separate thousands)`},
		{"separators of thousands in text", ofStrings, `$1,000, $2,000`, aList + `"$1,000, $2,000" (its commas may separate thousands)`},
		{"a decimal comma", ofFractions, `3,14`, aList + `"3,14" (a comma may stand for a decimal point)`},
		{"decimal commas among other commas", ofFractions, `1,5, 2,5`, aList + `"1,5, 2,5" (a comma may stand for a decimal point)`},
		{"semicolons", ofStrings, `a; b`, aList + `"a; b" (; or | or a tab may separate elements)`},
		{"Chinese semicolons", ofStrings, `甲；乙`, aList + `"甲；乙" (; or | or a tab may separate elements)`},
		{"bars", ofStrings, `a|b`, aList + `"a|b" (; or | or a tab may separate elements)`},
		{"tabs", ofStrings, "a\tb", aList + `"a\tb" (; or | or a tab may separate elements)`},
		{"semicolons beside commas", ofStrings, `a, b; c`, aList + `"a, b; c" (; or | or a tab may separate elements)`},
		{
			"the word and before the last element", ofStrings, `a, b and c`,
			aList + `"a, b and c" (its last comma may be followed by one element or by two)`,
		},
		{"a comma and the word and", ofStrings, `a, b, and c`, aList + `"a, b, and c" (its last comma may be followed by one element or by two)`},
		{"和 before the last element", ofStrings, `北京、上海和广州`, aList + `"北京、上海和广州" (its last comma may be followed by one element or by two)`},
		{"null among other elements", ofStrings, `a, null`, aList + `"a, null" (an element may be text or mean no value)`},
		{"n/a alone", ofStrings, `N/A`, aList + `"N/A" (it may be text or mean no value)`},
		{"a bullet before one line only", ofStrings, "- a\nb", aList + `"- a\nb" (its bullets or numbers may be text)`},
		{"two kinds of bullets", ofStrings, "- a\n* b", aList + `"- a\n* b" (its bullets or numbers may be text)`},
		{"a list within a list", ofStrings, "- a\n  - b", aList + `"- a\n  - b" (its lines are indented differently)`},
		{"a heading before bullets", ofStrings, "Items:\n- a\n- b", aList + `"Items:\n- a\n- b" (its bullets or numbers may be text)`},
		{"bullets between commas", ofNumbers, `- 5, - 3`, aList + `"- 5, - 3" (its bullets or numbers may be text)`},
		{"numbers between commas", ofStrings, `1. a, 2. b`, aList + `"1. a, 2. b" (its bullets or numbers may be text)`},
		{"one numbered line", ofStrings, `1. a`, aList + `"1. a" (its bullets or numbers may be text)`},
		{"numbers out of order", ofStrings, "1. a\n3. b", aList + `"1. a\n3. b" (its bullets or numbers may be text)`},
		{"numbers without blanks", ofStrings, "1.a\n2.b", aList + `"1.a\n2.b" (its bullets or numbers may be text)`},
		{"numbers with colons", ofStrings, "1: a\n2: b", aList + `"1: a\n2: b" (its bullets or numbers may be text)`},
		{"the number 0 before each line", ofStrings, "0. a\n0. b", aList + `"0. a\n0. b" (its bullets or numbers may be text)`},
		{"full-width numbers with points", ofFractions, "１．5\n２．7", aList + `"１．5\n２．7" (its bullets or numbers may be text)`},
		{"letters in order", ofStrings, "a) x\nb) y", aList + `"a) x\nb) y" (its bullets or numbers may be text)`},
		{"text in round brackets and quotation marks", ofStrings, `('a')`, aList + `"('a')" (it is neither JSON nor a plain list)`},
		{"one element of another type", ofNumbers, `five`, aList + `"five"`},
		{"several elements, one of another type", ofNumbers, `1, b, 3`, `[1]: expected integer (digits only), got "b"`},
		{"a list of objects", `{"type":"array","items":{"type":"object"}}`, `a, b`, `expected array, written as JSON, got "a, b"`},
		{"a list of anything", anArray, `a, b`, `expected array, written as JSON, got "a, b"`},
		{
			"two kinds of lists",
			`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"integer"}}]}`,
			`1, 2`, `expected array, written as JSON, got "1, 2"`,
		},

		{"NaN in JSON", anArray, `[NaN]`, `expected array, written as JSON, got "[NaN]" (not JSON: 'N' at byte 1 is out of place)`},
		{"infinity in JSON", anArray, `[-Infinity]`, `expected array, written as JSON, got "[-Infinity]" (not JSON: 'I' at byte 2 is out of place)`},
		{
			"a word that is not a literal of Python", anArray, `[Trueish]`,
			`expected array, written as JSON, got "[Trueish]" (not JSON: 'T' at byte 1 is out of place)`,
		},
		{"two commas at the end", anArray, `[1,,]`, `expected array, written as JSON, got "[1,,]" (not JSON: ',' at byte 3 is out of place)`},
		{"a comma without an element", anArray, `[,]`, `expected array, written as JSON, got "[,]" (not JSON: ',' at byte 1 is out of place)`},
		{
			"a key without quotation marks", anObject, `{a: 1}`,
			`expected object, written as JSON, got "{a: 1}" (not JSON: 'a' at byte 1 is out of place)`,
		},
		{
			"a member twice", anObject, `{"a":1,"a":2}`,
			`expected object, written as JSON, got "{\"a\":1,\"a\":2}" (not JSON: the member "a" is given twice)`,
		},
		{
			"half of a surrogate pair", anArray, `["\ud800"]`,
			`expected array, written as JSON, got "[\"\\ud800\"]" (not JSON: half a surrogate pair before byte 8)`,
		},
		{"text before a fence", anArray, "Here:\n```\n[1]\n```", `expected array, written as JSON, got "Here:\n` + "```" + `\n[1]\n` + "```" + `"`},
		{
			"a fence that does not close", anArray, "```\n[1]",
			`expected array, written as JSON, got "` + "```" + `\n[1]" (not JSON: '` + "`" + `' at byte 0 is out of place)`,
		},
		{
			"two fences", anArray, "```\n[1]\n```\n```\n[2]\n```",
			"expected array, written as JSON, got \"```\\n[1]\\n```\\n```\\n[2]\\n```\" (not JSON: '`' at byte 0 is out of place)",
		},
		{"a quoted list", ofStrings, `"['a"`, aList + `"\"['a\"" (it is JSON in quotation marks)`},
		{"a quoted word that is no boolean", `{"type":"boolean"}`, `"maybe"`, `expected boolean (true or false), got "\"maybe\""`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := schematest.One(t, test.form).Object([]schema.Text{{Name: "v", Value: test.text}})
			require.Error(t, err)
			got := strings.TrimPrefix(err.Error(), "invalid arguments: v")
			assert.Equal(t, test.want, strings.TrimPrefix(got, ": "))
		})
	}
}
