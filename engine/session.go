package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/provenance"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Session is the state of one conversation. It is safe for concurrent use, though a conversation
// usually has one run at a time.
type Session struct {
	engine *Engine
	id     string
	suffix string // of the ids of all requests
	narrow narrowing

	results keptResults
	listed  methodList
	nested  atomic.Int64 // calls of CallWithin so far
	tally   tally

	conversation  executor.Conversation
	memory        *provenance.Memory // of what the model has read
	takesArgument func(toolName, argument string) bool

	journal Journal // may be nil

	mu          sync.Mutex
	replies     int           // replies read so far; part of each request's id
	unjournaled *JournalError // after which nothing more runs
}

// SessionOptions set up a Session.
type SessionOptions struct {
	// ID is the id by which the application knows the conversation.
	ID string
	// Owner is the user to whom the conversation belongs, as the application names users; "" means
	// nobody. Audit records name it, and Session.Owner returns it to tools.
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
// requests differ from those of all other sessions, also of earlier ones for the same conversation.
func (e *Engine) OpenSession(o SessionOptions) *Session {
	s := &Session{
		engine: e, id: o.ID, journal: o.Journal, replies: min(max(0, o.Replies), MaxReplies), narrow: newNarrowing(&o.Visibility, e.number), tally: tally{engine: &e.stats},
		suffix: idMark + strings.ToLower(rand.Text()[:suffixLetters]),
	}
	s.takesArgument = s.methodTakesArgument
	s.conversation.Session, s.conversation.Owner = o.ID, o.Owner
	s.conversation.Visible = s.Visible
	s.conversation.WhyHidden = s.WhyHidden
	s.conversation.Language = func() string { return e.knownSettings().language() }
	s.traceCalls()
	s.conversation.Policy = func() policy.Policy { return e.settings.Load().policy }
	e.warnOfToggles(o.ToolToggles)
	return s
}

type sessionKey struct{}

func (s *Session) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// SessionFrom returns the session for which a tool, a middleware or an Approver is called; nil if
// there is none.
func SessionFrom(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// ID returns the id that NewSession was given.
func (s *Session) ID() string { return s.id }

// Owner returns SessionOptions.Owner.
func (s *Session) Owner() string { return s.conversation.Owner }

// Replies returns how many replies the session has read, including those that it was resumed with.
func (s *Session) Replies() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.replies
}

// Config returns a copy of the current configuration.
func (s *Session) Config() Config { return s.engine.Config() }

// Enabled reports whether tool calling is switched on.
func (s *Session) Enabled() bool { return s.engine.settings.Load().config.Enabled }

// Prompt returns the part of the system prompt that describes the tools; "" if there are none. It
// ends with how many replies may use them, unless the mode is manual. Run adds it itself.
func (s *Session) Prompt() string { return s.prompt(s.engine.knownSettings(), s.listed.names()) }

func (s *Session) prompt(set *settings, found []string) string {
	text := s.engine.discovery.Prompt(s.lists(set, found))
	if text == "" || set.config.Mode == ModeManual {
		return text
	}
	return joinLines(text, fmt.Sprintf(phrase(set.language(), phraseReplies), set.config.MaxIterations))
}

// Methods returns the methods that the model may see and call, sorted by full name.
func (s *Session) Methods() []*tool.Entry { return s.methods(s.engine.settings.Load()) }

func (s *Session) methods(set *settings) []*tool.Entry {
	methods := s.engine.discovery.Methods(s.shows(set))
	if s.searches(set) {
		if search, ok := s.engine.options.Registry.Lookup(searchMethod); ok {
			at, _ := slices.BinarySearchFunc(methods, searchMethod, func(e *tool.Entry, name string) int { return cmp.Compare(e.FullName, name) })
			methods = slices.Insert(methods, at, search)
		}
	}
	return methods
}

// Execute runs requests as the engine would, and returns one result for each, in order. A request
// with the digest of an approved call (executor.Request.Approved) runs without a question. If the
// session's journal fails, what has not started is canceled, and the next run returns the error.
func (s *Session) Execute(ctx context.Context, reqs []executor.Request) []executor.Result {
	reqs = slices.Clone(reqs)
	for i := range reqs {
		reqs[i].ReadID = cmp.Or(reqs[i].ReadID, shortID(reqs[i].ID))
	}
	w := s.recorder(ctx)
	results := s.execute(ctx, s.engine.settings.Load(), w.observer(executor.Observer{}, func(error) {}), reqs)
	_ = w.flush() // a later run of the session fails with it
	return results
}

// Pending returns the calls that wait for Decide; never nil.
func (s *Session) Pending() []executor.PendingCall { return s.conversation.Pending() }

// Decide answers the open question about a call, from any goroutine: the call that Pending and
// EventApprovalNeeded show with that request ID and digest. The first answer counts, whether it
// comes from here or from Options.Approver. If nobody is to be asked in another way, set that to
// executor.AwaitDecision. A decision about another call, or one that comes too late, is an
// *executor.DecisionError.
func (s *Session) Decide(id string, digest executor.Digest, d executor.Decision) error {
	return s.conversation.Decide(id, digest, d)
}

// Describe returns the call that a request means, without running it.
func (s *Session) Describe(req executor.Request) executor.PendingCall {
	return s.engine.settings.Load().executor.Pending(&s.conversation, req)
}

// execute runs requests and counts them.
func (s *Session) execute(ctx context.Context, set *settings, obs executor.Observer, reqs []executor.Request) []executor.Result {
	if SessionFrom(ctx) != s {
		ctx = s.context(ctx)
	}
	results := set.executor.Execute(ctx, &s.conversation, obs, reqs)
	s.rememberResults(results)
	s.tally.results(reqs, results)
	return results
}

// HostRunCalls returns the calls of host-run methods that wait for a result, in order of their
// deadlines. A run reports them by EventToolDispatched. ProcessCycle and Execute report nothing, so
// call HostRunCalls from another goroutine.
func (s *Session) HostRunCalls() []executor.HostRunCall { return s.conversation.HostRunCalls() }

// Complete gives the result of a dispatched call, by the request's id: out, or an error in words
// for the model if err is not nil. It may be called from any goroutine, also while the event is
// received. The first result counts. For a further or late one, Complete returns an
// *executor.NotWaitingError.
func (s *Session) Complete(id string, out tool.Output, err error) error {
	return s.conversation.Complete(id, out, err)
}

// FormatResults returns results as text for the model, to be sent as a user message; "" for none.
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
	m := protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool}
	told := executor.TellApart(results)
	for i := range results {
		r := results[i].ToolResult
		r.About = cmp.Or(r.About, told[i])
		m.Results = append(m.Results, r)
	}
	g := set.gate(false)
	g.show(&m)
	return m.Content
}

