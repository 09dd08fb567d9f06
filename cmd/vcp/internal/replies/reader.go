// Package replies reads the replies of models for vcp parse, and the results of tools for vcp
// results.
package replies

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
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

// Reader is the settings with which vcp parse reads a reply.
type Reader struct {
	protocol protocol.Protocol
	options  parser.Options
	chunk    cli.Count // 0: all at once
	jsonl    bool
}

// Add adds the flags.
func (r *Reader) Add(f *pflag.FlagSet) {
	f.Var(cli.NewChoice(&r.options.Tolerance, Tolerances), "tolerance", "how much damage is repaired")
	f.Var(cli.NewChoice(&r.options.Finish, finishes), "finish", "why the model stopped; with --jsonl, for lines that do not say")
	f.Var(cli.NewChoice(&r.options.Quoted, QuotedPolicies), "quoted", "what becomes of requests in fenced code")
	f.Var(cli.NewChoice(&r.options.Reasoning, reasoningPolicies), "reasoning", "what becomes of requests in reasoning")
	f.StringArrayVar(&r.options.Disabled, "disable", nil, "a `REPAIR` to switch off; may be repeated")
	f.Var(&r.chunk, "chunk", "feed the reply in pieces of N bytes; the output is the same for every N")
	f.BoolVar(&r.jsonl, "jsonl", false, "read one JSON object a line, and write one for each")
	configuration.AddProtocol(f, &r.protocol)
}

// Run reads the file that args name, or standard input.
func (r *Reader) Run(std cli.Streams, args []string) error {
	if err := r.check(); err != nil {
		return err
	}
	in, name, err := cli.OpenInput(std.In, args)
	if err != nil {
		return err
	}
	defer in.Close()
	r.options.Logger = slog.New(slog.DiscardHandler) // the command reports the failure of a protocol
	if r.jsonl {
		return r.lines(in, name, std.Out)
	}
	return r.whole(in, name, std.Out)
}

// check refuses names of repairs that the protocol does not have.
func (r *Reader) check() error {
	var known []string
	for _, repair := range r.protocol.Repairs() {
		known = append(known, repair.Name)
	}
	for _, name := range r.options.Disabled {
		if !slices.Contains(known, name) {
			return cli.Usagef("--disable is %q; allowed is %s", name, cli.InWords(known))
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
func (r *Reader) whole(in io.Reader, name string, out io.Writer) error {
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
		return &cli.OutputError{Err: err}
	}
	return p.Err()
}

// parse reads one reply of --jsonl. The error is the failure of a protocol; then the reply is only
// text.
func (r *Reader) parse(text string, finish protocol.FinishReason) (parser.Reply, error) {
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
	if err := cli.NewChoice(&finish, finishes).Set(name); err != nil {
		return "", fmt.Errorf("finish %s", strings.TrimSpace(err.Error()))
	}
	return finish, nil
}
