package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
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
	tally   tally

	conversation  executor.Conversation
	takesArgument func(toolName, argument string) bool

	mu      sync.Mutex
	replies int // replies read so far; part of each request's id
}

// SessionOptions set up a Session.
type SessionOptions struct {
	// ID is the id by which the application knows the conversation.
	ID string
	// Replies is how many replies the model has begun in the conversation, from 0 to MaxReplies: what
	// Session.Replies returned before.
	Replies int
	Visibility
}

// NewSession returns a session for a new conversation, in which the model sees all methods that the
// engine shows.
func (e *Engine) NewSession(id string) *Session { return e.OpenSession(SessionOptions{ID: id}) }

// OpenSession returns a session for a new conversation, or for one that continues. The ids of its
// requests differ from those of all other sessions, also of earlier ones for the same conversation.
func (e *Engine) OpenSession(o SessionOptions) *Session {
	s := &Session{
		engine: e, id: o.ID, replies: min(max(0, o.Replies), MaxReplies), narrow: newNarrowing(&o.Visibility, e.number), tally: tally{engine: &e.stats},
		suffix: idMark + strings.ToLower(rand.Text()[:suffixLetters]),
	}
	s.takesArgument = s.methodTakesArgument
	s.conversation.Visible = s.Visible
	s.conversation.WhyHidden = s.WhyHidden
	s.conversation.Policy = func() policy.Policy { return e.settings.Load().policy }
	e.warnOfToggles(o.ToolToggles)
	return s
}

// The id of a request is the number of the reply, a dot, an ordinal, and a suffix that no other
// session has. The model reads only what is before the mark.
const (
	idMark        = "-"
	suffixLetters = 12 // 60 random bits
)

// shortID returns the part of a request's id that the model reads. It is unique in what the model
// is shown.
func shortID(id string) string {
	short, _, _ := strings.Cut(id, idMark)
	return short
}

// MaxReplies is how many replies a session may begin in its life. After that Run and ProcessCycle
// fail.
const MaxReplies = 1 << 30

var errMaxReplies = fmt.Errorf("engine: the session has begun %d replies, the maximum; continue in a new session", MaxReplies)

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

// Prompt returns the part of the system prompt that describes the tools; "" if there are none. Run
// adds it itself.
func (s *Session) Prompt() string { return s.prompt(s.engine.knownSettings()) }

func (s *Session) prompt(set *settings) string { return s.engine.discovery.Prompt(s.shows(set)) }

// Methods returns the methods that the model may see and call, sorted by full name.
func (s *Session) Methods() []*tool.Entry { return s.methods(s.engine.settings.Load()) }

func (s *Session) methods(set *settings) []*tool.Entry {
	return s.engine.discovery.Methods(s.shows(set))
}

// Execute runs requests as the engine would, and returns one result for each, in order. A request
// with the digest of an approved call (executor.Request.Approved) runs without a question.
func (s *Session) Execute(ctx context.Context, reqs []executor.Request) []executor.Result {
	reqs = slices.Clone(reqs)
	for i := range reqs {
		reqs[i].ReadID = cmp.Or(reqs[i].ReadID, shortID(reqs[i].ID))
	}
	return s.execute(ctx, s.engine.settings.Load(), executor.Observer{}, reqs)
}

// Pending returns the calls that wait for Decide.
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
	for i := range results {
		m.Results = append(m.Results, results[i].ToolResult)
	}
	g := set.gate(false)
	g.show(&m)
	return m.Content
}

// CycleResult is the outcome of one reply.
type CycleResult struct {
	// Reply is what the parser read.
	Reply parser.Reply
	// Requests are what the reply requests, unreadable requests included; empty if tool calling is
	// disabled.
	Requests []executor.Request
	// Pending describes each of Requests in mode manual, in order: what waits for decisions.
	Pending []executor.PendingCall
	// Results hold one for each of Requests, in order; none in mode manual.
	Results []executor.Result
	// ResultMessage contains Results as text, for an application that calls its model itself; nil
	// if there are none. For Run use ResultMessages.
	ResultMessage *protocol.Message
}

