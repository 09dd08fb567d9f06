package parser_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

const oneRequest = "Hello.\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_now「末」,\ncity:「始」Oslo「末」\n<<<[END_TOOL_REQUEST]>>>\nBye."

// broken is the dialect with a scanner that fails at the first request.
type broken struct {
	vcp.Protocol
	scan     func() (int, *scan.Token, error)
	requests func()
}

type brokenScanner struct {
	scan.Scanner
	broken *broken
}

func (b broken) NewScanner(o scan.Options) scan.Scanner {
	return &brokenScanner{b.Protocol.NewScanner(o), &b}
}

func (s *brokenScanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := s.Scanner.Scan(src, from, atEOF)
	if err == nil && tok.Kind == scan.TokenRequestStart && s.broken.scan != nil {
		return s.broken.scan()
	}
	return n, tok, err
}

func (s *brokenScanner) Requests(fields []scan.Field) []scan.Reading {
	if s.broken.requests != nil {
		s.broken.requests()
	}
	return s.Scanner.Requests(fields)
}

func TestAProtocolThatFailsBreaksNoReply(t *testing.T) {
	cause := errors.New("out of order")
	for _, c := range []struct {
		name  string
		proto broken
		want  string
	}{
		{"it panics", broken{scan: func() (int, *scan.Token, error) { panic("oh") }}, "the protocol panicked: oh"},
		{"it returns an error", broken{scan: func() (int, *scan.Token, error) { return 0, &scan.Token{}, cause }}, "the protocol failed: out of order"},
		{"its token is longer than the input", broken{scan: func() (int, *scan.Token, error) { return 1 << 20, &scan.Token{Kind: scan.TokenText}, nil }}, "bytes, but only"},
		{"its token has a negative length", broken{scan: func() (int, *scan.Token, error) { return -1, &scan.Token{Kind: scan.TokenText}, nil }}, "token of -1 bytes"},
		{"it never ends", broken{scan: func() (int, *scan.Token, error) { return 0, &scan.Token{Kind: scan.TokenText}, nil }}, "9 tokens without bytes in a row"},
		{"it returns nothing at all", broken{scan: func() (int, *scan.Token, error) { return 0, nil, nil }}, "neither a token nor an error"},
		{"it stops before the end of the input", broken{scan: func() (int, *scan.Token, error) { return 0, &scan.Token{}, nil }}, "no token, although input is left"},
		{"it panics when it reads the fields", broken{requests: func() { panic("fields") }}, "the protocol panicked: fields"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			o := parser.Options{Finish: protocol.FinishStop, Logger: slog.New(slog.NewTextHandler(&log, nil))}
			reply, err := parser.ParseToolRequests(c.proto, oneRequest, o)
			var failed *parser.ProtocolError
			require.ErrorAs(t, err, &failed)
			require.ErrorContains(t, err, c.want)
			require.Empty(t, reply.Requests)
			require.Equal(t, oneRequest, reply.Text.String())
			require.Contains(t, log.String(), "could not be read")
			if strings.HasPrefix(c.want, "the protocol failed") {
				require.ErrorIs(t, err, cause)
			}

			p, err := parser.New(c.proto, o)
			require.NoError(t, err)
			var reported strings.Builder
			visible := false
			collect := func(events []parser.Event) {
				for _, e := range events {
					visible = visible || e.Kind == parser.EventError
					if e.Kind == parser.EventText {
						reported.Write(e.Data)
					}
				}
			}
			for i := range len(oneRequest) {
				collect(p.Feed(nil, []byte(oneRequest[i:i+1])))
			}
			events, streamed := p.Close(nil, protocol.FinishStop)
			collect(events)
			require.True(t, visible, "the failure is reported")
			require.Equal(t, oneRequest, reported.String(), "no text is lost")
			require.Empty(t, streamed.Requests)
			require.Equal(t, oneRequest, streamed.Text.String())
			require.Error(t, p.Err())
		})
	}
}

