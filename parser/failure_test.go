package parser_test

import (
	"bytes"
	"context"
	"errors"
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

// broken is the dialect with a scanner that calls scan at the start of a request, and requests
// before it reads the fields. Either may be nil.
type broken struct {
	vcp.Protocol
	scan     func() (int, *scan.Token, error)
	requests func()
}

// returning is a protocol whose scanner returns the given results at the start of a request.
func returning(n int, tok *scan.Token, err error) broken {
	return broken{scan: func() (int, *scan.Token, error) { return n, tok, err }}
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
	text := &scan.Token{Kind: scan.TokenText}
	for _, c := range []struct {
		name  string
		proto broken
		want  string
	}{
		{"it panics", broken{scan: func() (int, *scan.Token, error) { panic("oh") }}, "the protocol panicked: oh"},
		{"it returns an error", returning(0, &scan.Token{}, cause), "the protocol failed: out of order"},
		{"its token is longer than the input", returning(1<<20, text, nil), "bytes, but only"},
		{"its token has a negative length", returning(-1, text, nil), "token of -1 bytes"},
		{"it never ends", returning(0, text, nil), "9 tokens without bytes in a row"},
		{"it returns nothing at all", returning(0, nil, nil), "neither a token nor an error"},
		{"it stops before the end of the input", returning(0, &scan.Token{}, nil), "no token before the end of the reply"},
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
			failureSeen := false
			collect := func(events []parser.Event) {
				for _, e := range events {
					failureSeen = failureSeen || e.Kind == parser.EventError
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
			require.True(t, failureSeen, "the failure is reported")
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
		_, _ = parser.ParseToolRequests(returning(-1, &scan.Token{}, nil), oneRequest, o)
	})
}

type panicHandler struct{ slog.Handler }

func (panicHandler) Enabled(context.Context, slog.Level) bool { panic("the logger is broken") }

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

// Extend makes the parser try whether a piece continues the last one, and then undo that.
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
			for _, at := range []int{len(input) - 6000, len(input) - 20} { // in the words, and near the end
				p, err := parser.New(late{at: at}, parser.Options{Logger: slog.New(slog.DiscardHandler)})
				require.NoError(t, err)
				for piece := range slices.Chunk([]byte(input), 1000) {
					p.Feed(nil, piece)
				}
				_, reply := p.Close(nil, protocol.FinishStop)
				require.Error(t, p.Err())
				require.Empty(t, reply.Requests)
				if got := reply.Text.String(); got != input {
					t.Errorf("the text (%d bytes) differs from the input (%d bytes)", len(got), len(input))
				}
			}
		})
	}
}

// abortPanics is the dialect with a scanner that panics in Abort.
type abortPanics struct{ vcp.Protocol }

func (abortPanics) NewScanner(o scan.Options) scan.Scanner {
	return abortPanicsScanner{vcp.Protocol{}.NewScanner(o)}
}

type abortPanicsScanner struct{ scan.Scanner }

func (abortPanicsScanner) Abort(int) { panic("stay") }

func TestAProtocolMayPanicWhereverItIsCalled(t *testing.T) {
	o := parser.Options{Finish: protocol.FinishStop, Logger: slog.New(slog.DiscardHandler)}
	t.Run("in Abort", func(t *testing.T) {
		const unclosed = startMarker + "\ntool_name:「始」a_b「末」\nwords"
		reply, err := parser.ParseToolRequests(abortPanics{}, unclosed, o)
		require.ErrorContains(t, err, "panicked: stay")
		require.Empty(t, reply.Requests)
		require.Equal(t, unclosed, reply.Text.String())
	})
	t.Run("in ErrorMessage", func(t *testing.T) {
		reply, err := parser.ParseToolRequests(messagePanics{}, startMarker+"\ntool_name:「始」a_b「末」\n「始」x「末」\n"+endMarker, o)
		require.NoError(t, err)
		require.Equal(t, parser.StatusInvalid, reply.Requests[0].Status)
		require.Contains(t, reply.Requests[0].Err.Message, "(bad_key)")
	})
	t.Run("in Repairs", func(t *testing.T) {
		_, err := parser.New(repairsPanic{}, o)
		require.ErrorContains(t, err, "panicked: none")
	})
}

type messagePanics struct{ vcp.Protocol }

func (messagePanics) ErrorMessage(scan.ErrorCode, protocol.PromptOptions) string { panic("no words") }

type repairsPanic struct{ vcp.Protocol }

func (repairsPanic) Repairs() []scan.Repair { panic("none") }

func TestEventsReportAFailedProtocolWithTheReply(t *testing.T) {
	cause := errors.New("out of order")
	proto := returning(0, &scan.Token{}, cause)
	var last parser.Event
	var failed error
	o := parser.Options{Logger: slog.New(slog.DiscardHandler)}
	for event, err := range parser.Events(proto, pieces(oneRequest), o) {
		last, failed = event, err
	}
	require.ErrorIs(t, failed, cause)
	require.Equal(t, parser.EventReply, last.Kind)
	require.Equal(t, oneRequest, last.Reply.Text.String())
}
