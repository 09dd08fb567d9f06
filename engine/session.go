package engine

import (
	"context"
	"fmt"
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

	results keptResults
	tally   tally

	conversation executor.Conversation

	mu      sync.Mutex
	replies int // replies read so far; part of each request's id
}

// NewSession returns a session for the conversation that the application knows by id.
func (e *Engine) NewSession(id string) *Session {
	s := &Session{engine: e, id: id, tally: tally{engine: &e.stats}}
	s.conversation.Visible = e.Visible
	s.conversation.Policy = func() policy.Policy { return e.settings.Load().policy }
	return s
}

// MaxReplies is how many replies a session may begin in its life. After that Run and ProcessCycle
// fail.
const MaxReplies = 1 << 30

var errMaxReplies = fmt.Errorf("engine: the session has begun %d replies, the maximum; continue in a new session", MaxReplies)

// ResumeSession returns a session for a conversation that continues an earlier one. replies is what
// its Replies returned, from 0 to MaxReplies. New request ids follow the earlier ones.
func (e *Engine) ResumeSession(id string, replies int) *Session {
	s := e.NewSession(id)
	s.replies = min(max(0, replies), MaxReplies)
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
func (s *Session) Prompt() string {
	return s.engine.discovery.Prompt(s.engine.settings.Load().discovery)
}

// Methods returns the methods that the model may see and call, sorted by full name.
func (s *Session) Methods() []*tool.Entry {
	return s.engine.discovery.Methods(s.engine.settings.Load().discovery)
}

// Execute runs requests as the engine would, and returns one result for each, in order. In mode
// manual an application uses it to run dispatched requests.
func (s *Session) Execute(ctx context.Context, reqs []executor.Request) []executor.Result {
	return s.execute(ctx, s.engine.settings.Load(), executor.Observer{}, reqs)
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
	return formatResults(s.engine.settings.Load(), results)
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
	// Results hold one for each of Requests, in order; none in mode manual.
	Results []executor.Result
	// ResultMessage contains Results as text, for an application that calls its model itself; nil
	// if there are none. For Run use ResultMessages.
	ResultMessage *protocol.Message
}

// ProcessCycle reads a reply, runs its requests and formats the results. finish is the finish
// reason, in the words of the server; "" if it is unknown. A reply runs something only if it is
// complete (FinishReason.Complete) and not longer than Config.MaxReplyBytes. Otherwise each request
// is incomplete, and its result says so.
//
// The error is that of a protocol that failed, and then nothing ran. Or it is the cause of ctx's
// end, and then each request still has its result.
func (s *Session) ProcessCycle(ctx context.Context, assistantText string, finish protocol.FinishReason) (CycleResult, error) {
	set := s.engine.settings.Load()
	if s.Replies() >= MaxReplies {
		return CycleResult{}, errMaxReplies
	}
	reading := set.reading
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
	cycle.Requests = requests(s.nextReply(0), &reply)
	if len(cycle.Requests) == 0 || set.config.Mode == ModeManual {
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

// requestID returns the engine's id of a request: the number of the reply and the request's
// ordinal.
func requestID(turn int, ordinal string) string { return strconv.Itoa(turn) + "." + ordinal }

// requests returns what a reply requests: requests that may run, and unreadable ones that get an
// error as their result.
func requests(turn int, reply *parser.Reply) []executor.Request {
	var list []executor.Request
	for _, q := range reply.Requests {
		req := executor.Request{ID: requestID(turn, q.ID), ToolRequest: q.ToolRequest}
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
				ID: requestID(turn, "n"+strconv.Itoa(i+1)), Err: &scan.RequestError{Code: scan.CodeNoFields, Message: n.Message},
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
// else the engine's id.
func assignResultIDs(list []executor.Request) {
	labelled := false
	for i := range list {
		list[i].RequestID = list[i].ID
		labelled = labelled || list[i].Label != ""
	}
	if !labelled {
		return
	}
	taken := make(map[string]int, 2*len(list))
	for i := range list {
		taken[list[i].ID]++
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
