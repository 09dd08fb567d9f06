package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

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
     "args":{"path":"docs"},             name to text; of a name that occurs twice, the first
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
id. A line that cannot be read yields {"id":null,"error":{"code","message"}}; the rest is read, and the exit status is 1.

An invalid request is not a failure of the command. docs/parse.md describes the output in full.`,
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

// open opens the file that the arguments name. Standard input is "-", or no argument.
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
