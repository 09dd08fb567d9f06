// Command analyst answers questions about a table: CSV, TSV, JSON lines or XLSX. The model reads the
// names of the columns and the figures that the table tool calculates, and never a row.
//
//	vcp demo-model --addr 127.0.0.1:8117 &
//	OPENAI_BASE_URL=http://127.0.0.1:8117/v1 go run ./examples/analyst
//
// asks the committed table for the trend of last quarter, without any network. Any other server that
// speaks the OpenAI chat API does as well.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

func main() {
	table := flag.String("table", "examples/analyst/sales.csv", "the `FILE` with the table")
	out := flag.String("charts", ".", "the `DIRECTORY` for charts")
	flag.Parse()
	question := cmp.Or(flag.Arg(0), "What was the trend of revenue in the last quarter by month in "+filepath.Base(*table)+"? Draw a chart.")
	server := model.Options{BaseURL: os.Getenv("OPENAI_BASE_URL"), Model: os.Getenv("OPENAI_MODEL"), APIKey: os.Getenv("OPENAI_API_KEY")}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := ask(ctx, os.Stdout, server, *table, *out, question)
	if stop(); err != nil {
		log.Fatal(err)
	}
}

const instructions = `You analyze the table %s for the user. Do not guess and do not calculate yourself.
1. Learn the columns with table_describe, unless you know them.
2. Get the figures with table_aggregate. For a trend set period, and set chart to true if the user wants to see something.
3. Answer with the figures of the results, in one short paragraph. Say which dates they cover, and name the chart.`

// ask writes the answer to a question about a table, with the calls on the way to it. Charts are
// saved in the directory out.
func ask(ctx context.Context, w io.Writer, server model.Options, table, out, question string) error {
	root, err := os.OpenRoot(filepath.Dir(table))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it was only read from
	client, err := model.New(server)
	if err != nil {
		return err
	}
	defer client.Close()
	conversation, err := analyst(client, root, filepath.Base(table))
	if err != nil {
		return err
	}
	for event, err := range conversation.Send(ctx, question) {
		if err != nil {
			return err
		}
		if err := show(w, event, out); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	return nil
}

// analyst returns a conversation with the table tool. Its method for single rows is hidden: what a
// model cannot see, it cannot call.
func analyst(client *model.Client, root *os.Root, table string) (*chat.Conversation, error) {
	tables, err := builtin.Table(root, builtin.TableOptions{})
	if err != nil {
		return nil, err
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tables); err != nil {
		return nil, err
	}
	config := engine.DefaultConfig()
	config.ToolToggles = map[string]bool{"table_rows": false}
	e, err := engine.New(engine.Options{Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: client, Config: config})
	if err != nil {
		return nil, err
	}
	return chat.New(e, chat.Options{System: fmt.Sprintf(instructions, table)})
}

// show writes an event for a person, and saves the charts of a result.
func show(w io.Writer, event engine.Event, out string) error {
	switch event.Kind {
	case engine.EventText:
		fmt.Fprint(w, event.Text)
	case engine.EventToolDone:
		r := event.Result
		fmt.Fprintf(w, "[%s: %s]\n", event.Name, r.Status)
		for _, f := range r.Files {
			path := filepath.Join(out, filepath.Base(f.Name))
			if err := os.WriteFile(path, f.Data, 0o666); err != nil {
				return err
			}
			fmt.Fprintf(w, "[chart: %s]\n", path)
		}
	case engine.EventRunDone:
		if event.Stop != engine.StopDone {
			return errors.New("the answer is not complete: " + string(event.Stop))
		}
	}
	return nil
}
