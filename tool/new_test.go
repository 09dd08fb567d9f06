package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// run registers a method and calls its handler with args, a JSON object.
func run(t *testing.T, m tool.Method, args string) (tool.Output, error) {
	t.Helper()
	r := tool.NewRegistry()
	require.NoError(t, r.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	e := r.Entries()[0]
	return e.Method.Handler(t.Context(),
		&tool.Call{ID: "1", Method: e, Arguments: json.RawMessage(args), Progress: func(string) {}})
}

// returning returns a method whose function returns v.
func returning[T any](t *testing.T, v T) tool.Method {
	t.Helper()
	m, err := tool.New("m", "returns", func(context.Context, struct{}) (T, error) { return v, nil })
	require.NoError(t, err)
	return m
}

func TestTypedResultBecomesTextAndDetails(t *testing.T) {
	type text string
	type point struct {
		X int    `json:"x"`
		S string `json:"s"`
	}
	for _, test := range []struct {
		name   string
		method tool.Method
		want   tool.Output
	}{
		{"a string is the text as it is", returning(t, "<a> \x00\n"), tool.Output{Text: "<a> \x00\n"}},
		{"a string type is text, too", returning(t, text("x")), tool.Output{Text: "x"}},
		{"an Output is used as it is", returning(t, tool.Output{Text: "t", Details: 5}), tool.Output{Text: "t", Details: 5}},
		{
			"a struct is JSON, and the details", returning(t, point{1, "<a>"}),
			tool.Output{Text: `{"x":1,"s":"<a>"}`, Details: point{1, "<a>"}},
		},
		{"a number is JSON", returning(t, 5), tool.Output{Text: "5", Details: 5}},
		{"nil is null", returning[any](t, nil), tool.Output{Text: "null"}},
		{"a string in an interface", returning[any](t, "x"), tool.Output{Text: "x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := run(t, test.method, `{}`)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
	_, err := run(t, returning(t, math.NaN()), `{}`)
	assert.EqualError(t, err, "the result of type float64 cannot be written as JSON: json: unsupported value: NaN")
}

func TestTypedFunctionGetsDecodedArguments(t *testing.T) {
	type in struct {
		Count int8 `json:"count"`
		Big   int  `json:"big,omitempty"`
		Any   any  `json:"any,omitempty"`
	}
	m, err := tool.New("m", "", func(_ context.Context, in in) (any, error) { return in, nil })
	require.NoError(t, err)
	got, err := run(t, m, `{"count":5,"any":9007199254740993}`)
	require.NoError(t, err)
	assert.Equal(t, `{"count":5,"any":9007199254740993}`, got.Text)

	_, err = run(t, m, `{"count":5,"big":99999999999999999999}`)
	var arguments *schema.ArgumentsError
	require.ErrorAs(t, err, &arguments)
	require.Equal(t, []schema.Problem{{
		Path: "big", Code: schema.CodeType, Expected: "a value that fits int", Received: "number 99999999999999999999",
	}}, arguments.Problems)
}

func TestErrorOfTypedFunctionDropsItsResult(t *testing.T) {
	failure := errors.New("disk full")
	m, err := tool.New("m", "", func(context.Context, struct{}) (string, error) { return "lost", failure })
	require.NoError(t, err)
	got, err := run(t, m, `{}`)
	require.ErrorIs(t, err, failure)
	assert.Zero(t, got)
}

func TestPreviewTakesATypeThatContainsItself(t *testing.T) {
	type node struct {
		Wait time.Duration `json:"wait"`
		Next *node         `json:"next"`
	}
	m, err := tool.Raw("m", "", nil, echo, tool.WithPreview(func(_ context.Context, in node) (string, error) {
		return fmt.Sprint(in.Wait, in.Next.Wait, in.Next.Next), nil
	}))
	require.NoError(t, err)
	text, err := m.Preview(t.Context(), json.RawMessage(`{"wait":"1s","next":{"wait":"2s"}}`))
	require.NoError(t, err)
	assert.Equal(t, "1s 2s <nil>", text)
}

func TestInvalidMethodsAreRefused(t *testing.T) {
	fn := func(context.Context, struct{}) (string, error) { return "", nil }
	for _, test := range []struct {
		name string
		make func() (tool.Method, error)
		want string
	}{
		{"no function", func() (tool.Method, error) { return tool.New[struct{}, string]("m", "", nil) }, "function is missing"},
		{"no handler", func() (tool.Method, error) { return tool.Raw("m", "", nil, nil) }, "handler is missing"},
		{"no name", func() (tool.Method, error) { return tool.New("", "", fn) }, `name "": it must not be empty`},
		{"an underscore", func() (tool.Method, error) { return tool.New("a_b", "", fn) }, "name must not contain _"},
		{"a line break", func() (tool.Method, error) { return tool.New("a\nb", "", fn) }, `(got '\n')`},
		{
			"an alias with a blank", func() (tool.Method, error) { return tool.New("m", "", fn, tool.Alias("a b")) },
			`alias "a b": letters`,
		},
		{
			"a full name with a marker",
			func() (tool.Method, error) { return tool.New("m", "", fn, tool.FullName("<<<[")) },
			`full name "<<<[": letters`,
		},
		{
			"a negative timeout", func() (tool.Method, error) { return tool.New("m", "", fn, tool.Timeout(-1)) },
			"timeout must not be negative (got -1ns)",
		},
		{
			"a risk that does not exist",
			func() (tool.Method, error) { return tool.New("m", "", fn, tool.WithRisk("some")) },
			`risk must be read, write or dangerous (got "some")`,
		},
		{
			"a negative cache time", func() (tool.Method, error) { return tool.New("m", "", fn, tool.Cacheable(-1)) },
			"cache time must not be negative (got -1ns)",
		},
		{
			"a negative concurrency",
			func() (tool.Method, error) { return tool.New("m", "", fn, tool.Concurrency(-1)) },
			"concurrency must not be negative (got -1)",
		},
		{
			"a resource without a name", func() (tool.Method, error) { return tool.New("m", "", fn, tool.Uses(" ")) },
			"the name of a resource must not be blank",
		},
		{
			"a resource with an argument that the method lacks",
			func() (tool.Method, error) { return tool.New("m", "", fn, tool.Uses("file", "path")) },
			`resource "file": the method has no argument "path"`,
		},
		{"a handler of a method that the application runs", func() (tool.Method, error) {
			return tool.New("m", "", fn, func(m *tool.Method) { m.HostRun = true })
		}, "handler must be nil if HostRun is set"},
		{"arguments without names", func() (tool.Method, error) {
			return tool.New("m", "", func(context.Context, []int) (string, error) { return "", nil })
		}, "arguments cannot be described"},
		{
			"an invalid schema",
			func() (tool.Method, error) { return tool.Raw("m", "", json.RawMessage(`[]`), echo) },
			"parameter schema cannot be used",
		},
		{"an example that its own parameters refuse", func() (tool.Method, error) {
			return tool.New("m", "", fn, tool.Example(map[string]any{"x": 1}))
		}, "example 1 does not fit the parameters"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.make()
			var definition *tool.DefinitionError
			require.ErrorAs(t, err, &definition)
			assert.Contains(t, definition.Reason, test.want)
		})
	}
}

func TestRawWithoutSchemaTakesNoArguments(t *testing.T) {
	m := method(t, "m")
	_, _, err := m.Parameters.Object([]schema.Text{{Name: "x", Value: "1"}})
	var refused *schema.ArgumentsError
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.Problems, 1)
	require.True(t, refused.Problems[0].Unknown())
}

func TestOptionsSetTheFieldsOfAMethod(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"path":{}}}`)
	got, err := tool.Raw("m", "does", schema, echo,
		tool.AgentCallable(), tool.Title("T"), tool.Alias("a", "b"), tool.FullName("f/m"), tool.Timeout(time.Second),
		tool.WithRisk(tool.RiskDangerous), tool.Idempotent(), tool.Cacheable(time.Minute), tool.Concurrency(3),
		tool.Uses("disk"), tool.Uses("file", "path"))
	require.NoError(t, err)
	require.NotNil(t, got.Handler)
	require.NotNil(t, got.Parameters)
	got.Handler, got.Parameters = nil, nil
	require.Equal(t, tool.Method{
		Name: "m", Description: "does",
		AgentCallable: true, Title: "T", Aliases: []string{"a", "b"}, FullName: "f/m", Timeout: time.Second,
		Risk: tool.RiskDangerous, Idempotent: true, CacheFor: time.Minute, Concurrency: 3,
		Resources: []tool.Resource{{Name: "disk"}, {Name: "file", Arguments: []string{"path"}}},
	}, got)
}

func TestResourceKeysIdentifyResources(t *testing.T) {
	uses := []tool.Option{tool.Uses("disk"), tool.Uses("file", "path")}
	m, err := tool.Raw("m", "", json.RawMessage(`{"type":"object","properties":{"path":{},"to":{}}}`), echo,
		append(uses, uses[0])...)
	require.NoError(t, err)
	e := &tool.Entry{Method: &m}
	keys := e.ResourceKeys(json.RawMessage(`{"path":"a","to":"b"}`))
	assert.Len(t, keys, 2, "each resource once")
	assert.Equal(t, keys, e.ResourceKeys(json.RawMessage(`{"to":"c","path":"a"}`)))
	assert.NotEqual(t, keys, e.ResourceKeys(json.RawMessage(`{"path":"b"}`)))
	assert.NotEqual(t, keys, e.ResourceKeys(json.RawMessage(`{}`)))
}

func TestHostRunMethodHasNoHandler(t *testing.T) {
	m, err := tool.HostRun("host", "", nil, tool.Timeout(time.Minute))
	require.NoError(t, err)
	assert.True(t, m.HostRun)
	assert.Nil(t, m.Handler)
	e := &tool.Entry{Method: &m}
	assert.Equal(t, tool.RiskWrite, e.Risk(), "a method without a risk does not count as harmless")
	assert.Nil(t, e.ResourceKeys(json.RawMessage(`{}`)))
}

// TestAnyKeepsAllDigits checks that a field of type any, at any depth, keeps all digits of numbers.
func TestAnyKeepsAllDigits(t *testing.T) {
	const digits = "9007199254740993" // no float64 has that value
	type inner struct {
		List []any          `json:"list"`
		Map  map[string]any `json:"map"`
	}
	type in struct {
		Inner *inner `json:"inner"`
		inner
	}
	m, err := tool.New("m", "", func(_ context.Context, in in) (any, error) { return in, nil })
	require.NoError(t, err)
	want := fmt.Sprintf(`{"inner":{"list":[%[1]s],"map":{"a":%[1]s}},"list":[%[1]s],"map":{}}`, digits)
	got, err := run(t, m, want)
	require.NoError(t, err)
	assert.JSONEq(t, want, got.Text)
	assert.Equal(t, 3, strings.Count(got.Text, digits))
}
