package engine

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// Resume finishes a turn that a crash interrupted, as Run would have finished it. entries are what
// the journal contains since the last EntryEnd, in the order of appending, and msgs are the
// conversation before them. The requests of an interrupted reply get the results that they lack:
//
//   - A recorded result is used. Its call does not run again.
//   - A call that had started runs again only if its method is tool.Idempotent. Otherwise its
//     result has the error type executor.ErrorUnknown: it may or may not have happened.
//   - A call that had not started runs under its recorded id, which Decide and Complete take. If it
//     was approved or denied, the decision is still valid. If it still needs approval, the question
//     is asked again. It is also asked again if a person answered with other arguments, if the
//     method has a Preview, or if its definition has changed since the question.
//   - A request with a secret argument cannot run, because the journal does not contain secrets.
//
// So calls happen at most once if their methods are not declared idempotent, and at least once if
// they are. Then the model continues. Limits of a run count what happened before, except its time.
// A reply that the model had not finished is not in the journal, and the model writes a new one.
//
// If requests were dispatched in mode manual and the journal has neither a decision nor a result of
// any of them, the run ends with StopManual. If an entry is invalid or in a wrong place, nothing is
// done and the error is an *EntryError.
func (s *Session) Resume(ctx context.Context, msgs []protocol.Message, entries []Entry) iter.Seq2[Event, error] {
	return s.run(ctx, func(r *sessionRun) (StopReason, error) { return r.resume(msgs, entries) })
}

// resume gets the results that an interrupted reply lacks, and begins the run that continues from
// there. Like begin, it returns why the run cannot continue, or "" if it can.
func (r *sessionRun) resume(msgs []protocol.Message, entries []Entry) (StopReason, error) {
	if err := r.session.journal.failure(); err != nil {
		return StopJournalError, err
	}
	steps, err := readSteps(entries)
	if err != nil {
		r.ended = true // nothing is done, so nothing is recorded
		return StopJournalError, err
	}
	r.settings = r.session.engine.knownSettings()
	// Feedback on an interrupted reply needs the foreign texts. The model is shown nothing yet, so
	// neither its form of calls nor the budget matters.
	r.conversation.start(r.session.engine.tokenCounter(), r.settings.renderer(false), msgs, 0)
	read := slices.Clone(msgs) // all that the model has read
	for _, step := range steps {
		read = append(read, step.messages()...)
	}
	r.session.Remember(read...)
	var lastIteration *recordedIteration // of the last step so far; nil if that is a message of the user
	for i, step := range steps {
		if lastIteration = step.iteration; lastIteration != nil {
			r.iterationNumber++
			r.session.countReplies(lastIteration.reply.Number)
			r.recount(lastIteration)
			if !lastIteration.complete && i == len(steps)-1 {
				if stop, err := r.settleInterrupted(lastIteration); stop != "" {
					return stop, err
				}
			}
		}
		r.conversation.append(step.messages()...)
	}
	switch {
	case lastIteration == nil:
	case lastIteration.waits():
		r.ended = true
		return StopManual, nil
	case lastIteration.isFinal() && lastIteration.iteration.Reply.Finish.Complete():
		return StopDone, nil
	case lastIteration.isFinal():
		return StopIncomplete, nil
	}
	if stop, err := r.begin(msgs); stop != "" {
		return stop, err
	}
	// begin has started the conversation again with msgs, in the form for the model.
	for _, step := range steps {
		r.conversation.append(step.messages()...)
	}
	return "", nil
}

// A resumeStep is a message of the user or an iteration.
type resumeStep struct {
	user      protocol.Message
	iteration *recordedIteration
}

func (s *resumeStep) messages() []protocol.Message {
	if s.iteration == nil {
		return []protocol.Message{s.user}
	}
	return s.iteration.iteration.Messages()
}

// readSteps groups entries into messages of the user and iterations. The error is an *EntryError.
func readSteps(entries []Entry) ([]resumeStep, error) {
	var steps []resumeStep
	for len(entries) > 0 {
		if err := entries[0].Check(); err != nil {
			return nil, err
		}
		n := 1
		switch e := &entries[0]; e.Kind {
		case EntryUser:
			user := *e.User
			user.Role = cmp.Or(user.Role, protocol.RoleUser)
			steps = append(steps, resumeStep{user: user})
		case EntryReply:
			for n < len(entries) && entries[n].followsReply() {
				n++
			}
			iteration, err := readIteration(entries[:n])
			if err != nil {
				return nil, err
			}
			steps = append(steps, resumeStep{iteration: iteration})
		case EntryEnd:
			return nil, &EntryError{e.Kind, "ends a turn, so nothing is left to resume; give only the entries after the last such entry"}
		default:
			return nil, &EntryError{e.Kind, "has no reply before it"}
		}
		entries = entries[n:]
	}
	return steps, nil
}

// followsReply reports whether the entry belongs to the reply before it.
func (e *Entry) followsReply() bool {
	return e.Kind != EntryUser && e.Kind != EntryReply && e.Kind != EntryEnd
}

