package secrets_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/secrets"
)

var keys = secrets.NewNames([]string{"password", "api_key"})

func TestAMaskerMasksValuesUnderItsNames(t *testing.T) {
	for _, test := range []struct {
		name, text   string
		sure, unsure string // the masked text without and with Masker.Unsure
	}{
		{"JSON", `{"password":"hush","n":1}`, `{"password":"[secret]","n":1}`, `{"password":"[secret]","n":1}`},
		{
			"several values", "{\"n\":1}\n{\"password\":2}", "{\"n\":1}\n{\"password\":\"[secret]\"}",
			"{\"n\":1}\n{\"password\":\"[secret]\"}",
		},
		{"damaged JSON", `{'password': 'hush',}`, `{"password":"[secret]"}`, `{"password":"[secret]"}`},
		{"text that mentions a name", "password is hush", "password is hush", secrets.Mask},
		{"text that mentions no name", "user is eve", "user is eve", "user is eve"},
		{
			"JSON that mentions a name as a value", `{ "note": "password" }`, `{ "note": "password" }`,
			`{"note":"[secret]"}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.sure, secrets.Masker{Names: keys}.Text(test.text))
			assert.Equal(t, test.unsure, secrets.Masker{Names: keys, Unsure: true}.Text(test.text))
		})
	}
}

func TestCollectReturnsValuesUnderTheNames(t *testing.T) {
	for _, test := range []struct {
		name, document  string
		unsure          bool
		values, members []string
	}{
		{"a string", `{"password":"hush","user":"eve"}`, false, []string{"hush"}, nil},
		{"a number", `{"password":12.50}`, false, []string{"12.50"}, nil},
		{"words of JSON are not secrets", `{"password":[true,false,null]}`, false, nil, nil},
		{
			"all values below the name", `{"api_key":{"id":"a","list":["b",{"c":1}]}}`, false,
			[]string{"a", "b", "1"},
			[]string{"id", "list", "c"},
		},
		{"in JSON in a string", `{"body":"{\"password\":\"hush\"}"}`, false, []string{"hush"}, nil},
		{
			"a secret that is JSON counts whole and in parts", `{"password":"{\"k\":\"v\"}"}`, false,
			[]string{`{"k":"v"}`, "v"},
			[]string{"k"},
		},
		{"text that mentions a name", `{"body":"password is hush"}`, false, nil, nil},
		{
			"text that mentions a name, if unsure", `{"body":"password is hush"}`, true,
			[]string{"password is hush"},
			nil,
		},
		{"no secret", `{"user":"eve"}`, true, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			values, members := keys.Collect(test.document, test.unsure)
			assert.Empty(t, cmp.Diff(test.values, values))
			assert.Empty(t, cmp.Diff(test.members, members))
		})
	}
}

func TestUnmaskRestoresMaskedValues(t *testing.T) {
	for _, test := range []struct{ name, edited, original, want string }{
		{"an unchanged document", `{"password":"[secret]"}`, `{"password":"hush"}`, `{"password":"hush"}`},
		{
			"another argument is edited", `{"n":2,"password":"[secret]"}`, `{"password":"hush","n":1}`,
			`{"n":2,"password":"hush"}`,
		},
		{"the secret itself is edited", `{"password":"new"}`, `{"password":"hush"}`, `{"password":"new"}`},
		{"a name in another spelling", `{"Pass-Word":"[secret]"}`, `{"password":"hush"}`, `{"Pass-Word":"hush"}`},
		{"an item of a list", `[{},{"password":"[secret]"}]`, `[{},{"password":"hush"}]`, `[{},{"password":"hush"}]`},
		{
			"an item that the original does not have", `[{},{"password":"[secret]"}]`, `[{}]`,
			`[{},{"password":"[secret]"}]`,
		},
		{
			"in JSON in a string",
			`{"s":"{\"n\":2,\"password\":\"[secret]\"}"}`, `{"s":"{\"n\":1,\"password\":\"hush\"}"}`,
			`{"s":"{\"n\":2,\"password\":\"hush\"}"}`,
		},
		{"a mask under another name stays", `{"user":"[secret]"}`, `{"user":"eve"}`, `{"user":"[secret]"}`},
		{"an original that is not JSON", `{"password":"[secret]"}`, `hush`, `{"password":"[secret]"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want,
				string(keys.Unmask(json.RawMessage(test.edited), json.RawMessage(test.original))))
		})
	}
}

