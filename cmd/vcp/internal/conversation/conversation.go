// Package conversation runs vcp chat: one message, lines of input, or an interactive prompt.
package conversation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
	"github.com/vcpgo/vcp/cmd/vcp/internal/sessions"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// conversation shows a chat to a person.
type conversation struct {
	// open returns an engine with the model that settings name, and that model.
	open     func(*configuration.Settings) (*engine.Engine, *modelclient.Client, error)
	settings *configuration.Settings
	engine   *engine.Engine
	model    *modelclient.Client
	system   string
	registry *tool.Registry
	view     *terminal.View
	events   *eventWriter    // writes the events as JSON in place of the view; nil if the view shows them
	saveFile func(tool.File) // saves the files of results that events show; nil if the view does
	out      io.Writer
	stderr   io.Writer
	server   *modelclient.Flags
	stats    statsForm

	store chat.Store // in memory if the conversation is not kept
	owner string     // of conversations that begin
	chat  *chat.Conversation
	mu    sync.Mutex // an interrupt may end the conversation at any time
	ended bool
}

// clear begins a new conversation.
func (c *conversation) clear() error {
	return c.start(chat.New(c.engine, chat.Options{ID: sessions.NewName(), System: c.system, Store: c.store, Owner: c.owner}))
}

func (c *conversation) start(begun *chat.Conversation, err error) error {
	if err == nil {
		c.begin(begun)
	}
	return err
}

// openSession begins or continues the conversation that the flags name.
func (c *conversation) openSession(flags *sessions.Flags) error {
	ctx := context.Background()
	name, exists, err := flags.Choose(ctx, c.store)
	if err != nil {
		return err
	}
	o := chat.Options{ID: name, System: c.system, Store: c.store, Owner: c.owner}
	if exists {
		return c.start(chat.Open(ctx, c.engine, o))
	}
	return c.start(chat.New(c.engine, o))
}

// finishInterrupted finishes the last turn if it was interrupted, before anything else happens.
func (c *conversation) finishInterrupted(i *interrupts) error {
	if !c.chat.Interrupted() {
		return nil
	}
	if c.events == nil {
		c.view.Note("[note] the last turn was interrupted; it is finished first")
	}
	err := c.turn(i, c.chat.Resume)
	if err == nil && c.events == nil {
		c.view.Blank()
	}
	return err
}

// useModel continues the conversation with another model of the same server.
func (c *conversation) useModel(name string) error {
	if c.model.Demo != nil {
		return errors.New("the demo model is the only one here; quit, and name a server with --base-url")
	}
	named := c.settings.Clone()
	named.Own[configuration.Model], named.From[configuration.Model] = name, "/model"
	e, other, err := c.open(named)
	if err != nil {
		return err
	}
	continued, err := c.continued(e)
	if err != nil {
		other.Close()
		return err
	}
	c.begin(continued)
	c.model.Close()
	c.settings, c.engine, c.model = named, e, other
	return nil
}

// continued returns the conversation as it is now, on another engine.
func (c *conversation) continued(e *engine.Engine) (*chat.Conversation, error) {
	o := chat.Options{ID: c.chat.ID(), System: c.chat.System(), Store: c.store, Owner: c.owner}
	if _, begun := c.chat.Last(); !begun {
		return chat.New(e, o)
	}
	return chat.Open(context.Background(), e, o)
}

// begin makes a conversation the one that is shown, and ends the one before.
func (c *conversation) begin(next *chat.Conversation) {
	if c.chat != nil {
		c.end()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chat, c.ended = next, false
}

// end shows the statistics of the conversation, once.
func (c *conversation) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.ended = true
		writeStats(c.stderr, c.stats, c.chat.Tools().Session().Stats())
	}
}

// send returns the answer to a message.
func (c *conversation) send(message string) turnEvents {
	return func(ctx context.Context) iter.Seq2[engine.Event, error] { return c.chat.Send(ctx, message) }
}

// turnEvents are the events of a turn until the model has answered.
type turnEvents func(context.Context) iter.Seq2[engine.Event, error]

