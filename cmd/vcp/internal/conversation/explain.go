package conversation

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// explain returns an error that says why a run ended without a complete answer, or nil if the
// answer is complete. It writes a note if the model had to answer without tools. end is the run's
// last event, lastIteration is its last iteration, and err is its error.
func (c *conversation) explain(end engine.Event, lastIteration *engine.Iteration, err error) error {
	switch end.Stop {
	case engine.StopMaxIterations:
		return c.explainLimit(end.Limit, lastIteration)
	case engine.StopNoProgress:
		return c.hadToAnswer(noProgress(end.Limit), lastIteration)
	case engine.StopDone:
		if !hasAnswer(lastIteration) {
			return errorf("the model ended without an answer; ask again, or in other words")
		}
	case engine.StopCanceled:
		return cli.ErrInterrupted
	case engine.StopIncomplete:
		return c.incomplete(lastIteration, end.Limit)
	}
	return c.server.Explain(err)
}

// hasAnswer reports whether the last reply of a run says something to a person.
func hasAnswer(lastIteration *engine.Iteration) bool {
	return strings.TrimSpace(lastIteration.Reply.Text.String()) != ""
}

// hadToAnswer writes a note that says why the model had to answer without tools. If the model gave
// no answer, hadToAnswer returns an error instead.
func (c *conversation) hadToAnswer(why *message.Text, lastIteration *engine.Iteration) error {
	if !hasAnswer(lastIteration) {
		return errorf("%v, so the model had to answer without tools, and gave no answer; ask in other words", why)
	}
	fmt.Fprintln(c.stderr, "vcp chat: "+c.Say("%v, so the model had to answer without tools", why))
	return nil
}

// limitFields are the fields of the configuration that set the limits of a run.
var limitFields = map[engine.Limit]string{
	engine.LimitRequests: "maxRequests", engine.LimitCalls: "maxCalls",
	engine.LimitTime: "maxTime", engine.LimitTokens: "maxTokens",
}

// explainLimit writes a note that says which limit was reached. If the run ended without an answer,
// explainLimit returns an error instead.
func (c *conversation) explainLimit(limit engine.Limit, lastIteration *engine.Iteration) error {
	reached := c.setting(cmp.Or(limitFields[limit], "maxIterations"))
	// At maxTime the model gives no last answer without tools. At maxTokens it gives none if the
	// results of calls have used up the tokens.
	if limit == engine.LimitTime || limit == engine.LimitTokens && lastIteration.Results != nil {
		return errorf("a limit was reached (%v) before there was an answer; what was done is kept", reached)
	}
	return c.hadToAnswer(errorf("the limit of tool calling was reached (%v)", reached), lastIteration)
}

// setting returns a text with the value of a field of the configuration, and with the flag,
// variable or file that set it.
func (c *conversation) setting(field string) *message.Text {
	return errorf("%s is %s", c.settings.NameOf(field), c.settings.Value(field))
}

// noProgress describes the end of a run by loop detection.
func noProgress(limit engine.Limit) *message.Text {
	if limit == engine.LimitMistakes {
		return errorf("nothing that the model requested could be run, several times in a row")
	}
	return errorf("the model made the same tool calls three times, with the same results")
}

// incomplete returns an error that says why a reply is not complete.
func (c *conversation) incomplete(lastIteration *engine.Iteration, limit engine.Limit) error {
	if lastIteration.Reply.Finish == protocol.FinishLength {
		return errorf("the model stopped before it was done (finish reason %q); "+
			"ask for less, or raise the token limit of the server", lastIteration.Reply.Finish)
	}
	lost := errorf("nothing in it was run")
	if n := len(lastIteration.Requests); n == 1 {
		lost = errorf("the tool call in it was not run")
	} else if n > 1 {
		lost = errorf("the %d tool calls in it were not run", n)
	}
	if limit == engine.LimitReplyBytes {
		return errorf("the reply was longer than the limit (%v), so it was truncated, and %v; "+
			"ask for less, or raise the limit", c.setting("maxReplyBytes"), lost)
	}
	if lastIteration.Reply.Finish != protocol.FinishUnknown {
		return errorf("the model was stopped before it was done (finish reason %q), and %v; ask again, or in other words",
			lastIteration.Reply.Finish, lost)
	}
	return errorf("the reply ended without a finish reason, or with two that differ, so it may have been truncated, "+
		"and %v; ask again", lost)
}
