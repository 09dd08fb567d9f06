// Package replies reads the replies of models for vcp parse, and the results of tools for vcp
// results.
package replies

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// The values of the flags of vcp parse, defaults first.
var (
	Tolerances = []cli.Option[scan.Tolerance]{
		{Name: "safe", Value: scan.Safe},
		{Name: "strict", Value: scan.Strict},
		{Name: "greedy", Value: scan.Greedy},
	}
	finishes = []cli.Option[protocol.FinishReason]{
		{Name: "stop", Value: protocol.FinishStop},
		{Name: "length", Value: protocol.FinishLength},
		{Name: "unknown", Value: protocol.FinishUnknown},
	}
	QuotedPolicies = []cli.Option[parser.QuotedPolicy]{
		{Name: "skip", Value: parser.QuotedSkip},
		{Name: "run", Value: parser.QuotedRun},
		{Name: "auto", Value: parser.QuotedAuto},
	}
	reasoningPolicies = []cli.Option[parser.ReasoningPolicy]{
		{Name: "ignore", Value: parser.ReasoningIgnore},
		{Name: "run", Value: parser.ReasoningRun},
		{Name: "run_if_nothing_else", Value: parser.ReasoningRunIfNothingElse},
	}
)

// Reader reads replies for vcp parse. Its flags say how.
type Reader struct {
	protocol protocol.Protocol
	options  parser.Options
	chunk    int // the bytes of one piece; 0 means that --chunk was not given
	jsonl    bool
}

const (
	// maxReply limits one reply, in bytes.
	maxReply = 64 << 20
	// replyPiece is the usual size of one read, in bytes, and maxPiece is the largest size.
	replyPiece, maxPiece = 32 << 10, 1 << 20
)

// readOne reads one reply, piece by piece.
func (r *Reader) readOne(in io.Reader, name string, out io.Writer) error {
	p, err := parser.New(r.protocol, r.options)
	if err != nil {
		return err
	}
	var (
		piece  = make([]byte, min(cmp.Or(r.chunk, replyPiece), maxPiece))
		events []parser.Event // of one piece; the output shows none
	)
	for size := 0; err == nil; {
		var n int
		n, err = io.ReadFull(in, piece)
		if size += n; size > maxReply {
			return fmt.Errorf("%s is longer than %d MiB, the limit of one reply", name, maxReply>>20)
		}
		events = p.Feed(events[:0], piece[:n])
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	_, reply := p.Close(events[:0], r.options.Finish)
	_, err = out.Write(append(reply.AppendJSON(nil), '\n'))
	return cmp.Or(err, p.Err())
}

// parse reads one reply of --jsonl. If the protocol fails, parse returns its error, and a reply
// that contains only text.
func (r *Reader) parse(text string, finish protocol.FinishReason) (parser.Reply, error) {
	options := r.options
	options.Finish = finish
	if r.chunk == 0 {
		return parser.ParseToolRequests(r.protocol, text, options)
	}
	p, err := parser.New(r.protocol, options)
	if err != nil {
		// ParseToolRequests returns the same error, with a reply that contains the text.
		return parser.ParseToolRequests(r.protocol, text, options)
	}
	var events []parser.Event
	for piece := range slices.Chunk([]byte(text), r.chunk) {
		events = p.Feed(events[:0], piece)
	}
	_, reply := p.Close(events[:0], finish)
	return reply, p.Err()
}
