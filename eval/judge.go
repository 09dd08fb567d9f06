package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// An Outcome says whether the expected calls of a reply ran. If several outcomes apply, it is the
// first of them in the list below.
type Outcome string

// The outcomes, the worst first.
const (
	// OtherArguments means that an expected call ran with other arguments than expected.
	OtherArguments Outcome = "otherArguments"
	// Unexpected means that a call ran that was not expected.
	Unexpected Outcome = "unexpected"
	// Unseen means that an expected call did not run, and that the model reads no error.
	Unseen Outcome = "unseen"
	// Refused means that an expected call did not run. Either the model is told why a call did not
	// run, or the reply was not complete.
	Refused Outcome = "refused"
	// Right means that the expected calls ran, and nothing else.
	Right Outcome = "right"
)

// Outcomes lists all outcomes, in the order of reports.
var Outcomes = []Outcome{Right, Refused, Unseen, OtherArguments, Unexpected}

// A Setting says how the parser reads replies.
type Setting struct {
	Protocol  protocol.Protocol
	Tolerance scan.Tolerance
	Quoted    parser.QuotedPolicy
}

// A Judgment is the outcome of one reply, with the reasons.
type Judgment struct {
	Outcome Outcome
	// Reasons say why calls did not run, including calls that were not expected. They are error
	// types of results, with the code if the request could not be read; codes of notices; and
	// "incomplete" if the reply was not complete.
	Reasons []string
	// Repairs counts the repairs that requests and arguments needed, by name, including repairs
	// that the setting does not allow. It is nil if no repair was needed.
	Repairs map[string]int
}

