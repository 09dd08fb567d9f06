package engine

import (
	"errors"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// errMaxTime is the cause of a context that Config.MaxTime ended.
var errMaxTime = errors.New("engine: the run took longer than maxTime")

// spent counts what a run has used of its limits.
type spent struct {
	calls      callBudget
	tokens     int // of all replies, and of the messages that were sent for them
	lastTokens int // the part of tokens that the last reply and its continuations cost
}

// exhausted reports whether no tokens are left for another reply.
func (s *spent) exhausted(c *Config) bool { return c.MaxTokens > 0 && s.tokens >= c.MaxTokens }

// add counts the cost of a reply and of req, the request that it answers. u is the cost that the
// server reports; if it is nil, the cost is estimated.
func (s *spent) add(count tokenCounter, req *ModelRequest, u *Usage, reply *protocol.Message, reasoning string) {
	cost := 0
	if u != nil {
		cost = u.PromptTokens + u.CompletionTokens
	} else {
		for i := range req.Messages {
			cost += count.message(&req.Messages[i])
		}
		cost += count.message(reply) + count.text(reasoning)
	}
	s.tokens += cost
	s.lastTokens += cost
}

// limitReached returns the limit that a run has reached with a reply, or "" if it has reached none.
// After that no reply of the run may use tools. number counts the replies of the run.
func (s *spent) limitReached(c *Config, number int, iteration *Iteration) Limit {
	switch {
	case number >= c.MaxIterations:
		return LimitIterations
	case iteration.requested > c.MaxRequests:
		return LimitRequests
	case c.MaxCalls > 0 && s.calls.used.Load() >= int64(c.MaxCalls):
		return LimitCalls
	case c.MaxTokens > 0 && s.tokens+2*s.lastTokens > c.MaxTokens:
		// Two more replies, one with tools and the last one, would not fit if they cost as much as
		// this one.
		return LimitTokens
	}
	return ""
}

// refuseOverLimit counts the requests of a reply. It sets the error of those that exceed a limit,
// so that they do not run.
func (s *spent) refuseOverLimit(set *settings, iteration *Iteration) {
	c := &set.config
	iteration.requested = len(iteration.Requests)
	for _, n := range iteration.Reply.Notices {
		if n.Code == parser.NoticeUnreadRequests {
			iteration.requested = max(iteration.requested, c.MaxRequests+1) // only the text of the notice has the exact number
		}
	}
	s.calls.max.Store(int64(c.MaxCalls))
	mayRun := s.calls.take(len(iteration.Requests))
	for i := mayRun; i < len(iteration.Requests); i++ {
		iteration.Requests[i].Err = s.calls.exceeded(set.language())
	}
	set.refuseFurtherRequests(iteration.Requests)
}

// refuseFurtherRequests sets the error of the requests of one reply after the first
// Config.MaxRequests, so that they do not run.
func (s *settings) refuseFurtherRequests(requests []executor.Request) {
	for i := s.config.MaxRequests; i < len(requests); i++ {
		why := phraseFirstOnly.in(s.language(), s.config.MaxRequests)
		requests[i].Err = &scan.RequestError{Code: scan.CodeLimitExceeded, Message: why}
	}
}

// noteOnTools returns a sentence that tells the model that tools are no longer available in this
// turn, or soon will not be. It returns "" if there is nothing to tell. number is that of the next
// reply in the run, and tools reports whether this reply may use tools. native means that
// the model gets no prompt, because it calls tools by its API.
func (s *settings) noteOnTools(number int, limit Limit, tools, native bool) string {
	say := func(p phrase) string { return p.in(s.language()) }
	switch c := &s.config; {
	case !c.Enabled:
		return ""
	case !tools && limit.stop() == StopNoProgress:
		return joinSentences(s.language(), say(phraseNoProgress), say(phraseAnswerNow))
	case !tools:
		return joinSentences(s.language(), say(phraseNoTools), say(phraseAnswerNow))
	case number == 1 && !native: // the prompt says how many replies the model has
		return ""
	case c.Mode == ModeManual: // the run ends with its first requests
		return ""
	case number == c.MaxIterations-1:
		return say(phraseTwoReplies)
	case number == c.MaxIterations:
		return say(phraseOneReply)
	}
	return ""
}
