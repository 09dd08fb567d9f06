package conversation

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/vcpgo/vcp/engine"
)

// finishInterrupted finishes the last turn if it was interrupted.
func (c *conversation) finishInterrupted(i *interrupts) error {
	if !c.chat.Interrupted() {
		return nil
	}
	if c.events == nil {
		c.view.Note(c.Say("the last turn was interrupted; it is finished first"))
	}
	err := c.turn(i, c.chat.Resume)
	if err == nil && c.events == nil {
		c.view.Blank()
	}
	return err
}

// finish runs --resume: it finishes the turn that was interrupted.
func (c *conversation) finish(i *interrupts) error {
	if !c.chat.Interrupted() {
		return errorf("no turn was interrupted, so there is nothing to resume")
	}
	return c.turn(i, c.chat.Resume)
}

// lineByLine shows the answer to each line of the input that is not blank. It ends with the first
// failure.
func (c *conversation) lineByLine(i *interrupts, in io.Reader) error {
	lines, first := bufio.NewReader(in), true
	for {
		line, err := lines.ReadString('\n')
		atEnd := errors.Is(err, io.EOF)
		if err != nil && !atEnd {
			return errorf("cannot read standard input: %v", err)
		}
		if message := strings.TrimSpace(line); message != "" {
			if !first && c.events == nil {
				c.view.Blank()
			}
			first = false
			if err := c.turn(i, c.send(message)); err != nil {
				return err
			}
		}
		if atEnd {
			return nil
		}
	}
}

// turnEvents returns a sequence that runs a turn and yields its events.
type turnEvents func(context.Context) iter.Seq2[engine.Event, error]

// send returns the function that runs the turn of a message.
func (c *conversation) send(message string) turnEvents {
	return func(ctx context.Context) iter.Seq2[engine.Event, error] { return c.chat.Send(ctx, message) }
}

// turn runs a turn and shows its events. The error says why there is no complete answer.
func (c *conversation) turn(i *interrupts, events turnEvents) error {
	ctx, endTurn := i.turn()
	defer endTurn()
	var (
		lastIteration *engine.Iteration
		end           engine.Event
		err           error
	)
	show := c.view.Show
	if c.events != nil {
		show = c.events.write
	} else {
		c.view.Wait()
	}
	for e, failure := range events(ctx) {
		show(e)
		err = failure
		switch e.Kind {
		case engine.EventIterationDone:
			lastIteration = e.Iteration
		case engine.EventRunDone:
			end = e
		}
	}
	var outputErr error
	if c.events != nil {
		outputErr = c.events.err
	} else {
		if end.Stop == engine.StopManual {
			c.showUnrun(lastIteration)
		}
		outputErr = c.view.End()
	}
	if outputErr != nil {
		return outputErr
	}
	return c.explain(end, lastIteration, err)
}

// showUnrun shows the requests of a reply that the engine did not run, because the mode is manual.
func (c *conversation) showUnrun(iteration *engine.Iteration) {
	for _, q := range iteration.Requests {
		c.view.NotRun(q.ToolName, unrunArgumentsText(c.registry, &q.ToolRequest))
	}
}
