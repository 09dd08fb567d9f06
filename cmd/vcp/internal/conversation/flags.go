package conversation

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
	"github.com/vcpgo/vcp/cmd/vcp/internal/sessions"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

// Flags are the flags of vcp chat.
type Flags struct {
	server        modelclient.Flags
	config        configuration.Flags
	session       sessions.Flags
	language      string      // Run makes it "" if --language is not given; then the preset and the locale decide
	languageGiven func() bool // --language was given
	audit         string
	json          bool
	stats         statsForm
}

// Add adds the flags to a set.
func (f *Flags) Add(set *pflag.FlagSet) {
	f.server.Add(set)
	f.server.AddCalls(set)
	configuration.AddLanguage(set, &f.language, "the language of the instructions for tools, and of notes on the terminal; "+
		"without it, the preset and the locale decide")
	f.languageGiven = func() bool { return set.Changed("language") }
	set.StringVar(&f.audit, "audit", "",
		"append a record of each tool call to `FILE`, a regular file, as lines of JSON")
	set.BoolVar(&f.json, "json", false, "print the events of the chat as lines of JSON, as docs/loop.md describes them")
	set.Var(cli.NewChoice(&f.stats, statsOptions()), "stats",
		"at the end, show statistics of tool calling on standard error")
	set.Lookup("stats").NoOptDefVal = "table"
	f.session.Add(set)
	f.config.Add(set)
}

// Run runs a chat. args may contain a message. Errors are in the language of the person.
func (f *Flags) Run(std cli.Streams, args []string) error {
	if f.server.Preset.List {
		return modelclient.ListPresets(std.Out)
	}
	if !f.languageGiven() {
		f.language = ""
	}
	p := phrasesIn(cmp.Or(f.language, cli.Language()))
	return p.localized(f.run(std, p, args))
}

func (f *Flags) run(std cli.Streams, p phrases, args []string) error {
	if err := f.session.Check(args); err != nil {
		return err
	}
	f.config.Pins.Forget = f.session.None
	space, err := workspace.Open(context.Background(), &f.config, std)
	if err != nil {
		return err
	}
	defer space.Close()
	space.Protect(append(f.session.Files(), f.audit)...)
	audit, closeAudit, err := workspace.OpenAudit(f.audit)
	if err != nil {
		return err
	}
	defer closeAudit()
	store, closeStore, err := f.session.Open(context.Background(), func(note *message.Text) {
		fmt.Fprintln(std.Err, "vcp chat: "+terminal.OneLine(note.In(p.language)))
	})
	if err != nil {
		return err
	}
	defer closeStore()

	talk := f.newConversation(std, p, space)
	talk.store, talk.owner, talk.keepsNothing = store, f.session.Owner, f.session.None
	approver := terminal.NewApprover(std, p.language)
	approver.Quiet = talk.view.Pause
	talk.engines = &engineOpener{
		std: std, space: space, server: &f.server, language: f.language,
		unattended: workspace.Unattended{Why: approver.Unavailable},
		options:    engine.Options{Approver: approver.Approve, Audit: audit},
	}
	if talk.engine, talk.model, err = talk.engines.open(space.Settings); err != nil {
		return err
	}
	defer func() { talk.model.Close() }() // the person may have chosen another model
	if talk.model.Demo != nil {
		fmt.Fprintln(std.Err, "vcp chat: "+p.Say("no model server is named, so the demo model answers: "+
			"a small rule-based planner, not a language model (name a server with --base-url and --model)"))
	}
	if err := talk.engines.unattended.Refuse(talk.engine, space.File); err != nil {
		return err
	}
	if hidden := talk.engines.unattended.Hidden(space); hidden != nil {
		fmt.Fprintln(std.Err, "vcp chat: "+hidden.In(p.language))
	}
	if err := talk.openSession(&f.session); err != nil {
		return err
	}
	defer talk.end()
	if !f.session.Finishes && len(args) == 0 && cli.IsTerminal(std.In) && cli.IsTerminal(std.Out) && !f.json {
		return talk.interactive(approver)
	}
	i := watchInterrupts(talk.quit, func() { talk.quit(true) }) // Ctrl-C between turns quits at once
	defer i.stop()
	if f.session.Finishes {
		return talk.finish(i)
	}
	if err := talk.finishInterrupted(i); err != nil {
		return err
	}
	if len(args) == 1 {
		return talk.turn(i, talk.send(args[0]))
	}
	return talk.lineByLine(i, std.In)
}

// newConversation returns a conversation that has its output and no engine yet.
func (f *Flags) newConversation(std cli.Streams, p phrases, space *workspace.Workspace) *conversation {
	talk := &conversation{
		phrases: p, settings: space.Settings, system: space.Own[configuration.System], registry: space.Registry,
		view: terminal.NewView(std.Out, p.language), out: std.Out, stderr: std.Err, server: &f.server, stats: f.stats,
	}
	saver := FileSaver{Dir: space.Own[configuration.SaveFiles], Language: p.language}
	talk.view.File = saver.Report
	talk.view.Arguments = func(q *protocol.ToolRequest) string { return unrunArgumentsText(talk.registry, q) }
	if f.json {
		talk.events = &eventWriter{out: cli.JSONOutput(std.Out)}
		if saver.Dir != "" {
			talk.events.saveFile = func(file tool.File) { fmt.Fprintln(std.Err, "vcp chat: "+saver.Report(file)) }
		}
	}
	return talk
}
