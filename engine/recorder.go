package engine

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// sessionJournal is the journal of a session. It is safe for concurrent use.
type sessionJournal struct {
	journal   Journal // may be nil
	sessionID string
	view      *view // to find the secrets in what is recorded

	mu     sync.Mutex
	failed error // the first error; after it nothing more is appended and nothing more runs
}

// recorder returns a new recorder for a run with the context ctx.
func (j *sessionJournal) recorder(ctx context.Context) recorder {
	return recorder{to: j, ctx: context.WithoutCancel(ctx)}
}

// failure returns the error after which nothing more is appended; nil if no append has failed.
func (j *sessionJournal) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failed
}

// fail records that an append failed with err, and returns the first error of the journal.
func (j *sessionJournal) fail(err error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failed = cmp.Or[error](j.failed, &JournalError{SessionID: j.sessionID, Err: err})
	return j.failed
}

// A recorder appends what a run does to the journal of its session. It collects entries until
// something is about to have an effect, so that one append contains as many as possible. Without a
// journal it does nothing.
type recorder struct {
	to       *sessionJournal
	ctx      context.Context
	waiting  []Entry
	attempts map[string]int             // how often calls started in earlier runs, by the request's id
	names    []string                   // texts that the last reply contains as names, and that may contain secrets
	labeled  map[string]RecordedRequest // requests of the last reply whose labels contained secrets, by ID
}

func (w *recorder) enabled() bool { return w.to.journal != nil }

// add sets the time of an entry and adds the entry to those that flush will append. The time has
// the precision of stores, so that it reads back unchanged.
func (w *recorder) add(e Entry) {
	if w.enabled() {
		e.Time = time.Now().UTC().Truncate(time.Microsecond)
		w.waiting = append(w.waiting, e)
	}
}

// flush appends the entries that were added. After an error of this or another recorder of the
// session it appends nothing and returns that error.
func (w *recorder) flush() error {
	if !w.enabled() {
		return nil
	}
	list := w.waiting
	w.waiting = nil
	if err := w.to.failure(); err != nil || len(list) == 0 {
		return err
	}
	if err := w.to.journal.Append(w.ctx, list...); err != nil {
		return w.to.fail(err)
	}
	return nil
}

// observer returns an observer that records what happens and passes it on to o. failed is called
// when the journal fails.
func (w *recorder) observer(o executor.Observer, failed func(error)) executor.Observer {
	if !w.enabled() {
		return o
	}
	done := o.Done
	o.Commit = func(starting []executor.Start, asking *executor.Question) error {
		for i := range starting {
			w.recordStart(&starting[i])
		}
		if asking != nil {
			p := asking.Pending()
			w.add(Entry{Kind: EntryApprovalAsked, RequestID: asking.ID, Asked: &p})
		}
		err := w.flush()
		if err != nil {
			failed(err)
		}
		return err
	}
	o.Answered = func(req executor.Request, q executor.Question, d executor.Decision) {
		if d.Arguments != nil {
			d.Arguments = q.Method.MaskArguments(d.Arguments)
		}
		answered := &RecordedAnswer{Digest: q.Digest, Decision: d}
		w.add(Entry{Kind: EntryApprovalAnswered, RequestID: req.ID, Answered: answered})
	}
	o.Done = func(r *executor.Result) {
		w.recordResult(r)
		if done != nil {
			done(r)
		}
	}
	return o
}

func (w *recorder) recordStart(s *executor.Start) {
	id := s.Request.ID
	w.add(Entry{Kind: EntryCallStarted, RequestID: id, Call: &RecordedCall{
		Method: s.Method.FullName, Arguments: s.Method.MaskArguments(s.Arguments),
		Digest: s.Digest(), Attempt: w.attempts[id] + 1,
	}})
}

func (w *recorder) recordResult(r *executor.Result) {
	if w.enabled() {
		kept := r.Kept()
		coverResult(&kept, w.names)
		if q, ok := w.labeled[r.ID]; ok {
			kept.Label, kept.ResultID = q.Label, q.ResultID
		}
		w.add(Entry{Kind: EntryResult, RequestID: r.ID, Result: &kept})
	}
}

// recordReply records an iteration after Iteration.settle. The reply was read with the protocol p.
// number counts the replies of the session, and tokens is what the reply cost.
func (w *recorder) recordReply(p protocol.Protocol, iteration *Iteration, number, tokens int) {
	if !w.enabled() {
		return
	}
	reply := &RecordedReply{
		Number: number, Message: iteration.Assistant, Reasoning: iteration.Reasoning, Finish: iteration.Reply.Finish,
		Dispatched: iteration.Dispatched, Requested: iteration.requested, Usage: iteration.Usage, Tokens: tokens,
		NotRun:    len(iteration.Requests) > 0 && !iteration.Dispatched && !iteration.runs,
		Continued: iteration.Continued,
	}
	reply.setTexts(iteration.Raw, iteration.Reply.Text.String())
	m := newMasker(w.to.view, p)
	m.findSecrets(iteration)
	m.maskReply(reply)
	reply.Requests = w.maskRequests(m, iteration.Requests)
	w.add(Entry{Kind: EntryReply, Reply: reply})
}

// maskRequests returns requests as they are recorded, with secrets masked. Their results are masked
// likewise.
func (w *recorder) maskRequests(m *masker, list []executor.Request) (masked []RecordedRequest) {
	w.names = m.names
	for i := range list {
		masked = append(masked, m.maskRequest(list[i]))
	}
	w.labeled = m.maskLabels(masked, list)
	return masked
}

// beginRequests prepares the recorder for the results of requests whose reply it has not recorded.
func (w *recorder) beginRequests(p protocol.Protocol, list []executor.Request) {
	if w.enabled() {
		m := newMasker(w.to.view, p)
		m.findSecrets(&Iteration{Requests: list})
		w.maskRequests(m, list)
	}
}

// recordNote records what the engine tells the model about a reply in addition to results.
func (w *recorder) recordNote(iteration *Iteration) {
	m := iteration.ResultMessage
	if m == nil || m.Content == "" && len(m.Examples) == 0 {
		return
	}
	note := &RecordedNote{Content: m.Content, Examples: m.Examples, Unrun: len(iteration.missed) > 0}
	w.add(Entry{Kind: EntryNote, Note: note})
}