// ProcessCycle reads a reply, runs its requests and formats the results. finish is the finish
// reason, in the words of the server; "" if it is unknown. A reply runs something only if it is
// complete (FinishReason.Complete) and not longer than Config.MaxReplyBytes. Otherwise each request
// is incomplete, and its result says so. In mode manual nothing runs: CycleResult.Pending describes
// what waits for decisions.
//
// The error is that of a protocol that failed or of a ProfiledModel, and then nothing ran. Or it is
// the cause of ctx's end, and then each request still has its result.
func (s *Session) ProcessCycle(ctx context.Context, assistantText string, finish protocol.FinishReason) (CycleResult, error) {
	if s.Replies() >= MaxReplies {
		return CycleResult{}, errMaxReplies
	}
	set, err := s.engine.settingsFor(ctx)
	if err != nil {
		return CycleResult{}, err
	}
	reading := set.reading
	reading.TakesArgument = s.takesArgument
	reading.Finish = protocol.ParseFinishReason(string(finish))
	if len(assistantText) > set.config.MaxReplyBytes {
		reading.Finish = protocol.FinishLength // as Run truncates such a reply
	}
	reply, err := parser.ParseToolRequests(set.protocol, assistantText, reading)
	settleReply(&reply)
	cycle := CycleResult{Reply: reply}
	if err != nil {
		return cycle, fmt.Errorf("engine: reading a reply: %w", err)
	}
	if !set.config.Enabled {
		return cycle, nil
	}
	s.tally.reply(&reply)
	cycle.Requests = s.requests(s.nextReply(0), &reply)
	if len(cycle.Requests) == 0 {
		return cycle, nil
	}
	if set.config.Mode == ModeManual {
		for _, req := range cycle.Requests {
			cycle.Pending = append(cycle.Pending, s.Describe(req))
		}
		return cycle, nil
	}
	cycle.Results = s.execute(ctx, set, executor.Observer{}, cycle.Requests)
	cycle.ResultMessage = &protocol.Message{
		Role: protocol.RoleUser, Origin: protocol.OriginTool, Content: formatResults(set, cycle.Results),
	}
	return cycle, context.Cause(ctx)
}

// settleReply marks all requests of a reply as incomplete if the reply is.
func settleReply(reply *parser.Reply) {
	if !reply.Finish.Complete() {
		markIncomplete(reply.Requests, errTruncated())
	}
}

// nextReply returns the number of the next reply, above all replies read so far and above atLeast.
func (s *Session) nextReply(atLeast int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = max(s.replies, atLeast) + 1
	return s.replies
}

// requestID returns the engine's id of a request.
func (s *Session) requestID(turn int, ordinal string) string {
	return strconv.Itoa(turn) + "." + ordinal + s.suffix
}

// requests returns what a reply requests: requests that may run, and unreadable ones that get an
// error as their result.
func (s *Session) requests(turn int, reply *parser.Reply) []executor.Request {
	var list []executor.Request
	for _, q := range reply.Requests {
		req := executor.Request{ID: s.requestID(turn, q.ID), ToolRequest: q.ToolRequest}
		switch q.Status {
		case parser.StatusReady:
		case parser.StatusInvalid, parser.StatusIncomplete:
			if req.Err = q.Err; req.Err == nil {
				req.Err = &scan.RequestError{Code: scan.CodeUnclosedBlock, Message: "The reply ended within the request."}
			}
		default:
			continue
		}
		list = append(list, req)
	}
	for i, n := range reply.Notices {
		if n.Code == parser.NoticeMalformedRequest {
			list = append(list, executor.Request{
				ID: s.requestID(turn, "n"+strconv.Itoa(i+1)), Err: &scan.RequestError{Code: scan.CodeNoFields, Message: n.Message},
			})
		}
	}
	assignResultIDs(list)
	return list
}

// errTruncated returns the error of a whole request in a reply that is not complete.
func errTruncated() *scan.RequestError {
	return &scan.RequestError{
		Code: scan.CodeTruncated, Message: "The reply was truncated and was not completed.",
	}
}

// assignResultIDs gives each request the id of its result: the model's own label if it is unique,
// else the engine's id without its suffix.
func assignResultIDs(list []executor.Request) {
	labelled := false
	for i := range list {
		list[i].ReadID = shortID(list[i].ID)
		list[i].RequestID = list[i].ReadID
		labelled = labelled || list[i].Label != ""
	}
	if !labelled {
		return
	}
	taken := make(map[string]int, 2*len(list))
	for i := range list {
		taken[list[i].ReadID]++
		taken[list[i].Label]++
	}
	for i := range list {
		r := &list[i]
		if usableLabel(r.Label) && taken[r.Label] == 1 {
			r.RequestID = r.Label
		}
	}
}

// maxLabel limits a label that is repeated to the model, in bytes.
const maxLabel = 64

func usableLabel(label string) bool {
	return label != "" && len(label) <= maxLabel && strings.TrimSpace(label) == label && !strings.ContainsFunc(label, unicode.IsControl)
}
