package conversation

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

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
	configuration.AddLanguage(f, &c.language)
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
	a := terminal.NewApprover(std)
	nobody := workspace.Unattended{Why: a.Unavailable}
	talk := &conversation{
		system: space.Own[configuration.System], registry: space.Registry, view: terminal.NewView(std.Out), out: std.Out, stderr: std.Err, server: &c.server, stats: c.stats,
	}
	a.Quiet = talk.view.Pause
	saver := FileSaver{Dir: space.Own[configuration.SaveFiles]}
	talk.view.File = saver.Report
	talk.view.Arguments = func(q *protocol.ToolRequest) string { return unrunArgumentsText(talk.registry, q) }
	talk.open = func(named *configuration.Settings) (*engine.Engine, *modelclient.Client, error) {
		client, err := c.server.Open(proto, named, std.Err)
		if err != nil {
			return nil, nil, err
		}
		preset, err := client.Preset(context.Background())
		if err != nil {
			client.Close()
			return nil, nil, c.server.Explain(err)
		}
		id, err := configuration.ProtocolFor(space.Protocol, &preset)
		if err != nil {
			client.Close()
			return nil, nil, err
		}
		profile := preset.Profile()
		if c.languageGiven() {
			profile.Prompt.Language = c.language
		}
		e, err := space.Engine(std, engine.Options{
			Model: client.Client, Approver: a.Approve, Audit: audit, Profile: &profile, Config: engine.Config{Protocol: id},
			Filter: nobody.Filter(named), FilterKey: "can be approved",
		})
		if err != nil {
			client.Close()
		}
		return e, client, err
	}
	if talk.engine, talk.model, err = talk.open(space.Settings); err != nil {
		return err
	}
	talk.settings = space.Settings
	defer func() { talk.model.Close() }() // the person may have chosen another model
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
		return finish(talk)
	case len(args) == 1:
		return oneAnswer(talk, args[0])
	case terminal.IsTerminal(std.In) && terminal.IsTerminal(std.Out) && !c.json:
		return interactive(talk, a)
	}
	return lineByLine(talk, std.In)
}

// finish finishes the turn that was interrupted, and reads no message.
func finish(talk *conversation) error {
	if !talk.chat.Interrupted() {
		return errors.New("no turn was interrupted, so there is nothing to resume")
	}
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	return talk.turn(i, talk.chat.Resume)
}

// oneAnswer answers one message and ends.
func oneAnswer(talk *conversation, message string) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	if err := talk.finishInterrupted(i); err != nil {
		return err
	}
	return talk.turn(i, talk.send(message))
}

// lineByLine shows the answer to each line of the input, and ends with the first failure.
func lineByLine(talk *conversation, in io.Reader) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	if err := talk.finishInterrupted(i); err != nil {
		return err
	}
	lines, first := bufio.NewReader(in), true
	for {
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("cannot read standard input: %w", err)
		}
		if message := strings.TrimSpace(line); message != "" {
			if !first && talk.events == nil {
				talk.view.Blank()
			}
			first = false
			if err := talk.turn(i, talk.send(message)); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
