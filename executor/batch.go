package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// A batch is one Execute. It belongs to the goroutine that called Execute, except for the mailbox:
// handlers and hooks run on goroutines of their own and post events to it.
type batch struct {
	registry     *tool.Registry
	options      *Options
	shared       *shared
	ctx          context.Context
	conversation *Conversation
	observer     Observer
	mailbox      mailbox[event]
	calls        []execution
	one          [1]execution  // memory for calls if there is one, the common case
	starting     []*execution  // have all that they need, and start with the next step
	oneStarting  [1]*execution // memory for starting
	over         bool          // ctx is done, and the calls know
	uncommitted  bool          // Observer.Commit has failed

	// If no two calls wait at the same time, this is the one that does, and the end of its time.
	sequential bool
	waiting    *execution
	expired    <-chan struct{}
}

// An execution is one request on its way to its result:
//
//	pending → [[queued to ask →] [previewing →] asking → answered] → queued → running → [summarizing] → settled
//
// Any stage can be followed by settled.
type execution struct {
	batch  *batch
	req    Request
	method *tool.Entry // nil until it is resolved
	result *Result     // part of what Execute returns; nobody else has it before the call is settled

	stage   stage
	expire  func(*batch, *execution, time.Time) // ends the stage when its time or the run is over
	timer   *time.Timer                         // runs while the stage's time does
	overdue *time.Timer                         // runs while a handler has time to heed its context
	waited  bool                                // for an approval or a lock

	question     *openQuestion // from stage asking on
	consultation *consultation // from stage answered on
	preview      *previewing   // in stage previewing
	approved     *Digest       // what a person approved, if it covers this call only
	previewed    string        // the preview that a person approved; "" if there is none
	needs        []need        // locks that are still to be acquired
	run          *handlerRun   // from stage queued on
	running      handlerRun    // memory for run
	limit        time.Duration // how long the handler may run
	cancel       context.CancelFunc
	full         FullResult // in stage summarizing

	asked   time.Time
	decided time.Time
}

// A need is what a call acquires from the lock table at once.
type need struct {
	claims []claim
	place  bool // the place among all calls
}

type stage uint8

const (
	stagePending     stage = iota
	stageQueuedToAsk       // waits until no other question is open
	stagePreviewing        // finds out what the call would do
	stageAsking
	stageAnswered
	stageQueued // waits for locks
	stageRunning
	stageSummarizing
	stageSettled
)

// graceTime is how long a canceled handler or hook has to return.
const graceTime = 2 * time.Second

// An event tells a batch what happened on another goroutine.
type event struct {
	call   *execution
	stage  stage // the call's stage when it happened; the event is ignored in any other
	at     time.Time
	handle func(*batch, event)

	granted      bool // of a lock
	update       string
	consultation *consultation
	summary      *summary
	preview      *previewing
}

func (b *batch) post(e event) {
	e.at = time.Now()
	b.mailbox.post(e, 0)
}

// step starts the calls that can start. If there are none, it handles one event, or the end of the
// run or of the waiting call's time.
func (b *batch) step() {
	if len(b.starting) > 0 {
		b.start()
		return
	}
	if b.mailbox.empty() {
		b.commit(nil, nil)
	}
	var done <-chan struct{}
	if !b.over {
		done = b.ctx.Done()
	}
	e, what := b.mailbox.next(done, b.expired)
	switch {
	case what == arrivedDone:
		b.end()
	case what == arrivedExpired:
		b.expired = nil
		b.expire(b.waiting, time.Now())
	case e.call.stage == e.stage:
		e.handle(b, e)
	}
}

// commit calls Observer.Commit and reports whether what is about to happen may happen.
func (b *batch) commit(starting []Start, asking *Question) bool {
	if b.observer.Commit == nil {
		return true
	}
	if !b.uncommitted && b.observer.commit(starting, asking) != nil {
		b.uncommitted = true
	}
	return !b.uncommitted
}

// end tells all calls that the run is over.
func (b *batch) end() {
	b.over = true
	at := time.Now()
	for i := range b.calls {
		if c := &b.calls[i]; c.stage != stagePending && c.stage != stageSettled {
			b.expire(c, at)
		}
	}
}

// waitFor handles events until the call is settled.
func (b *batch) waitFor(c *execution) {
	for c.stage != stageSettled {
		b.step()
	}
}

