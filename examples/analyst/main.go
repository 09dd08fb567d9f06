// Command analyst answers questions about a table: CSV, TSV, JSON lines or XLSX. The model reads
// the names of the columns and the figures that the table tool calculates, and never a row.
//
//	vcp demo-model --addr 127.0.0.1:8117 &
//	OPENAI_BASE_URL=http://127.0.0.1:8117/v1 go run ./examples/analyst
//
// These commands ask for the trend of the last quarter in sales.csv, without a network. Any server
// with the OpenAI chat API can replace the demo model. With --listen 127.0.0.1:8118 the program
// serves a page, which shows the plan, the calls, the table and the chart of each answer.
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
	chartDir := flag.String("charts", ".", "the `DIRECTORY` for charts")
	listen := flag.String("listen", "",
		"serve a page at this `ADDRESS` of this machine, such as 127.0.0.1:8118, instead of answering on the terminal")
	flag.Parse()
	question := cmp.Or(flag.Arg(0), "What was the trend of revenue in the last quarter by month in "+filepath.Base(*table)+"? Draw a chart.")
	server := model.Options{BaseURL: os.Getenv("OPENAI_BASE_URL"), Model: os.Getenv("OPENAI_MODEL"), APIKey: os.Getenv("OPENAI_API_KEY")}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *listen != "" {
		err = serve(ctx, *listen, server, *table)
	} else {
		err = ask(ctx, os.Stdout, server, *table, *chartDir, question)
	}
	stop()
	if err != nil {
		log.Fatal(err)
	}
}

const instructions = `You analyze the table %s for the user. Do not guess and do not calculate yourself.
1. Say in one sentence how you will find the answer.
2. Learn the columns with table_describe, unless you know them.
3. Get the figures with table_aggregate. For a trend set period, and set chart to true if the user wants to see something.
4. Answer with the figures of the results, in one short paragraph. Say which dates they cover, and name the chart.`

// analyst answers questions about one table.
type analyst struct {
	engine *engine.Engine
	system string // the system prompt
	close  func()
}

// newAnalyst returns an analyst with the table tool. The tool's method for single rows is hidden: a
// model cannot call a method that it cannot see.
func newAnalyst(server model.Options, table string) (_ *analyst, err error) {
	root, err := os.OpenRoot(filepath.Dir(table))
	if err != nil {
		return nil, err
	}
	client, err := model.New(server)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	a := &analyst{system: fmt.Sprintf(instructions, filepath.Base(table))}
	a.close = func() {
		client.Close()
		_ = root.Close() // files were only read, so an error can be ignored
	}
	defer func() {
		if err != nil {
			a.close()
		}
	}()
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
	a.engine, err = engine.New(engine.Options{Registry: registry, Protocols: protocols, Model: client, Config: config})
	return a, err
}

var protocols = []protocol.Protocol{vcp.Protocol{}}

// ask writes the answer to a question about a table, and one line for each call. It saves charts in
// the directory chartDir.
func ask(ctx context.Context, w io.Writer, server model.Options, table, chartDir, question string) error {
	a, err := newAnalyst(server, table)
	if err != nil {
		return err
	}
	defer a.close()
	conversation, err := chat.New(a.engine, chat.Options{System: a.system})
	if err != nil {
		return err
	}
	for event, err := range conversation.Send(ctx, question) {
		if err != nil {
			return err
		}
		if err := show(w, event, chartDir); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	return nil
}

// show writes an event for a person, and saves the charts of a result in chartDir.
func show(w io.Writer, event engine.Event, chartDir string) error {
	switch event.Kind {
	case engine.EventText:
		fmt.Fprint(w, event.Text)
	case engine.EventToolDone:
		r := event.Result
		fmt.Fprintf(w, "[%s: %s]\n", event.Name, r.Status)
		for _, f := range r.Files {
			path := filepath.Join(chartDir, filepath.Base(f.Name))
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