// If the work grew with the square of the number of members, this would take very long.
func TestUnmaskIsLinear(t *testing.T) {
	document := func(secret string) json.RawMessage {
		var b strings.Builder
		for i := range 1 << 17 {
			fmt.Fprintf(&b, `"m%d":1,`, i)
		}
		return json.RawMessage("{" + b.String() + `"password":"` + secret + `"}`)
	}
	assert.True(t, bytes.Equal(document("hush"), keys.Unmask(document(secrets.Mask), document("hush"))))
	repeated := func(name, value string) json.RawMessage {
		member := fmt.Sprintf("%q:%q", name, value)
		return json.RawMessage("{" + strings.Repeat(member+",", 1<<15) + member + "}")
	}
	want := repeated("PASSWORD", "hush")
	assert.True(t, bytes.Equal(want, keys.Unmask(repeated("PASSWORD", secrets.Mask), repeated("password", "hush"))))
}

// document generates JSON with secrets at any depth, also in strings that contain JSON. Each secret
// contains "hush".
func document(depth int) *rapid.Generator[any] {
	leaves := rapid.OneOf(rapid.Just[any](nil), rapid.Just[any](1.5), rapid.Just[any](true),
		rapid.SampledFrom([]any{"", "eve", "a{b", "[1,2", "<é>"}))
	if depth == 0 {
		return leaves
	}
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return leaves.Draw(t, "leaf")
		case 1:
			return rapid.SliceOfN(document(depth-1), 0, 3).Draw(t, "list")
		case 2:
			text, _ := json.Marshal(document(depth-1).Draw(t, "in a string")) // such a value always encodes
			return string(text)
		}
		object := map[string]any{}
		for i := range rapid.IntRange(0, 3).Draw(t, "members") {
			object[fmt.Sprint("m", i)] = document(depth-1).Draw(t, "member")
		}
		if name := rapid.SampledFrom([]string{"", "password", "API-Key"}).Draw(t, "secret"); name != "" {
			object[name] = rapid.OneOf(
				rapid.Just[any]("hush-hush-hush"),
				rapid.Just[any](map[string]any{"inner": []any{"hush-inside"}}),
				rapid.Just[any](`{"k":"hush-quoted"}`),
			).Draw(t, "value")
		}
		return object
	})
}

// A law is a property that rapid checks with generated inputs.
func TestLawMaskedDocumentsContainNoSecret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		original, _ := json.Marshal(document(4).Draw(t, "document")) // a document always encodes
		masked := secrets.Masker{Names: keys}.Document(string(original))
		if strings.Contains(string(masked), "hush") || !json.Valid(masked) {
			t.Fatalf("%s is masked as %s", original, masked)
		}
		if again := (secrets.Masker{Names: keys}).Document(string(masked)); string(again) != string(masked) {
			t.Fatalf("%s is masked again as %s", masked, again)
		}
		var want, got any
		_ = json.Unmarshal(original, &want)
		if err := json.Unmarshal(keys.Unmask(masked, original), &got); err != nil || !cmp.Equal(want, got) {
			t.Fatalf("%s is unmasked as %s: %v", masked, keys.Unmask(masked, original), err)
		}
		values, _ := keys.Collect(string(original), false)
		covered := string(original)
		secrets.Cover(values, &covered)
		if strings.Contains(covered, "hush-") {
			t.Fatalf("%s is covered as %s", original, covered)
		}
	})
}