// Judge reads the reply as an engine with that setting does, runs its requests with methods that do
// nothing, and compares what ran with what was expected. The error comes from the engine, the
// protocol or ctx.
func (c *Case) Judge(ctx context.Context, s Setting) (Judgment, error) {
	e, err := engine.New(engine.Options{
		Registry: c.registry, Protocols: []protocol.Protocol{s.Protocol}, Config: offlineConfig(),
		Model:   &writtenReply{text: c.Reply, finish: c.Finish},
		Profile: &engine.Profile{Reading: parser.Options{Tolerance: s.Tolerance, Quoted: s.Quoted}},
		Logger:  slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return Judgment{}, err
	}
	var (
		session   = e.NewSession(c.ID)
		iteration *engine.Iteration
		stop      engine.StopReason
	)
	for event, err := range session.Run(ctx, []protocol.Message{{Role: protocol.RoleUser, Content: "-"}}) {
		if err != nil {
			return Judgment{}, err
		}
		if event.IterationNumber > 1 { // the reply of the case was the first iteration
			break
		}
		switch event.Kind {
		case engine.EventProtocolError:
			return Judgment{}, event.Err
		case engine.EventIterationDone:
			iteration = event.Iteration
		case engine.EventRunDone:
			stop = event.Stop
		}
	}
	if iteration == nil {
		return Judgment{}, errors.New("the run ended without a reply")
	}
	j := c.judge(iteration, stop)
	if repairs := session.Stats().Repairs; len(repairs) > 0 {
		j.Repairs = maps.Clone(repairs)
	}
	return j, nil
}

// maxCalls limits the requests of a reply that run, and so the calls that a case may expect.
const maxCalls = 1000

// offlineConfig returns a configuration with which the engine runs up to maxCalls requests, and
// registers no tools of its own, because a case may define tools with the same names.
func offlineConfig() engine.Config {
	config := engine.DefaultConfig()
	config.MaxRequests, config.MaxCalls, config.ResultTokens = maxCalls, 0, 0
	config.PromptMethods, config.PromptTokens = 0, 0
	// No reply is longer, although decoding lengthens a line: an invalid byte becomes U+FFFD.
	config.MaxReplyBytes = 4 * MaxLine
	return config
}

// judge compares an iteration with the expectations.
func (c *Case) judge(iteration *engine.Iteration, stop engine.StopReason) Judgment {
	var (
		j   Judgment
		ran []*executor.Result
	)
	for i := range iteration.Results {
		result := &iteration.Results[i]
		if result.Status == protocol.StatusSuccess {
			ran = append(ran, result)
			continue
		}
		reason := result.ErrorType
		if unread := iteration.Requests[i].Err; unread != nil && string(unread.Code) != reason {
			reason += ":" + string(unread.Code)
		}
		j.Reasons = append(j.Reasons, reason)
	}
	// The model is told by the results, or by the engine's notes in the Content of the message. The
	// note on an empty reply does not count, because it says nothing about a call.
	message := iteration.ResultMessage
	told := len(j.Reasons) > 0 || iteration.Raw != "" && message != nil && message.Content != ""
	for _, n := range iteration.Reply.Notices {
		j.Reasons = append(j.Reasons, string(n.Code))
	}
	if stop == engine.StopIncomplete {
		told = true
		j.Reasons = append(j.Reasons, string(stop))
	}
	j.Outcome = c.outcome(ran, told)
	return j
}

// outcome compares the calls that ran with the expected ones. told says that the model is told why
// a call did not run. It is also true if the reply was not complete.
func (c *Case) outcome(ran []*executor.Result, told bool) Outcome {
	met := make([][]int, len(ran))
	for i, result := range ran {
		if method, ok := c.registry.Lookup(result.Method); ok {
			met[i] = Call{Method: method, Arguments: result.Arguments}.meets(c.Expect)
		}
	}
	callFor := assign(met, len(c.Expect))
	missing := map[string]int{} // expected calls that did not run, by name
	taken := make([]bool, len(ran))
	allRan := true
	for i, e := range c.Expect {
		if callFor[i] < 0 {
			missing[e.Name]++
			allRan = false
		} else {
			taken[callFor[i]] = true
		}
	}
	unexpected := false
	for i, result := range ran {
		if taken[i] {
			continue
		}
		if missing[result.Method] > 0 {
			return OtherArguments
		}
		unexpected = true
	}
	switch {
	case unexpected:
		return Unexpected
	case allRan:
		return Right
	case told:
		return Refused
	}
	return Unseen
}

// assign finds a call for as many expectations as possible. No call serves two expectations. met
// lists the expectations that each call meets. The result is the index of the call for each of the
// expectations, and -1 for one without a call.
func assign(met [][]int, expectations int) []int {
	callFor := make([]int, expectations)
	for i := range callFor {
		callFor[i] = -1
	}
	tried := make([]bool, expectations)
	// place finds an expectation for a call. It may move other calls to other expectations.
	var place func(call int) bool
	place = func(call int) bool {
		for _, i := range met[call] {
			if tried[i] {
				continue
			}
			tried[i] = true
			if callFor[i] < 0 || place(callFor[i]) {
				callFor[i] = call
				return true
			}
		}
		return false
	}
	for call := range met {
		if place(call) {
			clear(tried) // after a failure, no call can be moved from the tried ones
		}
	}
	return callFor
}

// writtenReply is a model that writes one given reply. Its further replies are empty.
type writtenReply struct {
	text    string
	finish  protocol.FinishReason
	replies int // number of replies so far
}

// Stream implements engine.Model. The first two continuations of a truncated reply are truncated,
// too. The engine asks for no more, so the reply stays truncated.
func (m *writtenReply) Stream(context.Context, engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		m.replies++
		switch {
		case m.replies == 1:
			finished := engine.Delta{Finish: m.finish, Finished: m.finish != protocol.FinishUnknown}
			_ = yield(engine.Delta{Text: m.text}, nil) && yield(finished, nil)
		case m.replies <= 3 && m.finish == protocol.FinishLength:
			yield(engine.Delta{Finish: m.finish, Finished: true}, nil)
		default:
			yield(engine.Delta{Finish: protocol.FinishStop, Finished: true}, nil)
		}
	}
}

// String names the setting in one line.
func (s Setting) String() string {
	return fmt.Sprintf("%s/%s/%s", s.Protocol.ID(), s.Tolerance, s.Quoted)
}
