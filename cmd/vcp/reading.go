package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The values of the flags of vcp parse, defaults first.
var (
	tolerances = []option[scan.Tolerance]{
		{name: "safe", value: scan.Safe},
		{name: "strict", value: scan.Strict},
		{name: "greedy", value: scan.Greedy},
	}
	finishes = []option[protocol.FinishReason]{
		{name: "stop", value: protocol.FinishStop},
		{name: "length", value: protocol.FinishLength},
		{name: "unknown", value: protocol.FinishUnknown},
	}
	quotedPolicies = []option[parser.QuotedPolicy]{
		{name: "skip", value: parser.QuotedSkip},
		{name: "run", value: parser.QuotedRun},
		{name: "auto", value: parser.QuotedAuto},
	}
	reasoningPolicies = []option[parser.ReasoningPolicy]{
		{name: "ignore", value: parser.ReasoningIgnore},
		{name: "run", value: parser.ReasoningRun},
		{name: "run_if_nothing_else", value: parser.ReasoningRunIfNothingElse},
	}
)

// reading is the settings with which vcp parse reads a reply.
type reading struct {
	protocol protocol.Protocol
	options  parser.Options
	chunk    count // 0: all at once
	jsonl    bool
}

// newParseLogger logs nothing, because the command reports the failure of a protocol.
func newParseLogger() *slog.Logger { return slog.New(slog.DiscardHandler) }

// check refuses names of repairs that the protocol does not have.
func (r *reading) check() error {
	known := make([]string, 0, len(r.protocol.Repairs()))
	for _, repair := range r.protocol.Repairs() {
		known = append(known, repair.Name)
	}
	for _, name := range r.options.Disabled {
		found := false
		for _, k := range known {
			found = found || k == name
		}
		if !found {
			return usagef("--disable is %q; allowed is %s", name, inWords(known))
		}
	}
	return nil
}

const (
	// maxReply limits one reply, in bytes.
	maxReply = 64 << 20
	// replyPiece is the usual size of one read, in bytes, and maxPiece the largest.
	replyPiece, maxPiece = 32 << 10, 1 << 20
)

// whole reads one reply, piece by piece.
func (r *reading) whole(in io.Reader, name string, out io.Writer) error {
	p, err := parser.New(r.protocol, r.options)
	if err != nil {
		return err
	}
	var (
		piece  = make([]byte, min(cmp.Or(int(r.chunk), replyPiece), maxPiece))
		events []parser.Event // of one piece; the output shows none
	)
	for size := 0; err == nil; {
		var n int
		n, err = io.ReadFull(in, piece)
		if size += n; size > maxReply {
			return fmt.Errorf("%s is longer than %d MiB, the most that is read of one reply", name, maxReply>>20)
		}
		events = p.Feed(events[:0], piece[:n])
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	_, reply := p.Close(events[:0], r.options.Finish)
	if _, err := out.Write(append(reply.AppendJSON(nil), '\n')); err != nil {
		return &outputError{err}
	}
	return p.Err()
}

// parse reads one reply of --jsonl. The error is the failure of a protocol; then the reply is only
// text.
func (r *reading) parse(text string, finish protocol.FinishReason) (parser.Reply, error) {
	options := r.options
	options.Finish = finish
	if r.chunk == 0 {
		return parser.ParseToolRequests(r.protocol, text, options)
	}
	p, err := parser.New(r.protocol, options)
	if err != nil {
		return parser.ParseToolRequests(r.protocol, text, options) // it returns the same error, with the text
	}
	var events []parser.Event
	for piece := range slices.Chunk([]byte(text), int(r.chunk)) {
		events = p.Feed(events[:0], piece)
	}
	_, reply := p.Close(events[:0], finish)
	return reply, p.Err()
}

// finishNamed returns the finish reason of that name in a line of --jsonl.
func finishNamed(name string) (protocol.FinishReason, error) {
	var finish protocol.FinishReason
	if err := newChoice(&finish, finishes).Set(name); err != nil {
		return "", fmt.Errorf("finish %s", strings.TrimSpace(err.Error()))
	}
	return finish, nil
}
