package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Session is the state of one conversation. It is safe for concurrent use, though a conversation
// usually has one run at a time.
type Session struct {
	engine *Engine
	id     string
	suffix string // of the ids of all requests

	view    view
	sources sources // the texts that the model has read, and where they came from
	journal sessionJournal
	results keptResults
	tally   tally
	nested  atomic.Int64 // calls of CallWithin so far

	conversation executor.Conversation

	mu      sync.Mutex
	replies int // the number of the last reply; part of each request's id
}

// SessionOptions set up a Session.
type SessionOptions struct {
	// ID is the id by which the application knows the conversation.
	ID string
	// Owner is the user to whom the conversation belongs, as the application names users; "" means
	// nobody. Audit records name it, and Session.Owner returns it to tools. Sessions of one owner
	// share cached results; without an owner, a session has its own.
	Owner string
	// Replies is how many replies the model has begun in the conversation, from 0 to MaxReplies:
	// what Session.Replies returned before.
	Replies int
	// Journal keeps what happens in the session; nil keeps nothing.
	Journal Journal
	Visibility
}

// NewSession returns a session for a new conversation, in which the model sees all methods that the
// engine shows.
func (e *Engine) NewSession(id string) *Session { return e.OpenSession(SessionOptions{ID: id}) }

// OpenSession returns a session for a new conversation, or for one that continues. The ids of its
// requests differ from those of all other sessions, even of earlier sessions for the same
// conversation.
func (e *Engine) OpenSession(o SessionOptions) *Session {
	s := &Session{
		engine: e, id: o.ID, suffix: suffixMark + strings.ToLower(rand.Text()[:suffixLetters]),
		replies: min(max(0, o.Replies), MaxReplies),
		view:    view{engine: e, session: o.Visibility, visibilityKey: o.Visibility.key(e.number)},
		tally:   tally{engine: &e.stats},
		journal: sessionJournal{journal: o.Journal, sessionID: o.ID},
	}
	s.view.session.ToolToggles = maps.Clone(o.ToolToggles)
	s.journal.view = &s.view
	s.conversation.Session, s.conversation.Owner = o.ID, o.Owner
	s.conversation.Visible = s.Visible
	s.conversation.WhyHidden = s.WhyHidden
	s.conversation.Language = func() string { return e.knownSettings().language() }
	s.sources = newSources(e, &s.conversation)
	s.conversation.Policy = func() policy.Policy { return e.settings.Load().config.Policy() }
	e.warnings.checkToggles(e.options.Registry, "toolToggles", o.ToolToggles)
	return s
}

// context returns a context from which SessionFrom returns s.
func (s *Session) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// SessionFrom returns the session for which the engine calls code of the application with ctx, such
// as a tool, a middleware or an Approver. It returns nil if ctx belongs to no session.
func SessionFrom(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// ID returns SessionOptions.ID.
func (s *Session) ID() string { return s.id }

// Owner returns SessionOptions.Owner.
func (s *Session) Owner() string { return s.conversation.Owner }

// Replies returns how many replies the model has begun in the conversation, including
// SessionOptions.Replies and those that Resume found.
func (s *Session) Replies() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.replies
}

// Enabled reports whether tool calling is switched on.
func (s *Session) Enabled() bool { return s.engine.settings.Load().config.Enabled }

// Prompt returns the part of the system prompt that describes the tools; "" if no tool is visible.
// It ends with a sentence that says how many replies may use tools, unless the mode is manual. Run
// adds the prompt itself.
func (s *Session) Prompt() string {
	set := s.engine.knownSettings()
	return withReplies(s.view.prompt(set, s.view.found.names()), set.replies)
}

// Methods returns the methods that the model may see and call, sorted by full name.
func (s *Session) Methods() []*tool.Entry { return s.view.methods(s.engine.settings.Load()) }

// Visible reports whether the model may currently see and call the method.
func (s *Session) Visible(method *tool.Entry) bool { return s.view.visible(method) }

// WhyHidden names what hides a method from the model, such as a field of Config and its value. It
// is "" if the model may see the method.
func (s *Session) WhyHidden(method *tool.Entry) string { return s.view.whyHidden(method) }

var _ callSession = (*Session)(nil)

func (s *Session) keptResults() *keptResults { return &s.results }

func (s *Session) findMethods(query string, limit int) (found []discovery.Match, visible []*tool.Entry) {
	return s.view.search(query, limit)
}

// Execute runs requests as Run does, and returns one result for each, in order. A request with the
// digest of an approved call (executor.Request.Approved) runs without a question. If the session's
// journal fails, calls that have not started are canceled, and the next run returns the error.
func (s *Session) Execute(ctx context.Context, reqs []executor.Request) []executor.Result {
	reqs = slices.Clone(reqs)
	for i := range reqs {
		reqs[i].ReadID = cmp.Or(reqs[i].ReadID, shortID(reqs[i].ID))
	}
	set := s.engine.settings.Load()
	w := s.journal.recorder(ctx)
	w.beginRequests(set.protocol, reqs)
	ignore := func(error) {} // a later run of the session returns the error
	results := s.execute(ctx, set, w.observer(executor.Observer{}, ignore), reqs)
	_ = w.flush()
	return results
}

