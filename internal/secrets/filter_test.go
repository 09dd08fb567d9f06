package secrets_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/secrets"
)

func TestFilterMasksKnownValues(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		known      []string
		want       string
	}{
		{"a value", "use s3cr3t-value now", []string{"s3cr3t-value"}, "use [secret] now"},
		{"a value of 8 bytes", "use abcdefgh now", []string{"abcdefgh"}, "use [secret] now"},
		{"a value of 7 bytes stays", "use abcdefg now", []string{"abcdefg"}, "use abcdefg now"},
		{"12 bytes of a longer value", "…ret-value-of…", []string{"s3cret-value-of-mine"}, "…[secret]…"},
		{"11 bytes of a longer value stay", "…ret-value-o…", []string{"s3cret-value-of-mine"}, "…ret-value-o…"},
		{"a piece that ends within a character", "x\u5e00二三四五y", []string{"\u4e00二三四五"}, "x[secret]y"},
		{"two values that touch", "first-value-1second-value2", []string{"first-value-1", "second-value2"}, "[secret]"},
		{
			"white space around a known value is ignored", "use s3cr3t-value now",
			[]string{" s3cr3t-value\n"},
			"use [secret] now",
		},
		{
			"a value with the escapes of JSON", `{"a":"line \"one\" of it"}`,
			[]string{`line "one" of it`},
			`{"a":"[secret]"}`,
		},
		{"a value with the escapes of a URL", "q=line+one%20of+it", []string{"line one of it"}, "q=[secret]"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, secrets.NewFilter(tt.known).Text(tt.text)) })
	}
}

func TestMaskedUTF16KeepsAnOddByteAtItsEnd(t *testing.T) {
	utf16 := func(text string) string { return "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00" }
	masked := secrets.NewFilter(nil).Bytes([]byte(utf16("password=hunter2;") + "x"))
	assert.Equal(t, utf16("password=[secret];")+"x", string(masked))
}

func TestFilterMasksJSON(t *testing.T) {
	layout := &secrets.Layout{
		Fixed: map[string]bool{"kind": true, "method": true},
		Free:  map[string]bool{"arguments": true},
	}
	for _, tt := range []struct{ name, document, want string }{
		{"nothing to mask", `{ "a": [1, true, null, "x"] }`, `{ "a": [1, true, null, "x"] }`},
		{"a string", `{"a":"use known-value-1"}`, `{"a":"use [secret]"}`},
		{"a document that is one string", `"known-value-1"`, `"[secret]"`},
		{
			"strings of an array", `{"a":["known-value-1",{"b":"known-value-1"}],"c":"x"}`,
			`{"a":["[secret]",{"b":"[secret]"}],"c":"x"}`,
		},
		{"escapes stay", `{"a":"line\n\"known-value-1\""}`, `{"a":"line\n\"[secret]\""}`},
		{"an escaped value", `{"a":"\u006bnown-value-1"}`, `{"a":"[secret]"}`},
		{
			"the string of a fixed member stays", `{"kind":"known-value-1","a":{"method":"known-value-1"}}`,
			`{"kind":"known-value-1","a":{"method":"known-value-1"}}`,
		},
		{
			"a fixed name below a free member", `{"arguments":{"method":"known-value-1"}}`,
			`{"arguments":{"method":"[secret]"}}`,
		},
		{"a name below a free member", `{"arguments":{"known-value-1":1}}`, `{"arguments":{"[secret]":1}}`},
		{
			"a number below a free member", `{"arguments":[1234567890123],"n":1234567890123}`,
			`{"arguments":["[secret]"],"n":1234567890123}`,
		},
		{
			"the value of a secret's name", `{"arguments":{"password":"hunter2","n":{"apiKey":["abcd"]}}}`,
			`{"arguments":{"password":"[secret]","n":{"apiKey":["[secret]"]}}}`,
		},
		{"a secret's name outside of free members", `{"password":"hunter2"}`, `{"password":"hunter2"}`},
		{
			"JSON in a string", `{"a":"{\"pin\":1234567890123,\"password\":\"hunter2\"}"}`,
			`{"a":"{\"pin\":\"[secret]\",\"password\":\"[secret]\"}"}`,
		},
		{"an assignment", `{"a":"password=hunter2"}`, `{"a":"password=[secret]"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			filter := secrets.NewFilter([]string{"known-value-1", "1234567890123"})
			assert.Equal(t, tt.want, string(filter.JSON([]byte(tt.document), layout)))
		})
	}
}

// A law is a property that rapid checks with generated inputs.
func TestLawFilteredJSONIsValid(t *testing.T) {
	text := rapid.SampledFrom([]string{
		"a", "known-value-1", "password", "password=hunter2", `x\"y`, "arguments", "kind",
		"\n", "é", "12345678901",
	})
	document := rapid.Custom(func(t *rapid.T) any { return drawJSON(t, text, 4) })
	filter := secrets.NewFilter([]string{"known-value-1", "12345678901"})
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(document.Draw(t, "document"))
		if err != nil {
			t.Fatal(err)
		}
		got := filter.JSON(raw, &secrets.Layout{Free: map[string]bool{"arguments": true}})
		if !json.Valid(got) {
			t.Fatalf("%s is masked as %s", raw, got)
		}
	})
}

// drawJSON draws a value with at most the given number of levels.
func drawJSON(t *rapid.T, text *rapid.Generator[string], levels int) any {
	switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
	case kind == 0 || levels == 0:
		return text.Draw(t, "text")
	case kind == 1:
		return rapid.Int().Draw(t, "number")
	case kind == 2:
		return rapid.Bool().Draw(t, "bool")
	case kind == 3:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list = append(list, drawJSON(t, text, levels-1))
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		object[text.Draw(t, "name")] = drawJSON(t, text, levels-1)
	}
	return object
}

func TestLawFilterFindsEscapedValues(t *testing.T) {
	secret := rapid.StringOfN(rapid.RuneFrom([]rune("abcXYZ019-_.~/\"'<>&;#?@ é词\n\t")), 6, 40, -1)
	layer := rapid.SampledFrom([]string{"JSON", "Go", "Go in ASCII", "HTML", "URL", "path of URLs", "as it is"})
	rapid.Check(t, func(t *rapid.T) {
		value := "k" + secret.Draw(t, "secret") + "y"
		written := value
		for _, name := range rapid.SliceOfN(layer, 0, 3).Draw(t, "layers") {
			written = escapes[name](written)
		}
		got := secrets.NewFilter([]string{value}).Text("{before} " + written + " {after}")
		if strings.Contains(got, written) {
			t.Fatalf("%q as %q is shown as %q", value, written, got)
		}
	})
}

// If the work grew with the square of the size, this would take very long.
func TestFilterIsLinear(t *testing.T) {
	filter := secrets.NewFilter([]string{strings.Repeat("abcdefgh", 1<<12)})
	for _, text := range []string{
		strings.Repeat("password=", 1<<16), strings.Repeat("-----BEGIN PRIVATE KEY-----", 1<<14),
		strings.Repeat("eyJ", 1<<18), strings.Repeat("://a:", 1<<17), strings.Repeat("token: ", 1<<16),
		strings.Repeat("abcdefg ", 1<<16),
	} {
		filter.Text(text)
	}
}
