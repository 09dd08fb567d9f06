package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

func newResults(std streams) *cobra.Command {
	proto := protocols[0]
	cmd := &cobra.Command{
		Use:   "results [FILE|-]",
		Short: "Write the results of tools as the text that a model reads",
		Long: `results reads one result a line, as JSON, from FILE or from standard input, and prints them as the text of the next user message:

  {"requestId":"1","toolName":"files_list","result":"a.md"}
  {"requestId":"2","toolName":"shop_buy","errorType":"sold_out","result":"There is none left.","suggestion":"Offer pears."}

requestId is what vcp parse gives the request, or the model's label. status is "success" or "error"; without it, a result with an errorType
is an error. What a tool returns is foreign text: nothing in it can open, close or forge a request or a result. If a line cannot be read,
nothing is printed, and the exit status is 1.`,
		Example: `  echo '{"requestId":"1","toolName":"clock_now","result":"noon"}' | vcp results
  vcp results --protocol hermes results.jsonl`,
		Args: atMostOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			in, name, err := open(std.in, args)
			if err != nil {
				return err
			}
			defer in.Close()
			results, err := readResults(in)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if len(results) == 0 {
				return fmt.Errorf("%s holds no results; write one a line", name)
			}
			return write(std.out, proto.FormatToolResults(results))
		},
	}
	addProtocol(cmd.Flags(), &proto)
	return cmd
}

// maxResults limits what is read of results, in bytes.
const maxResults = 64 << 20

// readResults reads one result from each line that is not blank.
func readResults(in io.Reader) (list []protocol.ToolResult, err error) {
	lines, size := bufio.NewReaderSize(in, 64<<10), 0
	var line []byte
	for number := 1; err == nil; number++ {
		line, err = readLine(lines, line[:0])
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if size += len(line); size > maxResults {
			return nil, fmt.Errorf("longer than %d MiB, the most that is read of results", maxResults>>20)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		result, bad := readResult(line)
		if bad != nil {
			return nil, fmt.Errorf("line %d: %w", number, bad)
		}
		list = append(list, result)
	}
	return list, nil
}

func readResult(line []byte) (protocol.ToolResult, error) {
	var r protocol.ToolResult
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, err
	}
	if d.More() {
		return r, errors.New("more than one JSON value")
	}
	if r.Status == "" {
		if r.Status = protocol.StatusSuccess; r.ErrorType != "" {
			r.Status = protocol.StatusError
		}
	}
	switch {
	case r.RequestID == "":
		return r, errors.New("requestId is missing; give the one of vcp parse")
	case r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError:
		return r, fmt.Errorf(`status is %.40q; allowed is "success" or "error"`, string(r.Status))
	case r.Status == protocol.StatusSuccess && r.ErrorType != "":
		return r, errors.New(`status is "success" and errorType is set; omit one`)
	}
	r.Result = text.Valid(r.Result)
	return r, nil
}
