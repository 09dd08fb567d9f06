package conversation

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
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
	language      string
	languageGiven func() bool // without --language, the preset names the language
	audit         string
	json          bool
	stats         statsForm
}

// Add adds the flags.
func (c *Flags) Add(f *pflag.FlagSet) {
	c.server.Add(f)
	configuration.AddLanguage(f, &c.language, "the language of the instructions for tools, and of notes on the terminal; without it, the preset and the locale decide")
	c.languageGiven = func() bool { return f.Changed("language") }
	f.StringVar(&c.audit, "audit", "", "append a record of each tool call to `FILE`, a regular file, as lines of JSON")
	f.BoolVar(&c.json, "json", false, "print the events of the chat as lines of JSON, as docs/loop.md describes them")
	f.Var(cli.NewChoice(&c.stats, statsOptions()), "stats", "at the end, show statistics of tool calling on standard error")
	f.Lookup("stats").NoOptDefVal = "table"
	c.session.Add(f)
	c.config.Add(f)
}

// Run runs a chat. args may contain a message.
func (c *Flags) Run(std cli.Streams, args []string) error {
	if c.server.Preset.List {
		return modelclient.ListPresets(std.Out)
	}
	if err := c.session.Check(args); err != nil {
		return err
	}
	c.config.Pins.Forget = c.session.None
	space, err := workspace.Open(context.Background(), &c.config, std)
	if err != nil {
		return err
	}
	defer space.Close()
	proto, err := configuration.ProtocolNamed(space.Protocol)
	if err != nil {
		return err
	}
	audit, closeAudit, err := workspace.OpenAudit(c.audit)
	if err != nil {
		return err
	}
	defer closeAudit()
	store, err := c.session.Open(context.Background(), func(note string) { fmt.Fprintf(std.Err, "vcp chat: %s\n", note) })
	if err != nil {
		return err
	}
	if store != nil {
		defer func() { _ = store.Close() }() // what was written is on the disk
	}
	p := phrasesIn(terminal.Language())
	if c.languageGiven() {
		p = phrasesIn(c.language)
	}
	a := terminal.NewApprover(std, p.language)
	nobody := workspace.Unattended{Why: a.Unavailable}
	talk := &conversation{
		phrases: p, system: space.Own[configuration.System], registry: space.Registry,
		view: terminal.NewView(std.Out, p.language), out: std.Out, stderr: std.Err, server: &c.server, stats: c.stats,
	}
	a.Quiet = talk.view.Pause
	saver := FileSaver{Dir: space.Own[configuration.SaveFiles], Language: p.language}
	talk.view.File = saver.Report
	talk.view.Arguments = func(q *protocol.ToolRequest) string { return unrunArgumentsText(talk.registry, q) }
	talk.open = func(named *configuration.Settings) (*engine.Engine, *modelclient.Client, error) {
		answers, err := c.server.Open(proto, named, std.Err)
		if err != nil {
			return nil, nil, err
		}
		preset, err := answers.Preset(context.Background())
		if err != nil {
			answers.Close()
			return nil, nil, c.server.Explain(err)
		}
		id, err := configuration.ProtocolFor(space.Protocol, &preset)
		if err != nil {
			answers.Close()
			return nil, nil, err
		}
		profile := preset.Profile()
		if c.languageGiven() {
			profile.Prompt.Language = c.language
		}
		e, err := space.Engine(std, engine.Options{
			Model: answers.Client, Approver: a.Approve, Audit: audit, Profile: &profile, Config: engine.Config{Protocol: id},
			Filter: nobody.Filter(named), FilterKey: "can be approved",
		})
		if err != nil {
			answers.Close()
		}
		return e, answers, err
	}
	if talk.engine, talk.model, err = talk.open(space.Settings); err != nil {
		return err
	}
	talk.settings = space.Settings
	defer func() { talk.model.Close() }() // the person may have chosen another model
	if talk.model.Demo != nil {
		fmt.Fprintln(std.Err, "vcp chat: "+p.Say("no model server is named, so the demo model answers: a small rule-based planner, "+
			"no language model (name a server with --base-url and --model)"))
	}
	if err := nobody.Refuse(talk.engine, space.File); err != nil {
		return err
	}
	nobody.Report(std.Err, space)
	if c.json {
		talk.events = &eventWriter{out: std.Out}
		if saver.Dir != "" {
			talk.saveFile = func(f tool.File) { fmt.Fprintln(std.Err, "vcp chat: "+saver.Report(f)) }
		}
	}
	if store == nil {
		talk.store = chat.NewMemoryStore()
		err = talk.clear()
	} else {
		talk.store, talk.owner = store, c.session.Owner
		err = talk.openSession(&c.session)
	}
	if err != nil {
		return err
	}
	defer talk.end()
	switch {
	case c.session.Finishes:
		err = finish(talk)
	case len(args) == 1:
		err = oneAnswer(talk, args[0])
	case terminal.IsTerminal(std.In) && terminal.IsTerminal(std.Out) && !c.json:
		err = interactive(talk, a)
	default:
		err = lineByLine(talk, std.In)
	}
	return p.localized(err)
}
