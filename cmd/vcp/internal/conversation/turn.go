package conversation

import (
	"context"
	"iter"

	"github.com/vcpgo/vcp/engine"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
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
		last *engine.Iteration
		end  engine.Event
		err  error
	)
	if c.events == nil {
		c.view.Wait()
	}
	for e, failure := range events(ctx) {
		if c.events != nil {
			c.events.write(e)
			if e.Result != nil && c.saveFile != nil {
				for _, f := range e.Result.Files {
					c.saveFile(f)
				}
			}
		} else {
			c.view.Show(e)
		}
		err = failure
		switch e.Kind {
		case engine.EventIterationDone:
			last = e.Iteration
		case engine.EventRunDone:
			end = e
		}
	}
	if c.events != nil {
		if c.events.err != nil {
			return &cli.OutputError{Err: c.events.err}
		}
		return c.explain(end, last, err)
	}
	if end.Stop == engine.StopManual {
		c.showUnrun(last)
	}
	if broken := c.view.End(); broken != nil {
		return broken
	}
	return c.explain(end, last, err)
}

// showUnrun shows the requests of a reply that the engine did not run, because the mode is manual.
func (c *conversation) showUnrun(iteration *engine.Iteration) {
	for _, q := range iteration.Requests {
		c.view.NotRun(q.ToolName, unrunArgumentsText(c.registry, &q.ToolRequest))
	}
}
