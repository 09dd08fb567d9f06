package demomodel

import (
	"net"

	"github.com/vcpgo/vcp/protocol"
)

// testMethod is a method with one parameter of each type, all of one name.
func testMethod(name string) *method {
	d := protocol.ToolDefinition{ToolName: "t_" + name, Description: "Does a " + name + " thing."}
	for _, typ := range []string{"string", "integer", "number", "boolean", "array", "object"} {
		d.Parameters = append(d.Parameters, protocol.Parameter{Name: name + typ, Type: typ, Description: "the " + name})
	}
	d.Parameters = append(d.Parameters, protocol.Parameter{Name: name, Type: "string", Required: true})
	return newMethod(d)
}

const MaxBody = maxBody

// Serve is Start with a listener of the test's.
func Serve(l net.Listener, o Options) (*Server, error) {
	o.listener = l
	return Start(o)
}
