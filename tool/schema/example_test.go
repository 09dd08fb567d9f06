package schema_test

import (
	"fmt"

	"github.com/vcpgo/vcp/tool/schema"
)

func ExampleSchema_Object() {
	type search struct {
		Query string   `json:"query"`
		Tags  []string `json:"tags,omitempty"`
		Limit int      `json:"limit" minimum:"1" default:"10"`
	}
	s, err := schema.For[search]()
	if err != nil {
		panic(err)
	}
	object, repaired, err := s.Object([]schema.Text{{Name: "Query", Value: "007"}, {Name: "tags", Value: "spy, film"}})
	fmt.Println(string(object), repaired, err)

	_, _, err = s.Object([]schema.Text{{Name: "limit", Value: "0"}, {Name: "tag", Value: "spy"}})
	fmt.Println(err)
	// Output:
	// {"query":"007","tags":["spy","film"],"limit":10} [{argument_name query 0} {comma_list tags 0}] <nil>
	// invalid arguments: query: missing, expected string; limit: expected at least 1, got 0; tag: unknown argument (did you mean tags?)
}
