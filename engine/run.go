package engine

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// Run continues a conversation: the model writes, its requests run, and their results go back to
// it. That repeats until the model requests nothing more or the run must end. msgs do not describe
// tools. Unless the model calls by its API, Run adds Session.Prompt to the system message, or adds
// a system message. The Origin of a message says whether it is foreign text. Run neutralizes
// foreign text for the model, and remembers msgs as Session.Remember says. msgs must include
// Iteration.Messages and ResultMessages of earlier runs.
//
// The values of ctx reach tools, middlewares, Options.Approver, Options.Summarize and
// Options.Audit. Run itself only returns the sequence. Each range over the sequence is one run, on
// the caller's goroutine. The last item is an EventRunDone, with the first error if there was one.
// A break or the end of ctx cancels the model and the tools, and waits for those that obey their
// context. After a break no more events are emitted. If ctx ends while calls run, the results of
// all requests of the reply are emitted, including those of canceled calls.
func (s *Session) Run(ctx context.Context, msgs []protocol.Message) iter.Seq2[Event, error] {
	return s.run(ctx, func(r *sessionRun) (StopReason, error) {
		s.Remember(msgs...)
		return r.begin(msgs)
	})
}

// run returns the sequence of the events of a run. The run first calls begin, and ends if begin
// returns a StopReason or an error.
func (s *Session) run(ctx context.Context, begin func(*sessionRun) (StopReason, error)) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancelCause(s.context(ctx))
		defer cancel(nil)
		r := &sessionRun{
			runBase: runBase{session: s, settings: s.engine.settings.Load(), cancel: cancel, yield: yield},
			journal: s.journal.recorder(ctx), found: s.view.found.names(),
		}
		r.feedback.base, r.feedback.conversation = &r.runBase, &r.conversation
		r.ctx, r.recordingObserver = ctx, r.journal.observer(r.observer(), cancel)
		if limit := time.Duration(r.settings.config.MaxTime); limit > 0 {
			var stop context.CancelFunc
			r.ctx, stop = context.WithTimeoutCause(ctx, limit, errMaxTime)
			defer stop()
		}
		r.callContext = withCallBudget(r.ctx, &r.spent.calls)
		r.reader = readers.Get().(*reader)
		defer r.reader.release()
		r.reader.base, r.reader.spent = &r.runBase, &r.spent
		stop, err := begin(r)
		if stop == "" && err == nil {
			stop, err = r.loop()
		}
		stop, err = r.end(stop, err)
		if !r.gone {
			yield(Event{
				Kind: EventRunDone, Time: time.Now(), IterationNumber: r.iterationNumber,
				Stop: stop, Limit: r.limitOf(stop), Err: err,
			}, err)
		}
	}
}

var errNoModel = errors.New("engine: Options.Model is missing; a run needs a model")

// begin begins a run that continues from msgs. It returns why the run cannot continue, or "" if it
// can.
func (r *sessionRun) begin(msgs []protocol.Message) (StopReason, error) {
	if err := r.session.journal.failure(); err != nil {
		return StopJournalError, err
	}
	if r.session.engine.options.Model == nil {
		return StopModelError, errNoModel
	}
	if r.ctx.Err() != nil { // else askModel might query the model's server
		return r.canceled()
	}
	if err := r.askModel(msgs); err != nil {
		if r.ctx.Err() != nil {
			return r.canceled()
		}
		return StopModelError, err
	}
	return "", nil
}

// askModel asks the model for its profile and how it calls tools. Then it sets up r.reading, and
// r.conversation with msgs in the form for that model.
func (r *sessionRun) askModel(msgs []protocol.Message) (err error) {
	set, err := r.session.engine.settingsFor(r.ctx)
	if err != nil {
		return err
	}
	r.settings = set
	if model, ok := r.session.engine.options.Model.(NativeModel); ok && r.settings.config.Enabled {
		if r.native, err = model.Native(r.ctx); err != nil {
			return err
		}
	}
	r.reading = r.settings.reading
	r.reading.TakesArgument = r.session.view.takesArgument
	r.reading.StopAtResult = !r.native // native calls come only at the end of a reply
	count, renderer := r.session.engine.tokenCounter(), r.settings.renderer(r.native)
	r.conversation.start(count, renderer, msgs, r.settings.config.HistoryTokens)
	return nil
}