func TestAPanicOutsideOfTheProtocolIsNotRecovered(t *testing.T) {
	o := parser.Options{Logger: slog.New(panicHandler{})}
	require.Panics(t, func() {
		_, _ = parser.ParseToolRequests(broken{scan: func() (int, *scan.Token, error) { return -1, &scan.Token{}, nil }}, oneRequest, o)
	})
}

type panicHandler struct{ slog.Handler }

func (panicHandler) Enabled(context.Context, slog.Level) bool { panic("the logger is broken") }

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
	for e, err := range parser.Events(vcp.Protocol{}, pieces4(oneRequest, nil), parser.Options{Finish: protocol.FinishStop}) {
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
		break // Events must not call the loop again
	}
}

func TestAnOptionWithoutMeaningIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		proto protocol.Protocol
		o     parser.Options
		want  string
	}{
		"no protocol":              {nil, parser.Options{}, "parser: the protocol is nil; pass one, such as vcp.Protocol{}"},
		"an unknown tolerance":     {vcp.Protocol{}, parser.Options{Tolerance: 99}, "parser: tolerance is Tolerance(99); allowed are safe, strict and greedy"},
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

// late is a protocol that fails after a number of bytes.
type late struct {
	vcp.Protocol
	at int
}

type lateScanner struct {
	scan.Scanner
	left int
}

func (l late) NewScanner(o scan.Options) scan.Scanner {
	return &lateScanner{l.Protocol.NewScanner(o), l.at}
}

func (s *lateScanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := s.Scanner.Scan(src, from, atEOF)
	if s.left -= n; s.left <= 0 {
		panic("late")
	}
	return n, tok, err
}

func (s *lateScanner) Extend([]byte, int) bool { return false }

func TestAProtocolThatFailsLateLosesNoText(t *testing.T) {
	words := strings.Repeat("word ", 5000)
	for name, input := range map[string]string{
		"reasoning before a request":   "<think>hm</think>\n" + words + oneRequest + "\n" + words,
		"reasoning and two requests":   "<think>hm</think>\n" + oneRequest + words + oneRequest + "\n" + words,
		"a quoted request":             "> " + oneRequest + "\n\n" + words,
		"reasoning after a request":    oneRequest + words + "<think>\nhm",
		"a fabricated result":          words + "\n<<<[TOOL_RESULT]>>>\nfoo" + words + "bar",
		"a request in what is dropped": oneRequest + "\n<<<[TOOL_RESULT]>>>\nfoo" + words + oneRequest + "bar" + words,
	} {
		t.Run(name, func(t *testing.T) {
			for _, at := range []int{len(input) - 6000, len(input) - 20} {
				p, err := parser.New(late{at: at}, parser.Options{Logger: slog.New(slog.DiscardHandler)})
				require.NoError(t, err)
				for piece := range slices.Chunk([]byte(input), 1000) {
					p.Feed(nil, piece)
				}
				_, reply := p.Close(nil, protocol.FinishStop)
				require.Error(t, p.Err())
				require.Empty(t, reply.Requests)
				if got := reply.Text.String(); got != input {
					t.Errorf("%d of %d bytes are left", len(got), len(input))
				}
			}
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
	input := "a\xff\u2028<b>\n<<<[tool_request]>>>\ntool_name:「始」x「末」\ncommand:「始」go「末」\nv:「始」\xfe\"\\\x01\t「末」\nrequest_id:「始」7「末」\n<<<[END_TOOL_REQUEST]>>>"
	reply, err := parser.ParseToolRequests(vcp.Protocol{}, input, parser.Options{Finish: protocol.FinishStop})
	require.NoError(t, err)
	want := `{"version":1,"requests":[{"requestId":"1","label":"7","toolName":"x","args":{"command":"go","v":"\ufffd\"\\\u0001"},` +
		`"arguments":[{"name":"command","value":"go","form":"plain"},{"name":"v","value":"\ufffd\"\\\u0001","valueBase64":"/iJcAQ==","form":"plain"}],` +
		`"rawBlock":"<<<[tool_request]>>>\ntool_name:「始」x「末」\ncommand:「始」go「末」\nv:「始」\ufffd\"\\\u0001\t「末」\nrequest_id:「始」7「末」\n<<<[END_TOOL_REQUEST]>>>",` +
		`"span":[9,170],"status":"ready","repairs":[{"name":"marker_case","span":[9,29]}],"error":null}],` +
		"\"text\":\"a\\ufffd\u2028<b>\\n\",\"reasoning\":\"\",\"dropped\":[],\"notices\":[],\"repairCounts\":{\"marker_case\":1}}"
	require.Equal(t, want, string(reply.AppendJSON(nil)))
	require.JSONEq(t, want, string(reply.AppendJSON(nil)), "it is JSON")
	empty, err := parser.ParseToolRequests(vcp.Protocol{}, "", parser.Options{})
	require.NoError(t, err)
	require.Equal(t, `{"version":1,"requests":[],"text":"","reasoning":"","dropped":[],"notices":[],"repairCounts":{}}`, string(empty.AppendJSON(nil)))
}

// panicking is the dialect with a scanner that panics in Abort.
type panicking struct{ vcp.Protocol }

func (panicking) NewScanner(o scan.Options) scan.Scanner {
	return panickingScanner{vcp.Protocol{}.NewScanner(o)}
}

type panickingScanner struct{ scan.Scanner }

func (panickingScanner) Abort(int) { panic("stay") }

func TestAProtocolMayPanicWhereverItIsCalled(t *testing.T) {
	o := parser.Options{Finish: protocol.FinishStop, Logger: slog.New(slog.DiscardHandler)}
	t.Run("in Abort", func(t *testing.T) {
		const unclosed = startMarker + "\ntool_name:「始」a_b「末」\nwords"
		reply, err := parser.ParseToolRequests(panicking{}, unclosed, o)
		require.ErrorContains(t, err, "panicked: stay")
		require.Empty(t, reply.Requests)
		require.Equal(t, unclosed, reply.Text.String())
	})
	t.Run("in ErrorMessage", func(t *testing.T) {
		reply, err := parser.ParseToolRequests(wordless{}, startMarker+"\ntool_name:「始」a_b「末」\n「始」x「末」\n"+endMarker, o)
		require.NoError(t, err)
		require.Equal(t, parser.StatusInvalid, reply.Requests[0].Status)
		require.Contains(t, reply.Requests[0].Err.Message, "(bad_key)")
	})
	t.Run("in Repairs", func(t *testing.T) {
		_, err := parser.New(noRepairs{}, o)
		require.ErrorContains(t, err, "panicked: none")
	})
}

type wordless struct{ vcp.Protocol }

func (wordless) ErrorMessage(scan.ErrorCode, protocol.PromptOptions) string { panic("no words") }

type noRepairs struct{ vcp.Protocol }

func (noRepairs) Repairs() []scan.Repair { panic("none") }

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
func TestARequestWithoutAnEndNeedsARepairThatItsProtocolHas(t *testing.T) {
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

func TestEventsReportAFailedProtocolWithTheReply(t *testing.T) {
	cause := errors.New("out of order")
	proto := broken{scan: func() (int, *scan.Token, error) { return 0, &scan.Token{}, cause }}
	var last parser.Event
	var failed error
	for event, err := range parser.Events(proto, chunks(oneRequest), parser.Options{Logger: slog.New(slog.DiscardHandler)}) {
		last, failed = event, err
	}
	require.ErrorIs(t, failed, cause)
	require.Equal(t, parser.EventReply, last.Kind)
	require.Equal(t, oneRequest, last.Reply.Text.String())
}
