package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A recorder appends what a run does to the journal of its session. Entries wait until something is
// about to have an effect, so that one append holds as many as possible. Without a journal it does
// nothing.
type recorder struct {
	session  *Session
	ctx      context.Context
	waiting  []Entry
	attempts map[string]int // how often calls started in earlier runs, by the request's id
}

// recorder returns a recorder for a run with that context.
func (s *Session) recorder(ctx context.Context) recorder {
	return recorder{session: s, ctx: context.WithoutCancel(ctx)}
}

func (w *recorder) on() bool { return w.session.journal != nil }

// add adds an entry to those that wait.
func (w *recorder) add(e Entry) {
	if w.on() {
		e.Time = time.Now().UTC().Truncate(time.Microsecond)
		w.waiting = append(w.waiting, e)
	}
}

// flush appends the entries that wait. After an error of this or another recorder of the session it
// appends nothing.
func (w *recorder) flush() error {
	if !w.on() {
		return nil
	}
	list := w.waiting
	w.waiting = nil
	if err := w.session.journalFailure(); err != nil || len(list) == 0 {
		return err
	}
	if err := w.session.journal.Append(w.ctx, list...); err != nil {
		return w.session.failJournal(err)
	}
	return nil
}

// Record appends entries that the application makes, such as the user's message, to the session's
// journal, and sets their Time. Without a journal it does nothing. The error is a *JournalError.
func (s *Session) Record(ctx context.Context, entries ...Entry) error {
	w := s.recorder(ctx)
	for _, e := range entries {
		w.add(e)
	}
	return w.flush()
}

// journalFailure returns the error after which nothing more is appended; nil if there was none.
func (s *Session) journalFailure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unjournaled == nil {
		return nil
	}
	return s.unjournaled
}

func (s *Session) failJournal(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unjournaled = cmp.Or(s.unjournaled, &JournalError{Session: s.id, Err: err})
	return s.unjournaled
}

