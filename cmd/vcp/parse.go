package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// What each flag of vcp parse may say, defaults first.
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

// reading is how vcp parse reads a reply.
type reading struct {
	protocol protocol.Protocol
	options  parser.Options
	chunk    count // 0: all at once
	jsonl    bool
}

func newParse(std streams) *cobra.Command {
	var r reading
	r.options.Logger = newParseLogger()
	cmd := &cobra.Command{
		Use:   "parse [FILE|-]",
		Short: "Read the requests in a model's reply and print them as JSON",
		Long: `parse reads one reply of a model, from FILE or from standard input, and prints one JSON object on one line:

  {"version":1,
   "requests":[{"requestId":"1",         the ordinal in the reply, from "1"
     "label":"",                         the id that the model wrote, if any
     "toolName":"files_list",            as written
     "args":{"path":"docs"},             name to text; of a name that stands twice, the first
     "arguments":[{"name":"path","value":"docs","form":"plain"}],
                                         in the order written; form is plain or json; a value that is
                                         not UTF-8 has its bytes in "valueBase64" besides
     "rawBlock":"<<<[TOOL_REQUEST]>>>…", the bytes at the span
     "span":[120,287],                   byte offsets into the input, the end not included
     "status":"ready",                   ready, invalid, incomplete, quoted or reasoning
     "repairs":[{"name":"marker_case","span":[120,140]}],
     "error":null}],                     or {"code","message"} if the status is invalid
   "text":"…",                           what a person sees: requests taken out, quoted ones left in
   "reasoning":"…",                      reasoning sections without their tags, joined by a line break
   "dropped":[{"span":[300,320],"reason":"fabricated_result"}],
   "notices":[{"code":"unrun_request","span":[40,90],"message":"…"}],
   "repairCounts":{"marker_case":1}}     how often each repair was applied, whatever the request's status

With --jsonl each line of the input is {"id":…,"text":…,"finish":…}, and yields one line {"id":…,"version":1,…} with the same
id. A line that cannot be read yields {"id":null,"error":{"code","message"}}; the rest goes on, and the exit status is 1.

An invalid request is no failure of the command. docs/parse.md describes the output in full.`,
		Example: `  vcp parse reply.txt
  printf '<<<[TOOL_REQUEST]>>>tool_name:「始」clock_now「末」<<<[END_TOOL_REQUEST]>>>' | vcp parse
  vcp parse --tolerance strict --finish length reply.txt
  vcp parse --disable marker_case --disable separator reply.txt
  vcp parse --jsonl replies.jsonl`,
		Args: atMostOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := r.check(); err != nil {
				return err
			}
			in, name, err := open(std.in, args)
			if err != nil {
				return err
			}
			defer in.Close()
			if r.jsonl {
				return r.lines(in, name, std.out)
			}
			return r.whole(in, name, std.out)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(newChoice(&r.options.Tolerance, tolerances), "tolerance", "how much damage is repaired")
	f.Var(newChoice(&r.options.Finish, finishes), "finish", "why the model stopped; with --jsonl, for lines that do not say")
	f.Var(newChoice(&r.options.Quoted, quotedPolicies), "quoted", "what becomes of requests in fenced code")
	f.Var(newChoice(&r.options.Reasoning, reasoningPolicies), "reasoning", "what becomes of requests in reasoning")
	f.StringArrayVar(&r.options.Disabled, "disable", nil, "a `REPAIR` to switch off; may be repeated")
	f.Var(&r.chunk, "chunk", "feed the reply in pieces of N bytes; the output is the same for every N")
	f.BoolVar(&r.jsonl, "jsonl", false, "read one JSON object a line, and write one for each")
	addProtocol(f, &r.protocol)
	return cmd
}

// newParseLogger logs nothing: the command reports the failure of a protocol itself.
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

// open opens what the arguments name. Standard input is "-", or nothing.
func open(stdin io.Reader, args []string) (in io.ReadCloser, name string, err error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(stdin), "standard input", nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, "", fmt.Errorf("cannot read the file: %w", err)
	}
	return f, args[0], nil
}

const (
	// maxReply limits what is read of one reply, in bytes.
	maxReply = 64 << 20
	// replyPiece is how much of a reply is read at a time, in bytes, and maxPiece the most.
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

// parse reads one reply of --jsonl. The error is that of a protocol that failed; the reply then is
// all text.
func (r *reading) parse(text string, finish protocol.FinishReason) (parser.Reply, error) {
	options := r.options
	options.Finish = finish
	if r.chunk == 0 {
		return parser.ParseToolRequests(r.protocol, text, options)
	}
	p, err := parser.New(r.protocol, options)
	if err != nil {
		return parser.ParseToolRequests(r.protocol, text, options) // it says the same, and returns the text
	}
	var events []parser.Event
	for piece := range slices.Chunk([]byte(text), int(r.chunk)) {
		events = p.Feed(events[:0], piece)
	}
	_, reply := p.Close(events[:0], finish)
	return reply, p.Err()
}

// finishNamed is the finish reason that a line of --jsonl names.
func finishNamed(name string) (protocol.FinishReason, error) {
	var finish protocol.FinishReason
	if err := newChoice(&finish, finishes).Set(name); err != nil {
		return "", fmt.Errorf("finish %s", strings.TrimSpace(err.Error()))
	}
	return finish, nil
}
