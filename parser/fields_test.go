package parser_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestFieldsAreReportedAsWritten(t *testing.T) {
	const (
		batch = "Hm. <<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\n**command1**: 「始」a「末」 // path1:「始」hidden「末」\n" +
			"command2:「始ESCAPE:x」b「末ESCAPE:x」,\ntext2:「始」 on"
		list = "<tool_call>\n[{\"name\": \"t_a\", \"arguments\": {\"n\": [1, {}]}}, {\"arguments\": {\"n\": 12, \"text\": \"on"
	)
	for _, tt := range []struct {
		name     string
		protocol protocol.Protocol
		text     string
		want     []parser.Field
		cut      int // where the last whole field ends; if no field is whole, where the request begins
	}{
		{
			"of a batch that is truncated in a value", vcp.Protocol{}, batch, []parser.Field{
				{Name: "tool_name", Start: 25, Value: "t", Role: scan.FieldToolName},
				{Name: "command1", Start: 58, Value: "a"},
				{Name: "path1", Start: 93, Value: "hidden", Role: scan.FieldComment},
				{Name: "command2", Start: 124, Value: "b"},
				{Name: "text2", Start: 170, Value: "on", Open: true},
			}, 168,
		},
		{
			"of a request that is truncated in a name",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_a「末」,\npat",
			[]parser.Field{{Name: "tool_name", Start: 21, Value: "t_a", Role: scan.FieldToolName}},
			52,
		},
		{
			"of a request that is truncated before its first field",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name",
			[]parser.Field{},
			0,
		},
		{
			"of a list of calls that is truncated in a value", hermes.Protocol{}, list, []parser.Field{
				{Name: "name", Start: 15, Value: "t_a", Role: scan.FieldToolName},
				{Name: "n", Start: 44, Value: "[1, {}]", JSON: true},
				{Name: "n", Start: 75, Value: "12", JSON: true},
				{Name: "text", Start: 84, Value: "\"on", JSON: true, Open: true},
			}, 81,
		},
		{
			"of a call that is truncated in a name",
			hermes.Protocol{},
			"<tool_call>\n{\"name\": \"t_a\", \"argu",
			[]parser.Field{{Name: "name", Start: 14, Value: "t_a", Role: scan.FieldToolName}},
			26,
		},
		{
			"of a call that is truncated after its arguments",
			hermes.Protocol{},
			"<tool_call>\n{\"name\": \"t_a\", \"arguments\": {\"n\": 1}}\n",
			[]parser.Field{
				{Name: "name", Start: 14, Value: "t_a", Role: scan.FieldToolName},
				{Name: "n", Start: 43, Value: "1", JSON: true},
			},
			48,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, reply := range bothWays(t, tt.protocol, tt.text, protocol.FinishLength) {
				if len(reply.Requests) == 0 {
					t.Fatalf("%s: no request", how)
				}
				for _, q := range reply.Requests { // the requests of one block have the same fields
					if diff := cmp.Diff(tt.want, q.Fields); diff != "" {
						t.Errorf("%s: fields (-want +got):\n%s", how, diff)
					}
					at := -1
					if q.Truncation != nil {
						at = q.Truncation.At
					}
					if at != tt.cut {
						t.Errorf("%s: the last whole field ends at %d, want %d", how, at, tt.cut)
					}
				}
			}
		})
	}
}

func TestFieldsOfAWholeRequestAreNotReported(t *testing.T) {
	reply := parse(t, vcp.Protocol{}, requestOf("t_a"), parser.Options{})
	if len(reply.Requests) != 1 || reply.Requests[0].Fields != nil {
		t.Fatalf("read %+v, want one request without Fields", reply.Requests)
	}
}