// enter begins a stage. expire is called when its time or the run is over. ctx has limit as its
// timeout; 0 means no limit.
func (b *batch) enter(ctx context.Context, c *execution, s stage, limit time.Duration, expire func(*batch, *execution, time.Time)) {
	b.stopTimers(c)
	c.stage, c.expire = s, expire
	e := event{call: c, stage: s, handle: func(b *batch, e event) { b.expire(e.call, e.at) }}
	switch {
	case b.over:
		b.post(e)
	case limit > 0 && b.sequential:
		b.waiting, b.expired = c, ctx.Done()
	case limit > 0:
		c.timer = time.AfterFunc(limit, func() {
			<-ctx.Done() // its own timer may be a moment late
			b.post(e)
		})
	}
}

func (b *batch) expire(c *execution, at time.Time) {
	if c.overdue == nil {
		c.expire(b, c, at)
	}
}

// allowGrace gives a canceled handler or hook time to return. After that, giveUp is called.
func (b *batch) allowGrace(c *execution, giveUp func(*batch, event)) {
	e := event{call: c, stage: c.stage, handle: giveUp}
	c.overdue = time.AfterFunc(graceTime, func() { b.post(e) })
}

func (b *batch) stopTimers(c *execution) {
	if b.waiting == c {
		b.waiting, b.expired = nil, nil
	}
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if c.overdue != nil {
		c.overdue.Stop()
		c.overdue = nil
	}
}

// progressed passes an update on, if there is room for it.
func (c *execution) progressed(update string) {
	b := c.batch
	size := messageOverhead + len(update)
	if !b.mailbox.hasRoom(size) {
		return
	}
	update = copyUpdate(update)
	b.mailbox.post(event{
		call: c, stage: stageRunning, at: time.Now(), update: update,
		handle: func(b *batch, e event) { b.observer.progress(e.call.req.ID, e.update) },
	}, messageOverhead+len(update))
}

// decide records whether the call was allowed, by whom and why. The time is for the audit record
// alone.
func (b *batch) decide(c *execution, d policy.Decision, by DecidedBy, why string) {
	c.result.Decision, c.result.DecidedBy, c.result.Why = d, by, text.Valid(why)
	if b.options.Audit != nil {
		c.decided = time.Now()
	}
}

// decideByPolicy records what a rule or a setting decides alone. Only those who need the words pay
// for them.
func (b *batch) decideByPolicy(c *execution, r policy.Ruling) {
	by, why := BySetting, ""
	if r.Rule >= 0 {
		by = ByRule
	}
	if r.Decision != policy.Allow || b.options.Audit != nil {
		why = r.String()
	}
	b.decide(c, r.Decision, by, why)
}

// allowedByPerson reports whether a person allowed the call, now or earlier.
func (c *execution) allowedByPerson() bool {
	return c.result.DecidedBy == ByPerson || c.result.DecidedBy == ByGrant
}

// maxSearched limits how much of a text is searched for secrets, in bytes. Far less of it is shown.
const maxSearched = 16 * maxMessage

// masked returns the beginning of what foreign code says about a call, without the call's secrets.
func (c *execution) masked(message string) string {
	message = message[:min(len(message), maxSearched)]
	if c.method == nil {
		return message
	}
	return c.secrets().MaskText(message)
}

// secrets returns those of a call that has a method.
func (c *execution) secrets() *tool.CallSecrets {
	if c.result.Arguments == nil {
		return requestSecrets(c.req, c.method)
	}
	return c.method.CallSecrets(c.result.Arguments)
}

// arguments returns the masked arguments: the typed ones or, if there are none, those of the model.
func (c *execution) arguments() json.RawMessage {
	if c.result.Arguments != nil {
		return c.method.MaskArguments(c.result.Arguments)
	}
	return c.method.MaskRequest(c.req.Arguments)
}

// command returns the command that the model wrote, which may be an argument, without secrets.
func (c *execution) command() string {
	command := c.req.Command
	if c.method != nil && command != "" {
		if c.method.Secret(commandArgument) {
			return tool.Masked
		}
		command = c.method.MaskValue(command)
	}
	return text.Valid(short(command))
}

// logError logs what went wrong in foreign code. The text may come from that code.
func (b *batch) logError(c *execution, message, attr, foreign string, stack []byte) {
	attrs := []slog.Attr{
		slog.String("id", c.req.ID), slog.String("tool", c.result.ToolName), slog.String(attr, short(c.masked(foreign))),
	}
	if stack != nil {
		attrs = append(attrs, slog.String("stack", string(stack)))
	}
	b.options.Logger.LogAttrs(b.ctx, slog.LevelError, message, attrs...)
}

func (b *batch) logPanic(c *execution, value any, stack []byte) {
	b.logError(c, "panic in a tool call", "panic", fmt.Sprint(value), stack)
}
