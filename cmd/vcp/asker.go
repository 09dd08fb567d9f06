package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/vcpgo/vcp/executor"
)

// asker asks a person for leave to make a call.
type asker struct {
	// show shows the call in question.
	show func(executor.Confirmation)
	// ask asks and returns what was typed; nil where there is no one to ask.
	ask func(question string) (string, error)
}

// newAsker asks on the terminal that standard input is, on the side of stderr. Where it is none, all is denied.
func newAsker(std streams) *asker {
	a := &asker{show: func(c executor.Confirmation) {
		fmt.Fprintln(std.err, callText(c))
	}}
	if isTerminal(std.in) && isTerminal(std.err) {
		lines := bufio.NewReader(std.in)
		a.ask = func(question string) (string, error) {
			fmt.Fprint(std.err, question)
			return readAnswer(lines)
		}
	}
	return a
}

// readAnswer reads a line. An answer that ends without a line break counts for nothing.
func readAnswer(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return "", io.ErrUnexpectedEOF
	}
	return strings.TrimSpace(line), nil
}

// callText shows a call with all of its arguments: who allows it has to see what it does.
func callText(c executor.Confirmation) string {
	return "[tool] " + visible(c.Method.FullName) + argumentsText(c.Arguments, 0)
}

const question = "Allow this call? [y/N] "

// confirm is an executor.ConfirmFunc. Only "y" and "yes" allow.
func (a *asker) confirm(_ context.Context, c executor.Confirmation) (executor.Decision, error) {
	if a.ask == nil {
		return executor.Decision{Reason: "there is no terminal to ask on."}, nil
	}
	a.show(c)
	answer, err := a.ask(question)
	if err != nil {
		return executor.Decision{}, nil //nolint:nilerr // no answer is a no
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		return executor.Decision{Allow: true}, nil
	}
	return executor.Decision{}, nil
}