// observer returns an observer that records what happens and passes it on to o. failed is called
// when the journal fails.
func (w *recorder) observer(o executor.Observer, failed func(error)) executor.Observer {
	if !w.on() {
		return o
	}
	done := o.Done
	o.Commit = func(starting []executor.Start, asking *executor.Question) error {
		for i := range starting {
			w.start(&starting[i])
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
		w.add(Entry{Kind: EntryApprovalAnswered, RequestID: req.ID, Answered: &RecordedAnswer{Digest: q.Digest, Decision: d}})
	}
	o.Done = func(r *executor.Result) {
		w.result(r)
		if done != nil {
			done(r)
		}
	}
	return o
}

func (w *recorder) start(s *executor.Start) {
	id := s.Request.ID
	w.add(Entry{Kind: EntryCallStarted, RequestID: id, Call: &RecordedCall{
		Method: s.Method.FullName, Arguments: s.Method.MaskArguments(s.Arguments), Digest: s.Digest(), Attempt: w.attempts[id] + 1,
	}})
}

func (w *recorder) result(r *executor.Result) {
	if w.on() {
		kept := r.Kept()
		w.add(Entry{Kind: EntryResult, RequestID: r.ID, Result: &kept})
	}
}

// reply records a settled reply. spent is what it cost.
func (w *recorder) reply(turn *Turn, number, tokens int) {
	if !w.on() {
		return
	}
	reply := &RecordedReply{
		Number: number, Message: turn.Assistant, Reasoning: turn.Reasoning, Finish: turn.Reply.Finish, Dispatched: turn.Dispatched,
		NotRun: len(turn.Requests) > 0 && !turn.Dispatched && !turn.runs, Requested: turn.requested, Usage: turn.Usage, Tokens: tokens,
		Continued: turn.Continued,
	}
	raw, text := turn.Raw, turn.Reply.Text.String()
	m := masker{session: w.session}
	m.find(turn)
	m.message(&reply.Message)
	reply.Reasoning = m.text(reply.Reasoning)
	if raw = m.text(raw); raw != reply.Message.Content {
		reply.Raw = &raw
	}
	if text = m.text(text); text != reply.Message.Content {
		reply.Text = &text
	}
	for i := range turn.Requests {
		reply.Requests = append(reply.Requests, m.request(turn.Requests[i]))
	}
	w.add(Entry{Kind: EntryReply, Reply: reply})
}

// note records what the engine tells the model about a reply.
func (w *recorder) note(turn *Turn) {
	m := turn.ResultMessage
	if m == nil || m.Content == "" && len(m.Examples) == 0 {
		return
	}
	w.add(Entry{Kind: EntryNote, Note: &RecordedNote{Content: m.Content, Examples: m.Examples, Unrun: len(turn.missed) > 0}})
}

// A masker masks the secrets in a reply: the values of secret arguments, wherever the reply
// contains them. If any method has secret arguments, a request that could not be read or that names
// no method is masked as a whole, because nothing tells which of its values are secret.
type masker struct {
	session *Session
	active  bool // a method has secret arguments
	secrets []*tool.CallSecrets
	blocks  []string // to be masked as a whole
}

// find finds the secrets in the requests of a reply.
func (m *masker) find(turn *Turn) {
	hasSecrets := func(e *tool.Entry) bool { return len(e.Method.SecretParameters) > 0 }
	if m.active = slices.ContainsFunc(m.session.engine.options.Registry.Entries(), hasSecrets); !m.active {
		return
	}
	for i := range turn.Requests {
		req := &turn.Requests[i]
		if method := m.method(&req.ToolRequest); method != nil && req.Err == nil {
			m.secrets = append(m.secrets, method.RequestSecrets(req.Arguments))
		}
	}
	for _, q := range turn.Reply.Requests {
		if q.Status == parser.StatusInvalid || q.Status == parser.StatusIncomplete || m.method(&q.ToolRequest) == nil {
			m.blocks = append(m.blocks, q.RawBlock)
		} else {
			m.secrets = append(m.secrets, m.method(&q.ToolRequest).RequestSecrets(q.Arguments))
		}
	}
	for _, n := range turn.Reply.Notices {
		if n.Code == parser.NoticeMalformedRequest && n.Span.Start < n.Span.End && n.Span.End <= len(turn.Raw) {
			m.blocks = append(m.blocks, turn.Raw[n.Span.Start:n.Span.End])
		}
	}
}

// method returns the method that a request names, whether the model may see it or not.
func (m *masker) method(req *protocol.ToolRequest) *tool.Entry {
	registry := m.session.engine.options.Registry
	for _, sees := range []func(*tool.Entry) bool{m.session.Visible, nil} {
		if resolution, err := registry.Resolve(req.ToolName, req.Command, sees); err == nil {
			return resolution.Entry
		}
	}
	return nil
}

func (m *masker) text(s string) string {
	for _, block := range m.blocks {
		if block != "" {
			s = strings.ReplaceAll(s, block, tool.Masked)
		}
	}
	for _, secret := range m.secrets {
		s = secret.MaskText(s)
	}
	return s
}

// message masks the secrets in a reply's message, which it does not share.
func (m *masker) message(message *protocol.Message) {
	message.Content = m.text(message.Content)
	if !m.active {
		return
	}
	message.ToolCalls = slices.Clone(message.ToolCalls)
	for i := range message.ToolCalls {
		call := &message.ToolCalls[i]
		req, err := call.Request()
		if err != nil {
			call.Arguments = "{}"
		} else if method := m.method(&req); masks(method, req.Arguments) {
			call.Arguments = string(method.MaskRequest(req.Arguments))
		}
	}
}

func masks(method *tool.Entry, arguments []protocol.Argument) bool {
	_, any := method.MaskWritten(arguments)
	return any
}

func (m *masker) request(req executor.Request) RecordedRequest {
	r := RecordedRequest{Request: req}
	method := m.method(&req.ToolRequest)
	if method != nil {
		r.Method = method.FullName
	}
	if m.active {
		r.Arguments, r.Masked = method.MaskWritten(req.Arguments)
	}
	return r
}