// Pending returns the calls that wait for Decide; never nil.
func (s *Session) Pending() []executor.PendingCall { return s.conversation.Pending() }

// Decide approves or denies a call that waits for approval: the call that Pending and
// EventApprovalNeeded show with that request ID and digest. It may be called from any goroutine.
// The first answer counts, whether it comes from Decide or from Options.Approver. If all answers
// come from Decide, set Options.Approver to executor.AwaitDecision. If no such call waits for an
// answer, the error is an *executor.DecisionError.
func (s *Session) Decide(id string, digest executor.Digest, d executor.Decision) error {
	return s.conversation.Decide(id, digest, d)
}

// Describe returns the call that a request would lead to, without running it.
func (s *Session) Describe(req executor.Request) executor.PendingCall {
	return s.engine.settings.Load().executor.Pending(&s.conversation, req)
}

// execute runs requests and counts them.
func (s *Session) execute(
	ctx context.Context, set *settings, obs executor.Observer, reqs []executor.Request,
) []executor.Result {
	if SessionFrom(ctx) != s {
		ctx = s.context(ctx)
	}
	results := set.executor.Execute(ctx, &s.conversation, obs, reqs)
	s.sources.rememberResults(results)
	s.tally.countResults(reqs, results)
	return results
}

// HostRunCalls returns the calls of host-run methods that wait for a result, in order of their
// deadlines. A run reports them by EventToolDispatched. ProcessCycle and Execute report nothing, so
// call HostRunCalls from another goroutine.
func (s *Session) HostRunCalls() []executor.HostRunCall { return s.conversation.HostRunCalls() }

// Complete supplies the result of a dispatched call. id is the request's id. The result is out, or,
// if err is not nil, a failure with the text of err. Complete may be called from any goroutine,
// even by the code that receives the event. The first result counts. For a second or late result,
// Complete returns an *executor.NotWaitingError.
func (s *Session) Complete(id string, out tool.Output, err error) error {
	return s.conversation.Complete(id, out, err)
}

// FormatResults returns results as the text of a user message for the model; "" if there are none.
// It is for an application that calls its model itself; for Run use ResultMessages.
func (s *Session) FormatResults(results []executor.Result) string {
	return formatResults(s.engine.knownSettings(), results)
}

// ResultMessages returns results as messages for Run: one of role tool for each native call, then
// one of role user for the requests in text. They are data.
func (s *Session) ResultMessages(results []executor.Result) []protocol.Message {
	list, text := resultMessages(results)
	if text != nil {
		list = append(list, *text)
	}
	return list
}

func formatResults(set *settings, results []executor.Result) string {
	m := protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool, Results: textResults(results)}
	renderer := set.renderer(false)
	renderer.render(&m)
	return m.Content
}

// Render returns messages in the form for a model that calls in text: marks in foreign text are
// escaped for the protocol in use, and results are text. It is for an application that calls its
// model itself or prints a conversation. Run renders messages itself, so its messages must not be
// rendered before.
func (s *Session) Render(messages []protocol.Message) []protocol.Message {
	renderer := s.engine.knownSettings().renderer(false)
	list := slices.Clone(renderer.arrangeResults(messages))
	for i := range list {
		renderer.render(&list[i])
	}
	return list
}

// nextReply counts a new reply and returns its number, which is higher than the numbers of all
// replies so far and higher than earlier.
func (s *Session) nextReply(earlier int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = max(s.replies, earlier) + 1
	return s.replies
}

// countReplies makes sure that later replies have numbers above number.
func (s *Session) countReplies(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = max(s.replies, min(number, MaxReplies))
}

// Stats returns the statistics of this session so far.
func (s *Session) Stats() Stats { return s.tally.stats.read() }

// Record appends entries that the application makes, such as the user's message, to the session's
// journal, and sets their Time. In a reply it masks the values of secret arguments. Without a
// journal it does nothing. The error is a *JournalError.
func (s *Session) Record(ctx context.Context, entries ...Entry) error {
	w := s.journal.recorder(ctx)
	for _, e := range entries {
		if e.Reply != nil && w.enabled() {
			reply := *e.Reply
			newMasker(&s.view, nil).maskReply(&reply)
			e.Reply = &reply
		}
		w.add(e)
	}
	return w.flush()
}

// Remember tells the session what its model has read, so that a request that the model copied from
// foreign text needs approval. Message.Origin says whether a message is foreign text or comes from
// the user or the application. The last messages of the user are those of this turn.
//
// Run remembers its messages, and the results of calls are always remembered. So only an
// application that calls its model itself needs Remember, for all other messages. A message that is
// remembered already is not added again. A session keeps 1 MiB of foreign text and 256 KiB of
// messages of the user and the application, and drops the oldest text first.
func (s *Session) Remember(msgs ...protocol.Message) { s.sources.remember(msgs...) }