// shows returns what the model of the session is shown.
func (s *Session) shows(set *settings) discovery.Options {
	o, n := set.discovery, &s.narrow
	if n.toggles == nil && n.filter == nil {
		return o
	}
	visible := o.Filter
	o.Filter = func(method *tool.Entry) bool { return visible(method) && !s.hides(set, method) }
	if n.key == "" {
		o.FilterKey = ""
	} else if o.FilterKey != "" {
		o.FilterKey += " " + n.key
	}
	return o
}

// Visible reports whether the model may currently see and call the method.
func (s *Session) Visible(method *tool.Entry) bool {
	set := s.engine.settings.Load()
	if isSearchTool(method) {
		return s.searches(set)
	}
	return set.discovery.Visible(method) && !s.hides(set, method)
}

// hides reports whether the session hides a method that its engine shows. It hides the engine's own
// tool if it is of no use.
func (s *Session) hides(set *settings, method *tool.Entry) bool {
	n := &s.narrow
	if n.toggles == nil && n.filter == nil {
		return false
	}
	useful := func(other *tool.Entry) bool {
		return !isResultsTool(other) && !isSearchTool(other) && set.discovery.Visible(other) && !n.hides(other)
	}
	return n.hides(method) || isResultsTool(method) && !slices.ContainsFunc(s.engine.options.Registry.Entries(), useful)
}

// WhyHidden names what hides a method from the model, in the words of a configuration; "" if the
// model may see it.
func (s *Session) WhyHidden(method *tool.Entry) string {
	if isSearchTool(method) && !s.Visible(method) {
		return "promptMethods and promptTokens: the prompt lists all methods"
	}
	if why := s.engine.settings.Load().discovery.WhyHidden(method); why != "" {
		return why
	}
	if on, key, named := s.narrow.toggles.Find(method); named && !on {
		return "the session's toolToggles: " + key + " is false"
	}
	if s.narrow.filter != nil && !s.narrow.filter(method) {
		return "the session's filter"
	}
	return ""
}

// methodTakesArgument reports whether a visible method of that full name declares the argument.
func (s *Session) methodTakesArgument(toolName, argument string) bool {
	method, ok := s.engine.options.Registry.Lookup(toolName)
	if !ok || !s.Visible(method) {
		return false
	}
	for _, p := range method.Method.Parameters.Properties() {
		if p.Name == argument {
			return true
		}
	}
	return false
}

// Render returns messages as a model that calls in text is shown them: foreign text is neutralized
// for the protocol in use, and results are text. It is for an application that calls its model
// itself or prints a conversation. Session.Run renders by itself and takes messages that are not
// rendered.
func (s *Session) Render(messages []protocol.Message) []protocol.Message {
	g := s.engine.knownSettings().gate(false)
	list := slices.Clone(g.arrange(messages))
	for i := range list {
		g.show(&list[i])
	}
	return list
}

// nextReply returns the number of the next reply, above all replies read so far and above atLeast.
func (s *Session) nextReply(atLeast int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = max(s.replies, atLeast) + 1
	return s.replies
}

// countReplies makes sure that later replies have numbers above number.
func (s *Session) countReplies(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = max(s.replies, min(number, MaxReplies))
}

// requestID returns the engine's id of a request.
func (s *Session) requestID(turn int, ordinal string) string {
	return requestID(turn, ordinal, s.suffix)
}

// Stats returns the statistics of this session so far.
func (s *Session) Stats() Stats { return s.tally.stats.read() }
