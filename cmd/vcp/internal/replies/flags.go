package replies

import (
	"io"
	"log/slog"
	"slices"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

// Add adds the flags.
func (r *Reader) Add(f *pflag.FlagSet) {
	f.Var(cli.NewChoice(&r.options.Tolerance, Tolerances), "tolerance", "how much damage is repaired")
	f.Var(cli.NewChoice(&r.options.Finish, finishes), "finish",
		"why the model stopped; with --jsonl, for lines without a finish reason")
	f.Var(cli.NewChoice(&r.options.Quoted, QuotedPolicies), "quoted", "what becomes of requests in fenced code")
	f.Var(cli.NewChoice(&r.options.Reasoning, reasoningPolicies), "reasoning",
		"what becomes of requests in reasoning")
	f.StringArrayVar(&r.options.Disabled, "disable", nil, "a `REPAIR` to switch off; may be repeated")
	f.Var(cli.NewNumber(&r.chunk, 1), "chunk", "feed the reply in pieces of N bytes; the output is the same for every N")
	f.BoolVar(&r.jsonl, "jsonl", false, "read one JSON object per line, and write one for each")
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
	var out io.Writer = cli.Output{Writer: std.Out}  // a program gets the bytes that docs/parse.md describes
	if cli.IsTerminal(std.Out) {
		out = cli.JSONOutput(std.Out)
	}
	if r.jsonl {
		return r.lines(in, name, out)
	}
	return r.readOne(in, name, out)
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
