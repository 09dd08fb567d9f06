package orderedjson_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/orderedjson"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

// FuzzRead compares Read with encoding/json: both read the same values, except for texts that Read
// refuses on purpose.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e+3,"\u00e9\ud83d\ude00"]}`, `[`, `{"a":1,"a":2}`, `"\ud800"`, `01`, `1.`, `-`,
		"\"\t\"", `nul`, ` {} `,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) {
			return
		}
		got, err := orderedjson.Read(src)
		if err != nil {
			onPurpose := strings.Contains(err.Error(), "given twice") || strings.Contains(err.Error(), "surrogate") ||
				strings.Contains(err.Error(), "deep")
			if !onPurpose && json.Valid([]byte(src)) {
				t.Fatalf("%q is JSON and is refused: %v", src, err)
			}
			return
		}
		d := json.NewDecoder(strings.NewReader(src))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatalf("%q is not JSON: %v", src, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q is read differently (-encoding/json +Read):\n%s", src, diff)
		}
	})
}

func TestTuplesAreReadAsLists(t *testing.T) {
	for _, test := range []struct {
		text, want string // want is "" for a text that is refused
	}{
		{`(1, 2)`, `[1,2]`},
		{`( 1 , )`, `[1]`},
		{`(1, 2,)`, `[1,2]`},
		{`[(1,), {'a': ((2, 3), 4)}]`, `[[1],{"a":[[2,3],4]}]`},
		{`(1)`, ``},
		{`()`, ``},
		{`(,)`, ``},
		{`(1,,)`, ``},
		{`(1, 2]`, ``},
		{`(1, 2`, ``},
		{strings.Repeat("(", 101) + "1" + strings.Repeat(",)", 101), ``},
	} {
		_, err := orderedjson.Read(test.text)
		require.Error(t, err, "JSON has no tuples: %s", test.text)
		r := orderedjson.Reader{Repair: true, Ordered: true}
		v, err := r.Read(test.text)
		require.Equal(t, test.want == "", err != nil, "%s: %v", test.text, err)
		if err == nil {
			require.Equal(t, test.want, string(orderedjson.Append(nil, v)))
			require.Contains(t, r.Repairs, orderedjson.PythonTuple)
		}
	}
}

func TestMembersReadsOneObjectInItsOrder(t *testing.T) {
	for _, test := range []struct {
		name, object string
		want         []orderedjson.Member
		refused      bool
	}{
		{
			"in the order written", `{"b": 1, "a": {"c": [2]}}`,
			[]orderedjson.Member{{"b", json.RawMessage("1")}, {"a", json.RawMessage(`{"c": [2]}`)}},
			false,
		},
		{
			"a member given twice", `{"a":1,"a":2}`,
			[]orderedjson.Member{{"a", json.RawMessage("1")}, {"a", json.RawMessage("2")}},
			false,
		},
		{"no members", `{}`, nil, false},
		{"a list", `[1]`, nil, true},
		{"two objects", `{} {}`, nil, true},
		{"half an object", `{"a":`, nil, true},
		{"an empty text", ``, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := orderedjson.Members([]byte(test.object))
			if (err != nil) != test.refused {
				t.Fatalf("the error is %v; want an error: %t", err, test.refused)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestLawWrittenValuesReadBack writes a value with Append, reads it, and writes it again. Both
// texts must be the same. (A law is a property that rapid checks with generated inputs.)
func TestLawWrittenValuesReadBack(t *testing.T) {
	var value *rapid.Generator[any]
	value = rapid.Deferred(func() *rapid.Generator[any] {
		return rapid.OneOf(
			rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(),
			rapid.Map(rapid.Int64(), func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) }),
			rapid.SliceOfN(value, 0, 3).AsAny(),
			rapid.Map(rapid.MapOfN(rapid.String(), value, 0, 3), func(m map[string]any) any {
				o := orderedjson.New()
				for name, v := range m {
					o.Set(name, v)
				}
				return o
			}),
		)
	})
	rapid.Check(t, func(t *rapid.T) {
		first := orderedjson.Append(nil, value.Draw(t, "value"))
		v, err := orderedjson.ReadOrdered(string(first))
		if err != nil {
			t.Fatalf("%s cannot be read: %v", first, err)
		}
		if second := orderedjson.Append(nil, v); !bytes.Equal(first, second) {
			t.Fatalf("%s became %s", first, second)
		}
		if !json.Valid(first) {
			t.Fatalf("%s is not JSON", first)
		}
	})
}

func TestEncodeEscapesNoHTML(t *testing.T) {
	got, err := orderedjson.Encode(map[string]string{"a": "<b> & \n"})
	if err != nil || string(got) != `{"a":"<b> & \n"}` {
		t.Fatalf("Encode() = %s, %v", got, err)
	}
}

func TestStringReplacesWhatIsNotUTF8(t *testing.T) {
	if got := orderedjson.String("<\xff>"); string(got) != `"<\ufffd>"` {
		t.Fatalf("String() = %s", got)
	}
}

func TestNonNullTextDistinguishesNullFromItsString(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "null": "", `"null"`: "null", `"a\n"`: "a\n", "1.50": "1.50", `{"a":null}`: `{"a":null}`,
	} {
		if got := orderedjson.NonNullText(json.RawMessage(value)); got != want {
			t.Errorf("NonNullText(%s) = %q, want %q", value, got, want)
		}
	}
}

func TestEncodeRefusesFunctions(t *testing.T) {
	if _, err := orderedjson.Encode(func() {}); err == nil {
		t.Fatal("a function was encoded")
	}
}

func TestEmptyListsTakeLittleMemory(t *testing.T) {
	text := "[" + strings.Repeat("[],", 1000) + "[]]"
	allocations := testing.AllocsPerRun(10, func() { _, _ = orderedjson.Read(text) })
	require.Less(t, allocations, 1100.0, "a list without elements takes one allocation")
}
