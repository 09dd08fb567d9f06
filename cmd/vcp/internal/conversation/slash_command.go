package conversation

import (
	"errors"
	"strings"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/text"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

// slashCommand is a command of the interactive prompt, written as /NAME.
type slashCommand struct {
	name     string
	argument string // what may follow the name, as the help shows it; "" if nothing may
	about    string
	run      func(c *conversation, i *interrupts, argument string) error
}

// errExit is the outcome of /exit.
var errExit = errors.New("the person quits")

func slashCommands() []slashCommand {
	return []slashCommand{
		{"/help", "", "show these commands", (*conversation).help},
		{"/tools", "", "show the methods that the model may call", (*conversation).showTools},
		{
			"/model", "[NAME]", "show which model answers, or switch to the model NAME of the same server",
			(*conversation).showModel,
		},
		{"/retry", "", "let the model continue after an answer that failed or was stopped", (*conversation).retry},
		{"/history", "", "show your messages and the replies, with their numbers", (*conversation).showHistory},
		{"/edit", "N TEXT", "send TEXT in place of your message N", (*conversation).edit},
		{"/again", "[N]", "let the model write the last reply, or the reply N, again", (*conversation).again},
		{
			"/branches", "", "list the versions of the conversation that /edit and /again keep, with their numbers",
			(*conversation).showBranches,
		},
		{"/switch", "N", "continue with the version N, or after the message N", (*conversation).switchTo},
		{
			"/clear", "", "begin a new conversation",
			func(c *conversation, _ *interrupts, _ string) error { return c.clear() },
		},
		{"/exit", "", "quit, as /quit does", func(*conversation, *interrupts, string) error { return errExit }},
	}
}

// slashCommandNames returns the names that begin with prefix.
func slashCommandNames(prefix string) []string {
	var names []string
	for _, c := range slashCommands() {
		if strings.HasPrefix(c.name, prefix) {
			names = append(names, c.name)
		}
	}
	return names
}

// input handles a line typed at the prompt: it runs a command, or sends a message.
func (c *conversation) input(i *interrupts, line string) error {
	switch strings.ToLower(line) {
	case "exit", "quit", "bye", "logout", "q", ":q", ":wq":
		return errorf("%q is not sent to the model; /exit quits", line)
	}
	message, literal := strings.CutPrefix(line, "//")
	if literal {
		return c.turn(i, c.send("/"+message))
	}
	if !strings.HasPrefix(line, "/") {
		return c.turn(i, c.send(line))
	}
	name, argument, _ := strings.Cut(line, " ")
	argument = strings.TrimSpace(argument)
	if name == "/quit" { // other programs use /quit, so people type it
		name = "/exit"
	}
	for _, command := range slashCommands() {
		if command.name != name {
			continue
		}
		if argument != "" && command.argument == "" {
			return errorf("%s takes no argument, and one was given: %s", name, terminal.Visible(argument))
		}
		return command.run(c, i, argument)
	}
	return errorf("there is no command %s; there are %s; to send a message that begins with /, write // in place of that /",
		terminal.Visible(name), strings.Join(slashCommandNames("/"), ", "))
}

func (c *conversation) help(*interrupts, string) error {
	var table terminal.Table
	for _, command := range slashCommands() {
		table.Row(strings.TrimSpace(command.name+" "+command.argument), c.Say(command.about))
	}
	table.Row("//TEXT", c.Say("send the message /TEXT"))
	return cli.Write(c.out, table.String())
}

func (c *conversation) showTools(*interrupts, string) error {
	methods := c.chat.Tools().Methods()
	if len(methods) == 0 {
		return errorf("the model may call no methods: %v", workspace.NoMethods(c.engine.Config()))
	}
	var table terminal.Table
	for _, m := range methods {
		description := m.Definition(c.language).Description
		table.Row(m.FullName, string(m.Risk()), text.TruncateRunes(description, terminal.MaxResult))
	}
	return cli.Write(c.out, table.String())
}

func (c *conversation) showModel(_ *interrupts, name string) error {
	if name != "" {
		if err := c.useModel(name); err != nil {
			return err
		}
	}
	return cli.Write(c.out, c.modelText().In(c.language))
}

func (c *conversation) retry(i *interrupts, _ string) error {
	err := c.turn(i, c.chat.Continue)
	if errors.Is(err, chat.ErrNothingToContinue) {
		return errorf("no answer failed or was stopped, so there is nothing to retry")
	}
	return err
}
