package chat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// A checker checks that a snapshot follows the rules of recording. It examines each message,
// request and result once.
type checker struct {
	snapshot *Snapshot
	recorded int               // replies so far
	last     int               // the number of the last reply with requests
	open     []ToolCallRequest // of the message before, which need results
	steps    int               // the work: requests, arguments, results and calls so far
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
	if least := max(k.recorded, k.last); s.Replies < least {
		return &SnapshotError{"replies", replies, fmt.Sprintf("at least %d, the number of replies in messages and in ids of requests", least)}
	}
	return nil
}

// refusal returns the error of a part of a message.
type refusal func(part, value, allowed string) error

// message checks one message and its results.
func (k *checker) message(i int, m *Message) error {
	refuse := func(part, value, allowed string) error {
		return &SnapshotError{fmt.Sprintf("messages[%d]%s", i, part), value, allowed}
	}
	if !areValid(m.Content, m.Text, m.Reasoning) {
		return refuse("", "not UTF-8", "text in UTF-8")
	}
	if !encodes(m.Time) {
		return refuse(".time", m.Time.String(), "a time of the years 0 to 9999")
	}
	var err error
	switch m.Role {
	case protocol.RoleAssistant:
		err = k.reply(m, refuse)
	case protocol.RoleUser:
		err = k.user(m, refuse)
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

// user checks a message of the role user: from a person, with results, or from the engine.
func (k *checker) user(m *Message, refuse refusal) error {
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
		return refuse(".examples", "on a message from a person", "on a result message")
	}
	for i := range m.Examples {
		e := &m.Examples[i]
		texts := []string{e.ToolName, e.Command, e.Label}
		for _, a := range e.Arguments {
			texts = append(texts, a.Name, a.Value)
		}
		k.steps += len(texts)
		if !areValid(texts...) {
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

// check returns the error in a result; allowed is "" if there is none.
func (r *ToolCall) check() (part, value, allowed string) {
	failed := r.Status == protocol.StatusError
	switch {
	case r.Arguments != nil && !isValidJSON(r.Arguments) || r.Details != nil && !isValidJSON(r.Details):
		return "", fmt.Sprintf("arguments of %d bytes and details of %d bytes", len(r.Arguments), len(r.Details)), "JSON or nothing in both"
	case !failed && r.Status != protocol.StatusSuccess:
		return ".status", strconv.Quote(string(r.Status)), `"success" or "error"`
	case failed != (r.ErrorType != "") || !failed && r.Suggestion != "":
		return ".errorType", strconv.Quote(r.ErrorType), "a type if status is error, and otherwise neither type nor suggestion"
	case r.DurationMs < 0:
		return ".durationMs", strconv.FormatInt(r.DurationMs, 10), "0 or more"
	case !encodes(r.Started):
		return ".started", r.Started.String(), "a time of the years 0 to 9999"
	}
	texts := []string{r.ToolName, r.Method, r.About, r.ErrorType, r.Suggestion, r.Note, r.Result}
	for _, f := range r.Files {
		texts = append(texts, f.Name, f.MediaType)
	}
	if !areValid(texts...) {
		return "", "not UTF-8", "text in UTF-8"
	}
	return "", "", ""
}

const allowedCalls = "one call in UTF-8 for each request with a callId that is answered or dispatched, in order"

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
	var calls []string // ids of the native calls that are answered or dispatched
	ids, callIDs := make(map[string]bool, len(m.ToolCallsRequested)), map[string]bool{}
	reply := 0 // the number in the ids of its requests
	for i := range m.ToolCallsRequested {
		k.steps++
		q := &m.ToolCallsRequested[i]
		part, value, allowed, arguments := q.check(m.ToolCallsRequested[0].Status)
		k.steps += arguments
		number := replyOf(q.RequestID)
		switch {
		case allowed != "":
		case number == 0 || ids[q.RequestID] || i > 0 && number != reply || number <= k.last:
			part, value = ".requestId", strconv.Quote(q.RequestID)
			allowed = "an id of its own: the number of the reply, higher than those before, a dot and an ordinal"
		case callIDs[q.CallID]:
			part, value, allowed = ".callId", strconv.Quote(q.CallID), "an id that no other call of the reply has"
		}
		if allowed != "" {
			return refuse(fmt.Sprintf(".toolCallsRequested[%d]%s", i, part), value, allowed)
		}
		ids[q.RequestID], reply = true, number
		if q.CallID != "" {
			callIDs[q.CallID] = true
			if q.Status != RequestNotRun {
				calls = append(calls, q.CallID)
			}
		}
	}
	if reply > 0 {
		k.last = reply
	}
	k.steps += len(m.NativeCalls)
	for i := range m.NativeCalls {
		if c := &m.NativeCalls[i]; i >= len(calls) || c.ID != calls[i] || !areValid(c.ID, c.Name, c.Arguments) {
			return refuse(fmt.Sprintf(".nativeCalls[%d]", i), strconv.Quote(c.ID), allowedCalls)
		}
	}
	if len(m.NativeCalls) < len(calls) {
		return refuse(".nativeCalls", fmt.Sprintf("without the call %.40q", calls[len(m.NativeCalls)]), allowedCalls)
	}
	return nil
}

// check returns the error in a request; allowed is "" if there is none. All requests of a message
// must have the given status. arguments is the number of the request's arguments.
func (q *ToolCallRequest) check(status RequestStatus) (part, value, allowed string, arguments int) {
	switch q.Status {
	case RequestAnswered, RequestDispatched, RequestNotRun:
	default:
		return ".status", strconv.Quote(string(q.Status)), `"answered", "dispatched" or "not_run"`, 0
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
	if !areValid(append(texts, q.JSONArguments...)...) || !utf8.Valid(q.Arguments) {
		return "", "not UTF-8", "text in UTF-8", 0
	}
	list, err := readArguments(q.Arguments, q.JSONArguments)
	if err != nil {
		return ".arguments", err.Error(), "an object of strings, and of JSON values if jsonArguments names them", 0
	}
	return "", "", "", len(list)
}

// replyOf returns the number of the reply in the id of a request; 0 if it has none.
func replyOf(id string) int {
	digits, ordinal, _ := strings.Cut(id, ".")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || strconv.Itoa(n) != digits || ordinal == "" {
		return 0
	}
	return n
}

// encodes reports whether a time can be written as JSON.
func encodes(t time.Time) bool {
	_, err := t.MarshalJSON()
	return err == nil
}

// idsOf lists the ids of the first results.
func idsOf(list []ToolCall) string {
	ids := make([]string, min(len(list), 10))
	for i := range ids {
		ids[i] = list[i].RequestID
	}
	return fmt.Sprintf("%q", ids)
}
