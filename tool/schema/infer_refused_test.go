package schema_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/schema"
)

func TestForRefusesBadTypesAndTags(t *testing.T) {
	type node struct {
		Next []node `json:"next"`
	}
	for _, test := range []struct {
		name string
		make func() (*schema.Schema, error)
		want string
	}{
		{"a string", schema.For[string], "not string"},
		{"a list", schema.For[[]int], "not []int"},
		{"anything", schema.For[any], "not interface {}"},
		{"a function in a field", schema.For[struct{ F func() }], "func"},
		{"a type that contains itself", schema.For[node], "cycle"},
		{"a limit on a string", schema.For[struct {
			S string `minimum:"1"`
		}], `tag minimum "1" is for numbers, and the field is string`},
		{"a limit that is not a number", schema.For[struct {
			N int `maximum:"many"`
		}], `tag maximum "many" is not a number`},
		{"a limit that is infinite", schema.For[struct {
			N int `maximum:"inf"`
		}], `field an anonymous struct.N: tag maximum "inf" is not a number`},
		{"a limit that a float64 would change", schema.For[struct {
			N int `maximum:"9007199254740993"`
		}], `tag maximum "9007199254740993" has more digits than a float64 has`},
		{"a default of another type", schema.For[struct {
			N int `default:"x"`
		}], `tag default "x" is not of type integer`},
		{"a default outside of the limits", schema.For[struct {
			N int `default:"5" maximum:"3"`
		}], `the default 5 of N is not among the values that its other tags allow`},
		{"a listed value of another type", schema.For[struct {
			N int `enum:"1,b"`
		}], `tag enum "1,b" is not of type integer`},
		{"a default that is not a duration", schema.For[struct {
			D time.Duration `default:"5"`
		}], `the default "5" of D is not among the values`},
		{"a length of a list on a string", schema.For[struct {
			S string `minItems:"1"`
		}], `tag minItems "1" is for array, and the field is string`},
		{"a length of a string on a list of integers", schema.For[struct {
			N []int `maxLength:"1"`
		}], `tag maxLength "1" is for string, and the field is integer`},
		{"a negative length", schema.For[struct {
			L []string `minItems:"-1"`
		}], `tag minItems "-1" must be a whole number from 0 to 2147483647`},
		{"a limit on a duration", schema.For[struct {
			D time.Duration `minimum:"5"`
		}], `tag minimum "5" is for numbers, and the field is string`},
		{"an embedded pointer that encoding/json cannot set", schema.For[struct{ *hiddenPart }], "cannot set a field of *schema_test.hiddenPart"},
		{"a bad description beside an embedded struct", schema.For[struct {
			hiddenPart
			S string `jsonschema:"required=true"`
		}], `tag jsonschema "required=true" must be a description`},
		{"a function beside an embedded struct", schema.For[struct {
			hiddenPart
			F func()
		}], "func"},
		{"an embedded type that contains the struct", schema.For[embedsItself], "cycle"},
		{"a pattern that does not compile", schema.For[struct {
			S string `pattern:"("`
		}], `"(" cannot be compiled`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.make()
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
		})
	}
}
