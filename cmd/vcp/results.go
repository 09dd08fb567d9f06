package main

import (
	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/replies"
)

func newResults(std cli.Streams) *cobra.Command {
	var p protocol.Protocol
	cmd := &cobra.Command{
		Use:   "results [FILE|-]",
		Short: "Print results of tools as the text that a model reads",
		Long: `results reads one result per line, from FILE or from standard input, and prints one message for the model with all results. What a
tool returned is neutralized: it cannot open, close or forge a request or a result. A line is an object:

  {"requestId":"1",              which request it answers
   "toolName":"files_read",      the name as the request had it
   "result":"…",                 what the tool returned: text, or any other JSON value
   "status":"success",           or error; may be missing, and then an errorType means error
   "errorType":"not_found",      errors only: a word
   "suggestion":"…",             errors only: what to do instead
   "about":"path=a.txt",         the arguments that tell the request apart from others; may be missing
   "note":"…"}                   a remark for the model; may be missing

A line that cannot be read is an error, and nothing is printed.`,
		Example: `  vcp results results.jsonl
  printf '{"requestId":"1","toolName":"clock_now","result":"noon"}' | vcp results --protocol hermes`,
		Args: cli.AtMostOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			in, name, err := cli.OpenInput(std.In, args)
			if err != nil {
				return err
			}
			defer in.Close()
			results, err := replies.ReadResults(in, name)
			if err != nil || len(results) == 0 {
				return err
			}
			return cli.Write(std.Out, p.FormatToolResults(results))
		},
	}
	configuration.AddProtocol(cmd.Flags(), &p)
	return cmd
}
