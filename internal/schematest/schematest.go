// Package schematest contains the helpers of tests that need schemas.
package schematest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/tool/schema"
)

// Compile compiles a schema that must be valid.
func Compile(t testing.TB, raw string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One returns a schema with a single argument v of the given form.
func One(t testing.TB, form string) *schema.Schema {
	t.Helper()
	return Compile(t, `{"type":"object","properties":{"v":`+form+`},"additionalProperties":false}`)
}

// FanOut returns a schema with a chain of n parts. Each refers to the next one twice, so the last
// one is checked 2^n times against the argument v. rest is added to the properties.
func FanOut(keyword string, n int, rest string) string {
	var defs []string
	for i := range n {
		ref := fmt.Sprintf(`{"$ref":"#/$defs/p%d"}`, i+1)
		defs = append(defs, fmt.Sprintf(`"p%d":{%q:[%s,%s]}`, i, keyword, ref, ref))
	}
	defs = append(defs, fmt.Sprintf(`"p%d":{"type":"string","minLength":3}`, n))
	return `{"type":"object","properties":{"v":{"$ref":"#/$defs/p0"}` + rest + `},"$defs":{` + strings.Join(defs, ",") + `}}`
}
