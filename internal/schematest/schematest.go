// Package schematest contains helpers for tests that need schemas.
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

// One returns a schema with a single argument v, whose own schema is argument.
func One(t testing.TB, argument string) *schema.Schema {
	t.Helper()
	return Compile(t, `{"type":"object","properties":{"v":`+argument+`},"additionalProperties":false}`)
}

// FanOut returns a schema with a chain of definitions. Each of the first n definitions refers to
// the next one twice under the keyword, such as anyOf. So the argument v is checked 2^n times
// against the last definition. rest is added to the properties.
func FanOut(keyword string, n int, rest string) string {
	var defs []string
	for i := range n {
		ref := fmt.Sprintf(`{"$ref":"#/$defs/p%d"}`, i+1)
		defs = append(defs, fmt.Sprintf(`"p%d":{%q:[%s,%s]}`, i, keyword, ref, ref))
	}
	defs = append(defs, fmt.Sprintf(`"p%d":{"type":"string","minLength":3}`, n))
	return `{"type":"object","properties":{"v":{"$ref":"#/$defs/p0"}` + rest + `},"$defs":{` + strings.Join(defs, ",") + `}}`
}