// recount counts a reply of the journal against the limits of the run. If it has all its results,
// loop detection counts it, too.
func (r *sessionRun) recount(it *recordedIteration) {
	iteration := it.iteration
	r.reread(iteration)
	r.spent.tokens += it.reply.Tokens
	r.spent.lastTokens = it.reply.Tokens
	if it.reply.NotRun {
		r.refused = r.refused || it.note != nil // only refuseRequests adds a note to such a reply
		return
	}
	r.spent.calls.used.Add(int64(len(iteration.Requests) + it.nested))
	if it.note != nil {
		r.feedback.seenUnrun = r.feedback.seenUnrun || it.note.Unrun
		if !it.note.Unrun { // the note says what the reply lacks, so the model is not told again
			r.feedback.lack(iteration)
		}
	}
	if it.complete && !it.waits() {
		r.loops.observe(iteration, mistakesOf(iteration))
		r.limit = cmp.Or(r.loops.limit(), r.spent.limitReached(&r.settings.config, r.iterationNumber, iteration))
	}
}

// reread reads the text of a recorded reply again, because what the model is told about a reply
// depends on more than its requests. What runs is only what was recorded.
func (r *sessionRun) reread(iteration *Iteration) {
	if iteration.Assistant.Protocol != r.settings.protocol.ID() {
		return
	}
	reading := r.settings.reading
	reading.TakesArgument = r.session.view.takesArgument
	reading.StopAtResult = len(iteration.calls) == 0
	reading.Finish = iteration.Reply.Finish
	reply, err := parser.ParseToolRequests(r.settings.protocol, iteration.Raw, reading)
	if err == nil {
		reply.Text = iteration.Reply.Text
		iteration.Reply = reply
	}
}

// settleInterrupted gets the results that the requests of an interrupted reply lack. It returns why
// the run ends after that, or "" if it continues.
func (r *sessionRun) settleInterrupted(it *recordedIteration) (StopReason, error) {
	results := make([]executor.Result, len(it.requests))
	var todo []executor.Request
	var at []int // the index in results of each request in todo
	for i := range it.requests {
		result, toRun := r.settleRecorded(it, i)
		if toRun != nil {
			todo, at = append(todo, *toRun), append(at, i)
			continue
		}
		results[i] = *result
		if it.requests[i].result == nil {
			r.recordingObserver.Done(result)
		}
	}
	if len(todo) > 0 {
		for i, result := range r.executeList(todo) {
			results[at[i]] = result
		}
	}
	it.iteration.setResults(results)
	it.iteration.Number = r.iterationNumber // the journal counts the replies of the session
	stop, err := r.conclude(it.iteration)
	return r.finishIteration(it.iteration, stop, err)
}

// settleRecorded returns the result of the request with the index i of an interrupted reply. If the
// request must run to get a result, it returns the request instead.
func (r *sessionRun) settleRecorded(it *recordedIteration, i int) (*executor.Result, *executor.Request) {
	recorded, req := &it.requests[i], it.iteration.Requests[i]
	var result executor.Result
	complete := it.reply.Finish.Complete()
	switch answer := recorded.answered; {
	case recorded.result != nil:
		result = *recorded.result
	case recorded.call != nil && !(complete && r.mayRepeat(&req, recorded.call)):
		result = req.Unknown(recorded.call.Method, recorded.call.Arguments, recorded.call.Digest)
	case !complete && req.Err == nil:
		result = req.Canceled() // nothing of an incomplete reply runs, whatever the entry says
	case recorded.call == nil && answer != nil && answer.Verdict == executor.VerdictDeny:
		result = req.Deny(answer.Reason)
	case it.iteration.Dispatched && answer == nil && req.Err == nil:
		result = req.Canceled() // nobody has decided on it
	default:
		if r.isAllowed(recorded, it.iteration.Dispatched) {
			req.Approved = answer.Digest
		}
		if recorded.call != nil {
			if r.journal.attempts == nil {
				r.journal.attempts = map[string]int{}
			}
			r.journal.attempts[req.ID] = recorded.call.Attempt
		}
		return nil, &req
	}
	return &result, nil
}

// mayRepeat reports whether a call that had started may start again. It may if its method is
// idempotent and the request still leads to the same call.
func (r *sessionRun) mayRepeat(req *executor.Request, call *RecordedCall) bool {
	method, ok := r.session.engine.options.Registry.Lookup(call.Method)
	return ok && method.Method.Idempotent && r.session.Describe(*req).Digest == call.Digest
}

// isAllowed reports whether a recorded decision still allows the call of a request. It does not if
// the method has a Preview, which may say something else now, or if its definition has changed
// since the question. A decision without a question in the journal counts only if the request was
// dispatched, because the application decides on a dispatched request without a question.
func (r *sessionRun) isAllowed(recorded *recordedSteps, dispatched bool) bool {
	switch {
	case recorded.answered == nil, recorded.asked == nil && !dispatched, recorded.asked != nil && recorded.asked.Preview != "":
		return false
	case recorded.asked != nil:
		method, ok := r.session.engine.options.Registry.Lookup(recorded.asked.Method)
		if ok && method.Method.Changed.Open() && method.Method.Changed.Reason() != recorded.asked.Change {
			return false
		}
	}
	verdict := recorded.answered.Verdict
	return verdict == executor.VerdictAllow || verdict == executor.VerdictAllowForConversation
}
