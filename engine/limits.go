package engine

import (
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// errMaxTime is the cause of a context that Config.MaxTime ended.
var errMaxTime = errors.New("engine: the run took longer than maxTime")

// spent is what a run has used.
type spent struct {
	calls  int
	tokens int
	last   int // tokens of the last reply
}

// exhausted reports whether no tokens are left for another reply.
func (s *spent) exhausted(c *Config) bool { return c.MaxTokens > 0 && s.tokens >= c.MaxTokens }

// addCost adds the cost of a reply. If the server does not report it, it is estimated, but only if
// MaxTokens is set.
func (r *run) addCost(req *ModelRequest, u *Usage, raw []byte, reasoning string, calls []protocol.ToolCall) {
	if r.settings.config.MaxTokens == 0 {
		return
	}
	cost := 0
	if u != nil {
		cost = u.PromptTokens + u.CompletionTokens
	} else {
		for i := range req.Messages {
			cost += r.messageTokens(&req.Messages[i])
		}
		cost += r.messageTokens(&protocol.Message{Content: string(raw), ToolCalls: calls}) + r.tokens(reasoning)
	}
	r.spent.tokens += cost
	r.spent.last += cost
}

// tokens estimates the tokens of a text.
func (r *run) tokens(s string) int {
	if estimate := r.session.engine.options.EstimateTokens; estimate != nil {
		return estimate(text.Valid(s))
	}
	return protocol.EstimateTokens(s)
}

// limitReached returns the limit that the run has reached, so that the next reply is the last one;
// "" if it has reached none.
func (r *run) limitReached(turn *Turn) Limit {
	c := &r.settings.config
	switch {
	case r.iteration >= c.MaxIterations:
		return LimitIterations
	case turn.requested > c.MaxRequests:
		return LimitRequests
	case c.MaxCalls > 0 && r.spent.calls >= c.MaxCalls:
		return LimitCalls
	case c.MaxTokens > 0 && r.spent.tokens+2*r.spent.last > c.MaxTokens:
		// Two more replies, one with tools and the last one, would not fit if they cost as much as
		// this one.
		return LimitTokens
	}
	return ""
}

// stop returns why a run ends that has reached the limit.
func (l Limit) stop() StopReason {
	if l == LimitRepeats || l == LimitMistakes {
		return StopNoProgress
	}
	return StopMaxIterations
}

// limitOf returns the limit that made the run end with stop; "" if no limit did.
func (r *run) limitOf(stop StopReason) Limit {
	if stop == StopMaxIterations || stop == StopNoProgress || r.limit == LimitReplyBytes {
		return r.limit
	}
	return ""
}

// refuseOverLimit marks the requests that exceed a limit, so that they are refused.
func (r *run) refuseOverLimit(turn *Turn) {
	c := &r.settings.config
	turn.requested = len(turn.Requests)
	for _, n := range turn.Reply.Notices {
		if n.Code == parser.NoticeUnreadRequests {
			turn.requested = max(turn.requested, c.MaxRequests+1)
		}
	}
	for i := range turn.Requests {
		req := &turn.Requests[i]
		switch {
		case i >= c.MaxRequests:
			refuse(req, fmt.Sprintf(phrase(r.settings.language(), phraseFirstOnly), c.MaxRequests))
		case c.MaxCalls > 0 && r.spent.calls+i >= c.MaxCalls:
			refuse(req, fmt.Sprintf(phrase(r.settings.language(), phraseUsedUp), c.MaxCalls))
		}
	}
	r.spent.calls += len(turn.Requests)
}

func refuse(req *executor.Request, why string) {
	req.Err = &scan.RequestError{Code: scan.CodeLimitExceeded, Message: why}
}

// messageTokens estimates the cost of a message.
func (r *run) messageTokens(m *protocol.Message) int {
	n := r.tokens(m.Content) + len(m.Images)*imageTokens
	for i := range m.ToolCalls {
		n += r.tokens(m.ToolCalls[i].Name) + r.tokens(m.ToolCalls[i].Arguments)
	}
	return n
}

// imageTokens is roughly the cost of a picture of common size; models differ widely.
const imageTokens = 800
