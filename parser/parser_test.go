package parser_test

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

const oneRequest = "Hello.\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_now「末」,\ncity:「始」Oslo「末」\n" +
	"<<<[END_TOOL_REQUEST]>>>\nBye."

func TestAfterCloseNothingIsRead(t *testing.T) {
	p, err := parser.New(vcp.Protocol{}, parser.Options{})
	require.NoError(t, err)
	_, reply := p.Close(p.Feed(nil, []byte(oneRequest)), protocol.FinishStop)
	require.Len(t, reply.Ready(), 1)
	require.Empty(t, p.Feed(nil, []byte(oneRequest)))
	events, reply := p.Close(nil, protocol.FinishStop)
	require.Empty(t, events)
	require.Empty(t, reply.Requests)
}

func TestEventsEndsWithTheReplyOrTheFirstError(t *testing.T) {
	text := ""
	var last parser.Event
	o := parser.Options{Finish: protocol.FinishStop}
	for e, err := range parser.Events(vcp.Protocol{}, pieces4(oneRequest, nil), o) {
		require.NoError(t, err)
		if e.Kind == parser.EventText {
			text += string(e.Data)
		}
		last = e
	}
	require.Equal(t, "Hello.\n\nBye.", text)
	require.Equal(t, parser.EventReply, last.Kind, "the reply is the last item")
	require.Len(t, last.Reply.Ready(), 1)
	for e, err := range parser.Events(vcp.Protocol{}, pieces4(oneRequest+"「末」", nil), parser.Options{}) {
		require.NoError(t, err)
		last = e
	}
	require.Empty(t, last.Reply.Ready(), "a later closer casts doubt on an earlier request")

	cut := errors.New("cut")
	var failure error
	for _, err := range parser.Events(vcp.Protocol{}, pieces4(oneRequest, cut), parser.Options{}) {
		failure = err
	}
	require.ErrorIs(t, failure, cut, "the first error is the last item")

	for _, err := range parser.Events(vcp.Protocol{}, pieces4(oneRequest, nil), parser.Options{}) {
		require.NoError(t, err)
		break // then Events must not call yield again, which would panic
	}
}

func TestAnOptionWithoutMeaningIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		proto protocol.Protocol
		o     parser.Options
		want  string
	}{
		"no protocol": {nil, parser.Options{}, "parser: the protocol is nil; pass one, such as vcp.Protocol{}"},
		"an unknown tolerance": {
			vcp.Protocol{},
			parser.Options{Tolerance: 99},
			"parser: tolerance is Tolerance(99); allowed are safe, strict and greedy",
		},
		"an unknown quoted policy": {vcp.Protocol{}, parser.Options{Quoted: 99}, "QuotedPolicy(99); allowed are skip, run and auto"},
		"an unknown reasoning policy": {
			vcp.Protocol{}, parser.Options{Reasoning: 99}, "ReasoningPolicy(99); allowed are ignore, run and run_if_nothing_else",
		},
		"an unknown repair": {vcp.Protocol{}, parser.Options{Disabled: []string{"magic"}}, `repair "magic" is not one of [marker_case`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parser.New(c.proto, c.o)
			require.ErrorContains(t, err, c.want)
			reply, err := parser.ParseToolRequests(c.proto, oneRequest, c.o)
			require.ErrorContains(t, err, c.want)
			require.Equal(t, oneRequest, reply.Text.String(), "no text is lost")
			require.Empty(t, reply.Requests)
		})
	}
}

func TestEventKindsHaveNames(t *testing.T) {
	for k := parser.EventText; k <= parser.EventReply; k++ {
		require.NotContains(t, k.String(), "(", "kind %d", uint8(k))
	}
	require.Equal(t, "request_done", parser.EventRequestDone.String())
	require.Equal(t, "EventKind(0)", parser.EventKind(0).String())
	require.Equal(t, "EventKind(99)", parser.EventKind(99).String())
}

