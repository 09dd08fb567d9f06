package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// snapshotVersion is raised when the meaning of a Snapshot's JSON changes. Since 2 results are data
// alone.
const snapshotVersion = 2

// Snapshot is a conversation as data, to be kept as JSON. What the engine knows, such as tools and configuration, is no part of it.
type Snapshot struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	System  string `json:"system,omitempty"`
	// Replies is how many replies the model has begun, from 0 to engine.MaxReplies. Ids of requests
	// go on above it.
	Replies  int       `json:"replies"`
	Messages []Message `json:"messages"` // never nil
}

// Snapshot returns a copy of the conversation as it is now. While a turn runs, it holds the turns before it, the user's message and
// the replies that are complete and answered: restored, the conversation can go on with Continue.
func (c *Conversation) Snapshot() Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Snapshot{
		Version: snapshotVersion, ID: c.ID(), System: text.Valid(c.system), Replies: c.tools.session.Replies(),
		Messages: cloneMessages(c.history),
	}
}

// Restore returns the conversation of a snapshot, on an engine that need not be the one of before,
// nor use the same protocol. It keeps nothing of s. The error is a *SnapshotError if s is not one
// that Snapshot could have made, such as a request without its result. A conversation that was
// restored gives a Snapshot that Restore takes, however it goes on. The work grows with the size of
// s.
func Restore(e *engine.Engine, s Snapshot) (*Conversation, error) {
	if e == nil {
		return nil, errNoEngine
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return &Conversation{
		tools:   &Tools{engine: e, session: e.ResumeSession(s.ID, s.Replies)},
		system:  s.System,
		history: cloneMessages(s.Messages),
	}, nil
}

// checker holds a snapshot against the rules that recording keeps to. It takes each message,
// request and result once.
type checker struct {
	snapshot *Snapshot
	recorded int               // replies so far
	asked    int               // the number of the last reply with requests
	open     []ToolCallRequest // of the message before
	steps    int               // requests, arguments, results and calls that have been looked at: the work
}

func (s *Snapshot) check() error { return (&checker{snapshot: s}).check() }

func (k *checker) check() error {
	s := k.snapshot
	replies := strconv.Itoa(s.Replies)
	switch {
	case s.Version != snapshotVersion:
		return &SnapshotError{"version", strconv.Itoa(s.Version), strconv.Itoa(snapshotVersion)}
	case s.ID == "" || !utf8.ValidString(s.ID):
		return &SnapshotError{"id", strconv.Quote(s.ID), "the id of the conversation, in UTF-8"}
	case !utf8.ValidString(s.System):
		return &SnapshotError{"system", "not UTF-8", "text in UTF-8"}
	case s.Replies < 0 || s.Replies > engine.MaxReplies:
		return &SnapshotError{"replies", replies, "a number from 0 to " + strconv.Itoa(engine.MaxReplies)}
	case s.Messages == nil:
		return &SnapshotError{"messages", "null", "a list, which may be empty"}
	}
	for i := range s.Messages {
		if err := k.message(i, &s.Messages[i]); err != nil {
			return err
		}
	}
	if len(k.open) > 0 && k.open[0].Status == RequestAnswered {
		last := fmt.Sprintf("messages[%d].toolCallsRequested", len(s.Messages)-1)
		return &SnapshotError{last, "without results", "a result message after it"}
	}
	if least := max(k.recorded, k.asked); s.Replies < least {
		return &SnapshotError{"replies", replies, fmt.Sprintf("at least %d, since the messages hold as many replies or ids of requests of that reply", least)}
	}
	return nil
}

// refusal makes the error of a part of a message.
type refusal func(part, value, allowed string) error

func (k *checker) message(i int, m *Message) error {
	refuse := func(part, value, allowed string) error {
		return &SnapshotError{fmt.Sprintf("messages[%d]%s", i, part), value, allowed}
	}
	if !validTexts(m.Content, m.Text, m.Reasoning) {
		return refuse("", "not UTF-8", "text in UTF-8")
	}
	if !keeps(m.Time) {
		return refuse(".time", m.Time.String(), "a time of the years 0 to 9999")
	}
	var err error
	switch m.Role {
	case protocol.RoleAssistant:
		err = k.reply(m, refuse)
	case protocol.RoleUser:
		err = k.said(m, refuse)
	default:
		err = refuse(".role", strconv.Quote(string(m.Role)), `"user" or "assistant"`)
	}
	if err != nil {
		return err
	}
	same := func(r ToolCall, q ToolCallRequest) bool { return r.RequestID == q.RequestID }
	if !slices.EqualFunc(m.ToolCall, k.open, same) {
		return refuse(".toolCall", idsOf(m.ToolCall), "one result for each request of the message before, in order")
	}
	k.open = nil
	if len(m.ToolCallsRequested) > 0 && m.ToolCallsRequested[0].Status != RequestNotRun {
		k.open = m.ToolCallsRequested
	}
	return nil
}

// said checks a message of the user's role: a person's, one with results, or one of the engine.
func (k *checker) said(m *Message, refuse refusal) error {
	person := len(m.ToolCall) == 0 && !m.FromEngine
	switch {
	case len(m.ToolCallsRequested) > 0:
		return refuse(".toolCallsRequested", "on a user message", "on an assistant message")
	case len(m.NativeCalls) > 0:
		return refuse(".nativeCalls", "on a user message", "on an assistant message")
	case m.Text != "" || m.Reasoning != "" || m.Protocol != "" || m.Incomplete:
		return refuse("", "a user message with text, reasoning, protocol or incomplete", "these on an assistant message")
	case m.FromEngine && len(m.ToolCall) > 0:
		return refuse(".fromEngine", "true", "false except on a user message without results")
	case m.FromEngine && m.Content == "" && len(m.Examples) == 0:
		return refuse(".content", `""`, "what the engine tells the model")
	case person && strings.TrimSpace(m.Content) == "":
		return refuse(".content", strconv.Quote(m.Content), "what the user said")
	case person && len(m.Examples) > 0:
		return refuse(".examples", "on a message of a person", "on a result message")
	}
	for i := range m.Examples {
		e := &m.Examples[i]
		texts := []string{e.ToolName, e.Command, e.Label}
		for _, a := range e.Arguments {
			texts = append(texts, a.Name, a.Value)
		}
		k.steps += len(texts)
		if !validTexts(texts...) {
			return refuse(fmt.Sprintf(".examples[%d]", i), "not UTF-8", "text in UTF-8")
		}
	}
	for i := range m.ToolCall {
		k.steps++
		part, value, allowed := m.ToolCall[i].check()
		if allowed != "" {
			return refuse(fmt.Sprintf(".toolCall[%d]%s", i, part), value, allowed)
		}
	}
	return nil
}

// check returns what is wrong with a result; allowed is "" if nothing is.
func (r *ToolCall) check() (part, value, allowed string) {
	failed := r.Status == protocol.StatusError
	switch {
	case r.Arguments != nil && !validRaw(r.Arguments) || r.Details != nil && !validRaw(r.Details):
		return "", fmt.Sprintf("arguments of %d bytes and details of %d bytes", len(r.Arguments), len(r.Details)), "JSON or nothing in both"
	case !failed && r.Status != protocol.StatusSuccess:
		return ".status", strconv.Quote(string(r.Status)), `"success" or "error"`
	case failed != (r.ErrorType != "") || !failed && r.Suggestion != "":
		return ".errorType", strconv.Quote(r.ErrorType), "the type of an error, and neither type nor suggestion of a success"
	case r.DurationMs < 0:
		return ".durationMs", strconv.FormatInt(r.DurationMs, 10), "0 or more"
	case !keeps(r.Started):
		return ".started", r.Started.String(), "a time of the years 0 to 9999"
	}
	texts := []string{r.ToolName, r.Method, r.ErrorType, r.Suggestion, r.Result}
	for _, f := range r.Files {
		texts = append(texts, f.Name, f.MediaType)
	}
	if !validTexts(texts...) {
		return "", "not UTF-8", "text in UTF-8"
	}
	return "", "", ""
}

// reply checks an assistant message.
func (k *checker) reply(m *Message, refuse refusal) error {
	k.recorded++
	notID := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	switch {
	case len(m.ToolCall) > 0:
		return refuse(".toolCall", "on an assistant message", "on a user message")
	case m.FromEngine:
		return refuse(".fromEngine", "true", "false except on a user message without results")
	case len(m.Examples) > 0:
		return refuse(".examples", "on an assistant message", "on a result message")
	case strings.ContainsFunc(m.Protocol, notID):
		return refuse(".protocol", strconv.Quote(m.Protocol), `the id of a protocol, or ""`)
	case m.Content == "" && m.Text == "" && m.Reasoning == "" && len(m.ToolCallsRequested) == 0:
		return refuse("", "an empty reply", "a reply with content, text, reasoning or requests")
	}
	var calls []string // ids of native ones, which have an outcome
	ids, callIDs := make(map[string]bool, len(m.ToolCallsRequested)), map[string]bool{}
	asked := 0
	for i := range m.ToolCallsRequested {
		k.steps++
		q := &m.ToolCallsRequested[i]
		part, value, allowed, arguments := q.check(m.ToolCallsRequested[0].Status)
		k.steps += arguments
		number := replyOf(q.RequestID)
		switch {
		case allowed != "":
		case number == 0 || ids[q.RequestID] || i > 0 && number != asked || number <= k.asked:
			part, value = ".requestId", strconv.Quote(q.RequestID)
			allowed = "an id that no other request has: the number of the reply, which is above those before, a dot, and an ordinal"
		case callIDs[q.CallID]:
			part, value, allowed = ".callId", strconv.Quote(q.CallID), "an id that no other call of the reply has"
		}
		if allowed != "" {
			return refuse(fmt.Sprintf(".toolCallsRequested[%d]%s", i, part), value, allowed)
		}
		ids[q.RequestID], asked = true, number
		if q.CallID != "" {
			callIDs[q.CallID] = true
			if q.Status != RequestNotRun {
				calls = append(calls, q.CallID)
			}
		}
	}
	if asked > 0 {
		k.asked = asked
	}
	k.steps += len(m.NativeCalls)
	for i := range m.NativeCalls {
		if c := &m.NativeCalls[i]; i >= len(calls) || c.ID != calls[i] || !validTexts(c.ID, c.Name, c.Arguments) {
			return refuse(fmt.Sprintf(".nativeCalls[%d]", i), strconv.Quote(c.ID), "a call for each request with its callId that is answered or dispatched, in order, in UTF-8")
		}
	}
	if len(m.NativeCalls) < len(calls) {
		return refuse(".nativeCalls", fmt.Sprintf("without the call %.40q", calls[len(m.NativeCalls)]), "a call for each request with a callId that is answered or dispatched, in order")
	}
	return nil
}

// check returns what is wrong with a request of a message whose requests have that status; allowed
// is "" if nothing is. arguments is how many it has.
func (q *ToolCallRequest) check(status RequestStatus) (part, value, allowed string, arguments int) {
	switch q.Status {
	case RequestAnswered, RequestHandedOut, RequestNotRun:
	default:
		return ".status", strconv.Quote(string(q.Status)), `"answered", "handed_out" or "not_run"`, 0
	}
	if q.Status != status {
		return ".status", strconv.Quote(string(q.Status)), "the same for all requests of a message", 0
	}
	if q.ResultID == "" {
		return ".resultId", `""`, "what the result calls the request", 0
	}
	texts := []string{q.RequestID, q.ResultID, q.ToolName, q.Command, q.Method, q.CallID}
	if q.Err != nil {
		texts = append(texts, string(q.Err.Code), q.Err.Message)
	}
	if !validTexts(append(texts, q.JSONArguments...)...) || !utf8.Valid(q.Arguments) {
		return "", "not UTF-8", "text in UTF-8", 0
	}
	list, err := readArguments(q.Arguments, q.JSONArguments)
	if err != nil {
		return ".arguments", err.Error(), "an object of strings, and of JSON values if jsonArguments names them", 0
	}
	return "", "", "", len(list)
}

// replyOf returns the number of the reply in the engine's id of a request; 0 if it has none.
func replyOf(id string) int {
	digits, ordinal, _ := strings.Cut(id, ".")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || strconv.Itoa(n) != digits || ordinal == "" {
		return 0
	}
	return n
}

// keeps reports whether JSON can hold a time.
func keeps(t time.Time) bool {
	_, err := t.MarshalJSON()
	return err == nil
}

func validTexts(list ...string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !utf8.ValidString(s) })
}

func validRaw(raw json.RawMessage) bool { return json.Valid(raw) && utf8.Valid(raw) }

func idsOf(list []ToolCall) string {
	ids := make([]string, min(len(list), 10)) // enough to see which they are
	for i := range ids {
		ids[i] = list[i].RequestID
	}
	return fmt.Sprintf("%q", ids)
}