// turn shows one answer. The error says why there is no complete answer.
func (c *conversation) turn(i *interrupts, events turnEvents) error {
	ctx, over := i.turn()
	defer over()
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

// showUnrun shows the requests of a reply that runs nothing.
func (c *conversation) showUnrun(iteration *engine.Iteration) {
	for _, q := range iteration.Requests {
		c.view.Call(q.ToolName, unrunArgumentsText(c.registry, &q.ToolRequest), " ... not run: the mode is manual")
	}
}

// explain says why a run ended without an answer, or why the model had to answer without tools.
func (c *conversation) explain(end engine.Event, last *engine.Iteration, err error) error {
	switch end.Stop {
	case engine.StopMaxIterations:
		return c.explainLimit(end.Limit, last)
	case engine.StopNoProgress:
		return c.hadToAnswer(noProgress(end.Limit), last)
	case engine.StopDone:
		if !hasAnswer(last) {
			return errors.New("the model ended without an answer; ask again, or in other words")
		}
	case engine.StopCanceled:
		return cli.ErrInterrupted
	case engine.StopIncomplete:
		return c.incomplete(last, end.Limit)
	}
	return c.server.Explain(err)
}

// hasAnswer reports whether the last reply of a run says something to a person.
func hasAnswer(last *engine.Iteration) bool { return strings.TrimSpace(last.Reply.Text.String()) != "" }

// hadToAnswer says why the model had to answer without tools. It is an error if there is no answer.
func (c *conversation) hadToAnswer(why string, last *engine.Iteration) error {
	why += ", so the model had to answer without tools"
	if !hasAnswer(last) {
		return errors.New(why + ", and gave no answer; ask in other words")
	}
	fmt.Fprintln(c.stderr, "vcp chat: "+why)
	return nil
}

// limitFields are the fields of the configuration that set the limits of a run.
var limitFields = map[engine.Limit]string{
	engine.LimitRequests: "maxRequests", engine.LimitCalls: "maxCalls", engine.LimitTime: "maxTime", engine.LimitTokens: "maxTokens",
}

// explainLimit says which limit was reached. It is an error if there is no answer.
func (c *conversation) explainLimit(limit engine.Limit, last *engine.Iteration) error {
	reached := c.settings.Said(cmp.Or(limitFields[limit], "maxIterations"))
	if limit == engine.LimitTime || limit == engine.LimitTokens && last.Results != nil {
		return fmt.Errorf("a limit was reached (%s) before there was an answer; what was done is kept", reached)
	}
	return c.hadToAnswer("the limit of tool calling was reached ("+reached+")", last)
}

// noProgress describes the end of a run by loop detection.
func noProgress(limit engine.Limit) string {
	if limit == engine.LimitMistakes {
		return "nothing that the model requested could be run, several times in a row"
	}
	return "the model made the same tool calls three times, with the same results"
}

// incomplete says why a reply is not complete.
func (c *conversation) incomplete(last *engine.Iteration, limit engine.Limit) error {
	if last.Reply.Finish == protocol.FinishLength {
		return fmt.Errorf("the model stopped before it was done (finish reason %q); ask for less, or let it write more", last.Reply.Finish)
	}
	lost := "nothing in it was run"
	if n := len(last.Requests); n == 1 {
		lost = "the tool call in it was not run"
	} else if n > 1 {
		lost = fmt.Sprintf("the %d tool calls in it were not run", n)
	}
	if limit == engine.LimitReplyBytes {
		return fmt.Errorf("the reply was longer than the limit (%s), so it was truncated, and %s; ask for less, or raise the limit",
			c.settings.Said("maxReplyBytes"), lost)
	}
	if last.Reply.Finish != protocol.FinishUnknown {
		return fmt.Errorf("the model was stopped before it was done (finish reason %q), and %s; ask again, or in other words", last.Reply.Finish, lost)
	}
	return errors.New("the reply ended without a finish reason, or with two that differ, so it may have been truncated, and " + lost + "; ask again")
}

func (c *conversation) quit(bool) {
	c.end()
	os.Exit(cli.ExitFailure)
}
