package engine

import (
	"cmp"
	"context"
	"fmt"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// CycleResult is the outcome of one reply.
type CycleResult struct {
	// Reply is what the parser read.
	Reply parser.Reply
	// Requests are the requests of the reply, including unreadable ones. It is empty if tool
	// calling is disabled.
	Requests []executor.Request
	// Pending describes each of Requests in mode manual, in order: the calls that the application
	// must decide on.
	Pending []executor.PendingCall
	// Results has a result for each of Requests, in order. It is empty in mode manual.
	Results []executor.Result
	// ResultMessage contains Results as text, for an application that calls its model itself. It is
	// nil if there are no Results. Session.ResultMessages returns the messages for Run.
	ResultMessage *protocol.Message
}

// ProcessCycle reads a reply, runs its requests and formats the results. finish is the finish
// reason, in the words of the server, or "" if it is unknown. A reply runs something only if it is
// complete (FinishReason.Complete) and not longer than Config.MaxReplyBytes. Otherwise each request
// that could run is incomplete, and its result says so. In mode manual nothing runs, and
// CycleResult.Pending describes the calls that the application must decide on.
//
// If the error is ErrMaxReplies, or an error of a ProfiledModel or of a protocol, nothing ran. If
// it is the cause of ctx's end or a *JournalError, the CycleResult is set nevertheless.
func (s *Session) ProcessCycle(
	ctx context.Context, assistantText string, finish protocol.FinishReason,
) (CycleResult, error) {
	if s.Replies() >= MaxReplies {
		return CycleResult{}, ErrMaxReplies
	}
	set, err := s.engine.settingsFor(ctx)
	if err != nil {
		return CycleResult{}, err
	}
	reading := set.reading
	reading.TakesArgument = s.view.takesArgument
	reading.Finish = protocol.ParseFinishReason(string(finish))
	if len(assistantText) > set.config.MaxReplyBytes {
		reading.Finish = protocol.FinishLength // as Run truncates such a reply
	}
	reply, err := parser.ParseToolRequests(set.protocol, assistantText, reading)
	settleReply(&reply, set.language())
	cycle := CycleResult{Reply: reply}
	if err != nil {
		return cycle, fmt.Errorf("engine: reading a reply: %w", err)
	}
	if !set.config.Enabled {
		return cycle, nil
	}
	s.tally.countReply(&reply)
	number := s.nextReply(0) // without messages, no earlier replies are known
	cycle.Requests = set.requestsOf(&s.view, &reply, func(ordinal string) string {
		return requestID(number, ordinal, s.suffix)
	})
	set.refuseFurtherRequests(cycle.Requests)
	w := s.journal.recorder(ctx)
	w.recordCycle(&cycle, assistantText, number, set)
	switch {
	case len(cycle.Requests) == 0:
		return cycle, w.flush()
	case set.config.Mode == ModeManual:
		for _, req := range cycle.Requests {
			cycle.Pending = append(cycle.Pending, s.Describe(req))
		}
		return cycle, w.flush()
	}
	ignore := func(error) {} // flush returns the error
	cycle.Results = s.execute(ctx, set, w.observer(executor.Observer{}, ignore), cycle.Requests)
	cycle.ResultMessage = &protocol.Message{
		Role: protocol.RoleUser, Origin: protocol.OriginTool, Content: formatResults(set, cycle.Results),
	}
	return cycle, cmp.Or(w.flush(), context.Cause(ctx))
}

// recordCycle records a reply that ProcessCycle read. If the reply has no requests, recordCycle
// also records the end of the turn.
func (w *recorder) recordCycle(c *CycleResult, raw string, number int, set *settings) {
	iteration := &Iteration{
		Raw: raw, Reply: c.Reply, Reasoning: c.Reply.Reasoning, Requests: c.Requests, requested: len(c.Requests),
	}
	stop := StopReason("")
	switch {
	case len(c.Requests) > 0 && set.config.Mode == ModeManual:
		stop = StopManual
	case len(c.Requests) > 0:
	case c.Reply.Finish.Complete():
		stop = StopDone
	default:
		stop = StopIncomplete
	}
	iteration.settle(stop, true, set.protocol.ID())
	const tokens = 0 // the cost of the reply is not known
	w.recordReply(set.protocol, iteration, number, tokens)
	if stop == StopDone || stop == StopIncomplete {
		w.add(Entry{Kind: EntryEnd, End: &RecordedEnd{Stop: stop}})
	}
}
