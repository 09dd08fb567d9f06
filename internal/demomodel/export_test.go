package demomodel

import (
	"net"

	"github.com/vcpgo/vcp/protocol"
)

// testMethod returns a method with an optional parameter of each type and a required text. The
// names of the parameters begin with name.
func testMethod(name string) *method {
	d := protocol.ToolDefinition{ToolName: "t_" + name, Description: "Does a " + name + " thing."}
	for _, typ := range []string{"string", "integer", "number", "boolean", "array", "object"} {
		d.Parameters = append(d.Parameters, protocol.Parameter{Name: name + typ, Type: typ, Description: "the " + name})
	}
	d.Parameters = append(d.Parameters, protocol.Parameter{Name: name, Type: "string", Required: true})
	return newMethod(d)
}

const MaxBody = maxBody

// Serve is like Start, but uses a listener of the test.
func Serve(l net.Listener, o Options) (*Server, error) {
	o.listener = l
	return Start(o)
}
