package schema_test

import (
	"encoding/json"
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
	// invalid arguments: query: expected string, got nothing; limit: expected at least 1, got 0; tag: expected one of the arguments query, tags, limit, got an unknown argument (did you mean tags?)
}

func ExampleNewTools() {
	s, err := schema.Compile(json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`))
	if err != nil {
		panic(err)
	}
	tools, err := schema.NewTools(schema.Anthropic, []schema.Definition{{Name: "github/create_issue", Description: "Opens an issue.", Parameters: s}})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(tools.JSON()))
	name, args, err := tools.Call("github_create_issue", `{"title":"It hangs"}`)
	fmt.Println(name, args, err)
	// Output:
	// [{"name":"github_create_issue","description":"Opens an issue.","input_schema":{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}}]
	// github/create_issue [{title "It hangs" true}] <nil>
}
