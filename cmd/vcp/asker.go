package main

import (
	"bufio"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// asker asks a person for leave to make a call.
type asker struct {
	// show shows a line.
	show func(text string)
	// possible is false where there is no terminal to ask on.
	possible bool
	// missed is the last method of which a call could not be asked for, since there is none.
	missed *tool.Entry
	// normal puts the terminal into the mode in which a line is typed, and returns what undoes that.
	normal func() func()

	reading sync.Mutex // held by the one who reads from the terminal
}

var _ executor.Approver = (*asker)(nil)

// newAsker asks on the terminal that standard input is. Where it is none, all is denied.
func newAsker(std streams) *asker {
	return &asker{
		show:     func(text string) { fmt.Fprintln(std.err, text) },
		possible: canAsk && isTerminal(std.in),
		normal:   func() func() { return func() {} },
	}
}

// ask has a line typed. What was typed before the question was seen is no answer to it. The end of ctx ends the question.
func (a *asker) ask(ctx context.Context, question string) (string, error) {
	terminal, err := openTerminal()
	if err != nil {
		return "", fmt.Errorf("the terminal cannot be opened: %w", err)
	}
	defer terminal.Close()
	discardTyped(terminal)
	defer a.normal()()
	defer context.AfterFunc(ctx, func() { _ = terminal.SetReadDeadline(time.Unix(1, 0)) })()
	fmt.Fprint(terminal, question)
	line, err := bufio.NewReader(terminal).ReadString('\n')
	if err != nil {
		fmt.Fprintln(terminal)
	}
	return line, err
}

// alone reads from the terminal while nobody else does: a question may be open still when its turn has ended.
func (a *asker) alone(read func() (string, error)) (string, error) {
	a.reading.Lock()
	defer a.reading.Unlock()
	return read()
}
