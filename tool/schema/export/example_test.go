package export_test

import (
	"encoding/json"
	"fmt"

	"github.com/vcpgo/vcp/tool/schema"
	"github.com/vcpgo/vcp/tool/schema/export"
)

func ExampleNewTools() {
	s, err := schema.Compile(json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`))
	if err != nil {
		panic(err)
	}
	tools, err := export.NewTools(export.Anthropic,
		[]export.Definition{{Name: "github/create_issue", Description: "Opens an issue.", Parameters: s}})
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
