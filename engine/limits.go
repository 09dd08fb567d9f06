package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// errMaxTime is the cause of a run's end by Config.MaxTime.
var errMaxTime = errors.New("engine: the time of the run is over (maxTime)")

// spent is what a run has used up.
type spent struct {
	calls  int
	tokens int
	last   int // tokens of the last reply
}

// exhausted reports whether nothing is left for another reply.
func (s *spent) exhausted(c *Config) bool { return c.MaxTokens > 0 && s.tokens >= c.MaxTokens }

// addCost adds what a reply has cost. What its server does not tell is estimated, if it matters.
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

// tokens estimates what a text costs.
func (r *run) tokens(text string) int {
	if estimate := r.session.engine.options.EstimateTokens; estimate != nil {
		return estimate(strings.ToValidUTF8(text, "\uFFFD"))
	}
	return protocol.EstimateTokens(text)
}

// limitReached returns the bound that a turn has reached, so that the next reply is the last one.
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
		// One more with tools and the last one after it would not both fit, as far as the last one tells.
		return LimitTokens
	}
	return ""
}

// limitOf returns the limit that an end has to do with.
func (r *run) limitOf(stop StopReason) Limit {
	if stop == StopMaxIterations || stop == StopNoProgress || r.limit == LimitReplyBytes {
		return r.limit
	}
	return ""
}

// refuseOverLimit marks the requests that are beyond a bound, so that they are refused and not run.
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
			refuse(req, fmt.Sprintf("Of the requests of one reply only the first %d are answered.", c.MaxRequests))
		case c.MaxCalls > 0 && r.spent.calls+i >= c.MaxCalls:
			refuse(req, fmt.Sprintf("The %d requests that one answer may make are used up.", c.MaxCalls))
		}
	}
	r.spent.calls += len(turn.Requests)
}

func refuse(req *executor.Request, why string) {
	req.Err = &protocol.RequestError{Code: protocol.CodeLimitExceeded, Message: why}
}
