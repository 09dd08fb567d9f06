package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// conversation shows a chat to a person.
type conversation struct {
	chat   *chat.Conversation
	view   *view
	stderr io.Writer
	// atEnd shows what is shown when the chat is over, once.
	atEnd func()
}

// turn has one answer. The error says why there is none, or none that is whole.
func (c *conversation) turn(i *interrupts, message string) error {
	ctx, over := i.turn()
	defer over()
	var (
		last *engine.Turn
		stop engine.StopReason
		err  error
	)
	for e, failure := range c.chat.Send(ctx, message) {
		c.view.show(e)
		err = failure
		switch e.Kind {
		case engine.EventTurnDone:
			last = e.Turn
		case engine.EventRunDone:
			stop = e.Stop
		}
	}
	if stop == engine.StopManual {
		c.showUnrun(last)
	}
	if broken := c.view.end(); broken != nil {
		return broken
	}
	return c.explain(stop, last, err)
}

// showUnrun shows what the model asks for where nothing is run.
func (c *conversation) showUnrun(turn *engine.Turn) {
	for _, q := range turn.Requests {
		c.view.call(q.ToolName, plainArgumentsText(q.Arguments, shownValue), " ... not run: the mode is manual")
	}
}

// explain says how a run ended that did not end well.
func (c *conversation) explain(stop engine.StopReason, last *engine.Turn, err error) error {
	switch stop {
	case engine.StopMaxIterations:
		fmt.Fprintf(c.stderr, "vcp chat: the limit of tool calling was reached (--max-iterations is %d), so the model had to answer "+
			"without more of it\n", c.chat.Tools().Session().Config().MaxIterations)
	case engine.StopCanceled:
		return errInterrupted
	case engine.StopIncomplete:
		return incomplete(last)
	}
	return err
}

func incomplete(last *engine.Turn) error {
	if last.Reply.Finish != protocol.FinishUnknown {
		return fmt.Errorf("the model stopped before it was done (finish reason %q); ask for less, or let it write more", last.Reply.Finish)
	}
	lost := "nothing in it was run"
	if n := len(last.Requests); n == 1 {
		lost = "the tool call in it was not run"
	} else if n > 1 {
		lost = fmt.Sprintf("the %d tool calls in it were not run", n)
	}
	return errors.New("the reply ended without a finish reason, so it may have been cut off, and " + lost + "; ask again")
}
