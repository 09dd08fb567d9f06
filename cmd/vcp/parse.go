package main

import (
	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/replies"
)

func newParse(std cli.Streams) *cobra.Command {
	var r replies.Reader
	cmd := &cobra.Command{
		Use:   "parse [FILE|-]",
		Short: "Read the requests in a model's reply and print them as JSON",
		Long: `parse reads one reply of a model, from FILE or from standard input, and prints one JSON object on one line:

  {"version":1,
   "requests":[{"requestId":"1",         the ordinal in the reply, from "1"
     "label":"",                         the id that the model wrote, if any
     "toolName":"files_list",            as written
     "args":{"path":"docs"},             name to text; if a name occurs twice, its first text
     "arguments":[{"name":"path","value":"docs","form":"plain"}],
                                         in the order written; form is plain or json; "valueBase64" has
                                         the bytes of a value that is not UTF-8
     "rawBlock":"<<<[TOOL_REQUEST]>>>…", the bytes at the span
     "span":[120,287],                   byte offsets into the input, the end not included
     "status":"ready",                   ready, invalid, incomplete, quoted or reasoning
     "repairs":[{"name":"marker_case","span":[120,140]}],
     "error":null}],                     or {"code","message"} if the status is invalid
   "text":"…",                           what a person sees: no requests except quoted ones
   "reasoning":"…",                      reasoning sections without their tags, joined by a line break
   "dropped":[{"span":[300,320],"reason":"fabricated_result"}],
   "notices":[{"code":"unrun_request","span":[40,90],"message":"…"}],
   "repairCounts":{"marker_case":1}}     how often each repair was needed, whatever the request's status

With --jsonl each line of the input is {"id":…,"text":…,"finish":…}, and yields one line {"id":…,"version":1,…} with the same
id. A line that cannot be read yields {"id":null,"error":{"code","message"}}; the rest is read, and the exit status is 1.

An invalid request is not a failure of the command. docs/parse.md describes the output in full.`,
		Example: `  vcp parse reply.txt
  printf '<<<[TOOL_REQUEST]>>>tool_name:「始」clock_now「末」<<<[END_TOOL_REQUEST]>>>' | vcp parse
  vcp parse --tolerance strict --finish length reply.txt
  vcp parse --disable marker_case --disable separator reply.txt
  vcp parse --jsonl replies.jsonl`,
		Args: cli.AtMostOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return r.Run(std, args)
		},
	}
	r.Add(cmd.Flags())
	return cmd
}