// loop reads replies and gets the results of their requests until the run ends. It returns why the
// run ends.
func (r *sessionRun) loop() (StopReason, error) {
	for {
		if r.ctx.Err() != nil {
			return r.canceled()
		}
		if r.session.Replies() >= MaxReplies {
			return StopModelError, ErrMaxReplies
		}
		r.iterationNumber++
		tools := r.settings.config.Enabled && r.limit == ""
		r.reader.next(r.conversation.replies)
		iteration, err := r.reader.read(r.modelRequest(tools), tools)
		r.count(iteration, tools)
		stop, err := r.stopReason(iteration, tools, err)
		r.noticeEscaped(iteration)
		iteration.settle(stop, tools, r.settings.protocol.ID())
		if stop == "" || !iteration.isEmpty() {
			r.journal.recordReply(r.settings.protocol, iteration, r.reader.number, r.spent.lastTokens)
		}
		switch {
		case stop != "":
		case tools:
			stop, err = r.completeRequests(iteration)
		default:
			r.refuseRequests(iteration)
		}
		if stop, err = r.finishIteration(iteration, stop, err); stop != "" || r.gone {
			return stop, err
		}
		r.conversation.append(iteration.Messages()...)
	}
}

// finishIteration records and reports the end of an iteration. stop is why the run ends, or "".
// finishIteration returns stop, or another reason to end the run that it finds. It returns "" if
// the run continues.
func (r *sessionRun) finishIteration(iteration *Iteration, stop StopReason, err error) (StopReason, error) {
	r.journal.recordNote(iteration)
	if stop == "" && r.ctx.Err() == nil && r.spent.exhausted(&r.settings.config) {
		stop, r.limit = StopMaxIterations, LimitTokens
	}
	if stop != "" {
		r.recordEnd(stop)
	}
	if failure := r.journal.flush(); failure != nil {
		stop, err = StopJournalError, failure
	}
	now := time.Now()
	iteration.Duration = now.Sub(iteration.Started)
	r.emitAt(now, Event{Kind: EventIterationDone, Iteration: iteration})
	return stop, err
}

// completeRequests runs the requests of a reply and sets their results. It returns why the run ends
// after that, or "" if it continues.
func (r *sessionRun) completeRequests(iteration *Iteration) (StopReason, error) {
	if len(iteration.Requests) > 0 {
		iteration.setResults(r.executeList(iteration.Requests))
	}
	return r.conclude(iteration)
}

// conclude checks the results of a reply for loops and limits, and adds feedback for the model to
// them. It returns why the run ends after that, or "" if it continues.
func (r *sessionRun) conclude(iteration *Iteration) (StopReason, error) {
	repeated := r.loops.observe(iteration, mistakesOf(iteration))
	r.limit = cmp.Or(r.loops.limit(), r.spent.limitReached(&r.settings.config, r.iterationNumber, iteration))
	if r.ctx.Err() == nil {
		r.feedback.add(iteration, repeated, r.limit != "")
	}
	if r.ctx.Err() != nil {
		return r.canceled()
	}
	return "", nil
}

// refuseRequests adds a note that tells the model that the requests of this reply did not run.
func (r *sessionRun) refuseRequests(iteration *Iteration) {
	r.refused = true
	iteration.addNote(phraseNotRun.in(r.settings.language()), nil)
}

// count counts a reply in the statistics, unless it was interrupted.
func (r *sessionRun) count(iteration *Iteration, tools bool) {
	switch {
	case interrupted(iteration.Reply.Finish):
	case tools:
		r.session.tally.countReply(&iteration.Reply)
	default:
		r.session.tally.skipReply()
	}
}

// executeList runs requests, and records and reports what happens.
func (r *sessionRun) executeList(list []executor.Request) []executor.Result {
	r.spent.calls.max.Store(int64(r.settings.config.MaxCalls))
	return r.session.execute(r.callContext, r.settings, r.recordingObserver, list)
}

// modelRequest returns the request that makes the model write its next reply. If tools are no
// longer available or soon will not be, the last message says so.
func (r *sessionRun) modelRequest(tools bool) ModelRequest {
	note := r.settings.noteOnTools(r.iterationNumber, r.limit, tools, r.native)
	if r.native {
		view := &r.session.view
		return ModelRequest{
			Messages: r.conversation.request("", "", note), NoCalls: !tools,
			Protocol: r.settings.protocol, Language: r.settings.language(),
			Tools: r.session.engine.discovery.Methods(view.listedOptions(r.settings, view.found.names())),
		}
	}
	prompt := ""
	if tools {
		prompt = r.session.view.prompt(r.settings, r.found)
	}
	return ModelRequest{Messages: r.conversation.request(prompt, r.settings.replies, note), Stop: r.settings.stop}
}

// noticeEscaped reports that a reply contains requests with escaped marks, in one notice for
// people.
func (r *sessionRun) noticeEscaped(iteration *Iteration) {
	for i := range iteration.missed {
		if iteration.missed[i].reason == phraseEscaped {
			n := parser.Notice{
				Code: NoticeEscapedRequest, Span: parser.Span{End: len(iteration.Raw)},
				Message: "the reply contains a request with escaped marks, as results show them, and it was not run",
			}
			iteration.Reply.Notices = append(iteration.Reply.Notices, n)
			r.emit(Event{Kind: EventNotice, Notice: &n})
			return
		}
	}
}
