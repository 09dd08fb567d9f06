package tool_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// call draws arguments that the schema accepts, and reads them back from a request in each
// protocol.
func (r *rates) call(t *testing.T, e *tool.Entry, raw json.RawMessage) {
	rnd := rand.New(rand.NewPCG(1, uint64(len(raw))))
	s := e.Method.Parameters
	for range longtest.Count(5, 100) {
		args, ok := schematest.Draw(rnd, s)
		if !ok {
			t.Logf("%s: found no arguments that the schema accepts", e.FullName)
			return
		}
		for _, p := range textProtocols {
			r.Calls++
			object, repaired, err := readBack(p, e, args)
			switch {
			case err != nil:
				t.Errorf("%s in %s: %v\narguments %s", e.FullName, p.ID(), err, args)
			case len(repaired) > 0:
				t.Errorf("%s in %s is repaired: %v\narguments %s", e.FullName, p.ID(), repaired, args)
			case !schematest.IsDefaulted(s, args, object):
				r.Other++
				t.Logf("%s in %s: %s\narguments %s", e.FullName, p.ID(), object, args)
			default:
				r.Exact++
			}
		}
	}
}

// readBack writes a request with args in a protocol, reads it, and returns the arguments that the
// method gets, and the repairs.
func readBack(p protocol.Protocol, e *tool.Entry, args json.RawMessage) (json.RawMessage, []schema.Repaired, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(args, &members); err != nil {
		return nil, nil, err
	}
	request := protocol.ToolRequest{ToolName: e.FullName}
	for name, value := range members {
		a := protocol.Argument{Name: name}
		if json.Unmarshal(value, &a.Value) != nil || string(value) == "null" {
			a.Value, a.Form = string(value), protocol.FormJSON
		}
		request.Arguments = append(request.Arguments, a)
	}
	slices.SortFunc(request.Arguments, func(a, b protocol.Argument) int { return strings.Compare(a.Name, b.Name) })
	text, err := p.FormatToolRequests([]protocol.ToolRequest{request})
	if err != nil {
		return nil, nil, err
	}
	declares := func(_, argument string) bool {
		return slices.ContainsFunc(e.Method.Parameters.Properties(),
			func(p schema.Property) bool { return p.Name == argument })
	}
	reply, err := parser.ParseToolRequests(p, text,
		parser.Options{Finish: protocol.FinishStop, TakesArgument: declares})
	if err != nil {
		return nil, nil, err
	}
	if len(reply.Requests) != 1 || reply.Requests[0].Status != parser.StatusReady {
		return nil, nil, fmt.Errorf("the request is read as %+v\ntext %s", reply.Requests, text)
	}
	var texts []schema.Text
	for _, a := range reply.Requests[0].Arguments {
		texts = append(texts, schema.Text{Name: a.Name, Value: a.Value, JSON: a.Form == protocol.FormJSON})
	}
	return e.Method.Parameters.Object(texts)
}