// pieces4 yields pieces of 4 bytes, and then err if it is not nil.
func pieces4(text string, err error) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := 0; i < len(text); i += 4 {
			if !yield([]byte(text[i:min(i+4, len(text))]), nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func TestJSONHasTheDocumentedForm(t *testing.T) {
	input := "a\xff\u2028<b>\n<<<[tool_request]>>>\ntool_name:「始」x「末」\ncommand:「始」go「末」\n" +
		"v:「始」\xfe\"\\\x01\t「末」\nrequest_id:「始」7「末」\n<<<[END_TOOL_REQUEST]>>>"
	reply, err := parser.ParseToolRequests(vcp.Protocol{}, input, parser.Options{Finish: protocol.FinishStop})
	require.NoError(t, err)
	want := `{"version":1,"requests":[{"requestId":"1","label":"7","toolName":"x","args":{"command":"go","v":"\ufffd\"\\\u0001"},` +
		`"arguments":[{"name":"command","value":"go","form":"plain"},` +
		`{"name":"v","value":"\ufffd\"\\\u0001","valueBase64":"/iJcAQ==","form":"plain"}],` +
		`"rawBlock":"<<<[tool_request]>>>\ntool_name:「始」x「末」\ncommand:「始」go「末」\n` +
		`v:「始」\ufffd\"\\\u0001\t「末」\nrequest_id:「始」7「末」\n<<<[END_TOOL_REQUEST]>>>",` +
		`"span":[9,170],"status":"ready","repairs":[{"name":"marker_case","span":[9,29]}],"error":null}],` +
		"\"text\":\"a\\ufffd\u2028<b>\\n\",\"reasoning\":\"\",\"dropped\":[],\"notices\":[],\"repairCounts\":{\"marker_case\":1}}"
	require.Equal(t, want, string(reply.AppendJSON(nil)))
	require.JSONEq(t, want, string(reply.AppendJSON(nil)), "it is JSON")
	empty, err := parser.ParseToolRequests(vcp.Protocol{}, "", parser.Options{})
	require.NoError(t, err)
	want = `{"version":1,"requests":[],"text":"","reasoning":"","dropped":[],"notices":[],"repairCounts":{}}`
	require.Equal(t, want, string(empty.AppendJSON(nil)))
}

// renamed is the dialect with other names for the repairs that the parser applies.
type renamed struct{ vcp.Protocol }

func (renamed) Repairs() []scan.Repair {
	list := slices.Clone(vcp.Protocol{}.Repairs())
	for i := range list {
		if list[i].Name == scan.RepairMissingBlockEnd || list[i].Name == scan.RepairUnclosedValue {
			list[i].Name += "_too"
		}
	}
	return list
}

// The parser applies a repair only if the protocol lists it, so that it can be disabled (B9, V9).
func TestAMissingEndOrCloserNeedsARepairThatTheProtocolHas(t *testing.T) {
	for want, input := range map[scan.ErrorCode]string{
		scan.CodeUnclosedBlock: startMarker + "\ntool_name:「始」a_b「末」\n",
		scan.CodeUnclosedValue: startMarker + "\ntool_name:「始」a_b「末」\nk:「始」v\n" + endMarker,
	} {
		for _, level := range levels {
			reply := parse(t, renamed{}, input, parser.Options{Tolerance: level, Finish: protocol.FinishStop})
			if q := reply.Requests[0]; q.Status != parser.StatusInvalid || q.Err.Code != want {
				t.Errorf("at %v the request is %s, %v; want %s", level, q.Status, q.Err, want)
			}
		}
	}
}

func TestAParserWithAWrongOptionTakesNoInput(t *testing.T) {
	p := &parser.Parser{}
	check := func() {
		t.Helper()
		require.Empty(t, p.Feed(nil, []byte(oneRequest)))
		events, reply := p.Close(nil, protocol.FinishStop)
		require.Empty(t, events)
		require.Empty(t, reply.Requests)
	}
	check()
	require.Error(t, p.Reset(nil, parser.Options{}))
	check()
	require.Error(t, p.Reset(vcp.Protocol{}, parser.Options{Disabled: []string{"nothing"}}))
	check()
	require.NoError(t, p.Reset(vcp.Protocol{}, parser.Options{}))
	p.Feed(nil, []byte(oneRequest))
	_, reply := p.Close(nil, protocol.FinishStop)
	require.Len(t, reply.Ready(), 1)
}
