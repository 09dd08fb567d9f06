package evaluation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

// liveFlags say which model is given which tasks.
type liveFlags struct {
	suite  string
	tries  int
	calls  []callsKind
	script []bool // false is without script_run, true is with it
	server modelclient.Flags
	config configuration.Flags
}

// callsKind is a way in which the model may call tools.
type callsKind struct {
	name    string // of the variant; "" for calls in text, whose variants have the names of the protocols
	calls   model.Calls
	noTools bool
}

func (l *liveFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.suite, "live", "", "give a model the tasks of `SUITE`, a YAML file")
	l.tries = 1
	f.Var(cli.NewNumber(&l.tries, 1), "tries", "how often each task is tried")
	f.Var(cli.NewChoices(&l.calls, []cli.Option[callsKind]{
		{Name: "text", Value: callsKind{calls: model.CallsText}},
		{Name: "native", Value: callsKind{name: "native", calls: model.CallsNative}},
		{Name: "none", Value: callsKind{name: "no tools", calls: model.CallsText, noTools: true}},
	}, "all"), "calls", "call tools in text, by the server's own function calling, or not at all")
	onOff := []cli.Option[bool]{{Name: "off", Value: false}, {Name: "on", Value: true}}
	f.Var(cli.NewChoices(&l.script, onOff, "off"), "script",
		"also give the model the tool script_run; all compares the model with and without it")
	l.server.Add(f)
	l.config.AddForEval(f)
}

// giveUpAfter is the number of tries in a row that fail with an error of the server before the
// other tries of the variant are skipped.
const giveUpAfter = 3

// evaluate gives a model the tasks of the suite and prints the report. inText are the protocols for
// calls in text; empty means all.
func (l *liveFlags) evaluate(
	ctx context.Context, std cli.Streams, inText []protocol.Protocol, maxWrong int,
) error {
	suite, err := eval.LoadSuite(l.suite)
	if err != nil {
		return err
	}
	settings, err := l.config.Load()
	if err != nil {
		return err
	}
	if settings.Own[configuration.BaseURL] == "" && settings.Own[configuration.Model] == "" {
		return cli.Usagef("--live needs a model: give --base-url URL and --model NAME, or set %s and %s; "+
			"vcp demo-model is one to try", configuration.EnvBaseURL, configuration.EnvModel)
	}
	ctx, stop := signal.NotifyContext(ctx, cli.EndSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop) // so that a second Ctrl-C ends the program
	variants, closeAll, err := l.variants(ctx, settings, inText, std.Err)
	defer closeAll()
	if err != nil {
		return err
	}
	report := &eval.Report{Suite: suite.Name, Model: variants[0].Model.(fmt.Stringer).String()}
	for _, v := range variants {
		if err := l.run(ctx, suite, v, report, std.Err); err != nil {
			return err
		}
	}
	if err := report.WriteMarkdown(cli.TextOutput(std.Out)); err != nil {
		return err
	}
	if wrong, variant := report.MaxWrong(); wrong > maxWrong {
		return fmt.Errorf("%s ran with %s; --max-wrong allows %d",
			cli.Plural(wrong, "wrong call", "wrong calls"), variant, maxWrong)
	}
	if ctx.Err() != nil {
		return errors.New("interrupted; tasks are missing in the report")
	}
	return l.answered(report)
}

// answered returns an error if no try had an answer.
func (l *liveFlags) answered(report *eval.Report) error {
	for i := range report.Tries {
		if report.Tries[i].Err == nil {
			return nil
		}
	}
	return fmt.Errorf("no try had an answer: %w", l.server.Explain(report.Tries[0].Err))
}

// variants returns the variants of the evaluation, such as one for each protocol. closeAll closes
// their clients; it is not nil, even with an error.
func (l *liveFlags) variants(
	ctx context.Context, settings *configuration.Settings, inText []protocol.Protocol, stderr io.Writer,
) (list []eval.Variant, closeAll func(), err error) {
	var clients []*modelclient.Client
	closeAll = func() {
		for _, c := range clients {
			c.Close()
		}
	}
	open := func(calls model.Calls, p protocol.Protocol) (*modelclient.Client, model.Preset, error) {
		server := l.server
		server.Calls = calls
		client, err := server.Open(p, settings, stderr)
		if err != nil {
			return nil, model.Preset{}, err
		}
		clients = append(clients, client)
		preset, err := client.Preset(ctx)
		return client, preset, server.Explain(err)
	}
	if len(inText) == 0 {
		inText = configuration.Protocols
	}
	for _, kind := range l.calls {
		protocols := inText
		if kind.name != "" { // one variant, whatever the protocol
			protocols = inText[:1]
		}
		for _, p := range protocols {
			client, preset, err := open(kind.calls, p)
			if err != nil {
				return nil, closeAll, err
			}
			v := eval.Variant{
				Name: cmp.Or(kind.name, p.ID()), Model: client.Client, Protocol: p, NoTools: kind.noTools,
				Reading: preset.Profile().Reading,
			}
			variants, err := l.scriptVariants(v)
			if err != nil {
				return nil, closeAll, err
			}
			list = append(list, variants...)
		}
	}
	return list, closeAll, nil
}

// scriptVariants returns the variant without and with script_run, as --script says. A variant
// without tools has no script.
func (l *liveFlags) scriptVariants(v eval.Variant) (list []eval.Variant, err error) {
	if v.NoTools {
		return []eval.Variant{v}, nil
	}
	for _, withScript := range l.script {
		v := v
		if withScript {
			scripts, err := workspace.NewScriptTool()
			if err != nil {
				return nil, err
			}
			v.Name, v.Tools = v.Name+" with script_run", []tool.Tool{scripts}
		}
		list = append(list, v)
	}
	return list, nil
}

const interruptedNote = "The evaluation was interrupted; tasks are missing."

// run gives the model all tasks in one variant, and adds the tries to the report.
func (l *liveFlags) run(
	ctx context.Context, suite *eval.Suite, v eval.Variant, report *eval.Report, stderr io.Writer,
) error {
	failed := 0 // errors in a row
	for i := range suite.Tasks {
		for range l.tries {
			try, err := suite.Tasks[i].Run(ctx, v)
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				if !slices.Contains(report.Notes, interruptedNote) { // an earlier variant may have added it
					report.Notes = append(report.Notes, interruptedNote)
				}
				return nil
			}
			try.Calls = nil // their arguments may be long, and the report only counts calls
			report.Tries = append(report.Tries, try)
			fmt.Fprintf(stderr, "%s %s: %s, %s, %.1f s\n", v.Name, try.Task.ID, verdict(&try),
				cli.Plural(try.Iterations, "reply", "replies"), try.Duration.Seconds())
			if try.Err == nil {
				failed = 0
			} else if failed++; failed == giveUpAfter {
				note := fmt.Sprintf("%s: skipped after %d errors in a row.", v.Name, failed)
				report.Notes = append(report.Notes, note)
				return nil
			}
		}
	}
	return nil
}

// verdict describes the outcome of a try.
func verdict(t *eval.Try) string {
	switch {
	case t.Err != nil:
		return "error: " + terminal.OneLine(t.Err.Error())
	case t.Solved():
		return "solved"
	}
	return "not solved"
}
