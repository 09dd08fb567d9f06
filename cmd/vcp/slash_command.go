package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/vcpgo/vcp/chat"
)

// slashCommand is a command of the interactive prompt, written as /NAME.
type slashCommand struct {
	name, description string
	argument          bool // a word may follow the name
	run               func(c *conversation, i *interrupts, argument string) error
}

// errExit is the outcome of /exit.
var errExit = errors.New("the person quits")

func slashCommands() []slashCommand {
	return []slashCommand{
		{"/help", "show these commands", false, (*conversation).help},
		{"/tools", "show the methods that the model may call", false, (*conversation).showTools},
		{"/model", "show which model answers; /model NAME has another of the same server answer from now on", true, (*conversation).showModel},
		{"/retry", "let the model continue after an answer that failed or was stopped", false, (*conversation).retry},
		{"/clear", "begin a new conversation", false, func(c *conversation, _ *interrupts, _ string) error { return c.clear() }},
		{"/exit", "quit", false, func(*conversation, *interrupts, string) error { return errExit }},
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
		return fmt.Errorf("%q is not sent to the model; /exit quits", line)
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
	for _, command := range slashCommands() {
		if command.name != name {
			continue
		}
		if argument != "" && !command.argument {
			return fmt.Errorf("%s takes no argument, and one was given: %s", name, visible(argument))
		}
		return command.run(c, i, argument)
	}
	return fmt.Errorf("there is no command %s; there are %s; a message that begins with / is typed with //",
		visible(name), inWords(slashCommandNames("/")))
}

func (c *conversation) help(*interrupts, string) error {
	return c.table(func(row func(cells ...string)) {
		for _, command := range slashCommands() {
			row(command.name, command.description)
		}
		row("//TEXT", "send the message /TEXT")
	})
}

func (c *conversation) showTools(*interrupts, string) error {
	methods := c.chat.Tools().Methods()
	if len(methods) == 0 {
		return errors.New("there are none: " + noMethods(c.engine.Config()))
	}
	return c.table(func(row func(cells ...string)) {
		for _, m := range methods {
			row(m.FullName, string(m.Risk()), truncated(m.Method.Description, shownResult))
		}
	})
}

func (c *conversation) showModel(_ *interrupts, name string) error {
	if name != "" {
		if err := c.useModel(name); err != nil {
			return err
		}
	}
	return c.table(func(row func(cells ...string)) { row(c.model.String()) })
}

func (c *conversation) retry(i *interrupts, _ string) error {
	err := c.turn(i, c.chat.Continue)
	if errors.Is(err, chat.ErrNothingToContinue) {
		return errors.New("no answer has failed or was stopped, so there is nothing to retry")
	}
	return err
}

// table writes rows of cells, which may be foreign text.
func (c *conversation) table(fill func(row func(cells ...string))) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fill(func(cells ...string) {
		for i := range cells {
			cells[i] = visible(cells[i])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	})
	_ = t.Flush() // into memory
	return write(c.view.out, b.String())
}
