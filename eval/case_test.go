package eval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/eval"
)

func TestErrorsOfCasesNameTheLine(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"no JSON", `reply`, "invalid character"},
		{"no reply", `{"expect":[]}`, `"reply" is missing`},
		{"no expectation", `{"reply":""}`, `"expect" is missing`},
		{"an unknown field", `{"reply":"","expect":[],"finsh":"stop"}`, `finsh`},
		{"a finish reason that does not exist", `{"reply":"","expect":[],"finish":"eos"}`, `finish is "eos"`},
		{
			"a tool without a name", `{"reply":"","expect":[],"tools":[{"type":"function"}]}`,
			"tools: definition 1: it has no name",
		},
		{
			"a schema that cannot be compiled",
			`{"reply":"","expect":[],"tools":[{"name":"a","inputSchema":{"type":7}}]}`, "tools: definition 1: ",
		},
		{"an expectation without a name", `{"reply":"","expect":[{"arguments":{},"x":1}]}`, `no "name"`},
		{"an expectation with another member", `{"reply":"","expect":[{"name":"a","args":{}}]}`, `"args"`},
		{
			"possible values that are not a list", `{"reply":"","expect":[{"a":{"city":"Paris"}}]}`,
			"list of possible values",
		},
		{
			"more expectations than requests that run",
			`{"reply":"","expect":[` + strings.Repeat(`{"name":"a"},`, 1000) + `{"name":"a"}]}`,
			"expect has 1001 calls; allowed are 1000",
		},
		{"two values", `{"reply":"","expect":[]} {}`, "more than one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var last error
			for _, err := range eval.ReadCases(strings.NewReader("\n"+tt.line+"\n"), "f") {
				last = err
			}
			var bad *eval.CaseError
			if !errors.As(last, &bad) || bad.Line != 2 || !strings.Contains(bad.Error(), tt.want) {
				t.Errorf("error %v, want one on line 2 with %q", last, tt.want)
			}
		})
	}
	t.Run("a line that is too long", func(t *testing.T) {
		long := strings.NewReader(`{"reply":"` + strings.Repeat("a", eval.MaxLine) + `","expect":[]}`)
		var bad *eval.CaseError
		for _, err := range eval.ReadCases(long, "f") {
			if !errors.As(err, &bad) {
				t.Error(err)
			}
		}
		if bad == nil || bad.Line != 1 {
			t.Errorf("error %v, want one on line 1", bad)
		}
	})
}
