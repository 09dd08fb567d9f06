package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// MarshalText returns the same text as String, or an error if the kind does not exist.
func (k EventKind) MarshalText() ([]byte, error) {
	if int(k) >= len(eventKinds) || eventKinds[k] == "" {
		return nil, fmt.Errorf("engine: there is no event kind %d; "+
			"an event of kind 0 comes with the error of a turn that could not begin", uint8(k))
	}
	return []byte(eventKinds[k]), nil
}

// UnmarshalText reads what MarshalText writes.
func (k *EventKind) UnmarshalText(text []byte) error {
	i := slices.Index(eventKinds[:], string(text))
	if i <= 0 { // the first name is "", of no kind
		return fmt.Errorf("engine: there is no event kind %q", text)
	}
	*k = EventKind(i)
	return nil
}

// The JSON forms of events. The names of their members are stable; docs/loop.md describes them.
type (
	eventJSON struct {
		Kind            EventKind             `json:"kind"`
		Time            time.Time             `json:"time"`
		IterationNumber int                   `json:"iterationNumber"`
		RequestID       string                `json:"requestId,omitempty"`
		Name            string                `json:"name,omitempty"`
		Text            string                `json:"text,omitempty"`
		Request         *requestJSON          `json:"request,omitempty"`
		Risk            tool.Risk             `json:"risk,omitempty"`
		Arguments       json.RawMessage       `json:"arguments,omitempty"`
		Approval        *executor.PendingCall `json:"approval,omitempty"`
		Result          *executor.Result      `json:"result,omitempty"`
		Reason          parser.DropReason     `json:"reason,omitempty"`
		Notice          *noticeJSON           `json:"notice,omitempty"`
		Iteration       *Iteration            `json:"iteration,omitempty"`
		Stop            StopReason            `json:"stop,omitempty"`
		Limit           Limit                 `json:"limit,omitempty"`
		Error           string                `json:"error,omitempty"`
	}
	requestJSON struct {
		protocol.ToolRequest
		Status  parser.Status      `json:"status"`
		Repairs []string           `json:"repairs,omitempty"`
		Err     *scan.RequestError `json:"error,omitempty"`
	}
	noticeJSON struct {
		Code    parser.NoticeCode `json:"code"`
		Message string            `json:"message"`
	}
	replyJSON struct {
		Text      string                `json:"text"`
		Reasoning string                `json:"reasoning,omitempty"`
		Finish    protocol.FinishReason `json:"finish"`
		Dropped   []parser.DropReason   `json:"dropped,omitempty"`
		Notices   []noticeJSON          `json:"notices,omitempty"`
		Repairs   map[string]int        `json:"repairs,omitempty"`
	}
)

func replyOf(r *parser.Reply, reasoning string) replyJSON {
	j := replyJSON{Text: r.Text.String(), Reasoning: reasoning, Finish: r.Finish, Repairs: r.RepairCounts()}
	for _, d := range r.Dropped {
		j.Dropped = append(j.Dropped, d.Reason)
	}
	for _, n := range r.Notices {
		j.Notices = append(j.Notices, noticeJSON{n.Code, n.Message})
	}
	return j
}

// MarshalJSON writes the event with stable names, as docs/loop.md describes them. In the arguments
// of calls the values of secret arguments are masked. Text and requests are as the model wrote
// them.
func (e Event) MarshalJSON() ([]byte, error) {
	j := eventJSON{
		Kind: e.Kind, Time: e.Time, IterationNumber: e.IterationNumber, RequestID: e.RequestID, Name: e.Name,
		Text: e.Text, Arguments: e.Arguments, Result: e.Result, Reason: e.Reason,
		Iteration: e.Iteration, Stop: e.Stop, Limit: e.Limit,
	}
	if q := e.Request; q != nil {
		j.Request = &requestJSON{ToolRequest: q.ToolRequest, Status: q.Status, Err: q.Err}
		for _, r := range q.Repairs {
			j.Request.Repairs = append(j.Request.Repairs, r.Name)
		}
	}
	if e.Method != nil {
		j.Risk, j.Arguments = e.Method.Risk(), e.Method.MaskArguments(e.Arguments)
	}
	if e.Approval != nil {
		p := e.Approval.Pending()
		j.Approval = &p
	}
	if e.Notice != nil {
		j.Notice = &noticeJSON{e.Notice.Code, e.Notice.Message}
	}
	if e.Err != nil {
		j.Error = e.Err.Error()
	}
	return orderedjson.Encode(j)
}

// MarshalJSON writes the iteration with stable names, as docs/loop.md describes them.
func (it Iteration) MarshalJSON() ([]byte, error) {
	return orderedjson.Encode(struct {
		Number     int       `json:"number"`
		Started    time.Time `json:"started"`
		DurationMs float64   `json:"durationMs"`
		replyJSON
		Usage      *Usage             `json:"usage,omitempty"`
		Continued  int                `json:"continued,omitempty"`
		Requests   []executor.Request `json:"requests,omitempty"`
		Results    []executor.Result  `json:"results,omitempty"`
		Dispatched bool               `json:"dispatched,omitempty"`
	}{
		it.Number, it.Started, float64(it.Duration.Microseconds()) / 1000, replyOf(&it.Reply, it.Reasoning), it.Usage,
		it.Continued, it.Requests, it.Results, it.Dispatched,
	})
}

// MarshalJSON writes the cycle with stable names, as docs/loop.md describes them.
func (c CycleResult) MarshalJSON() ([]byte, error) {
	return orderedjson.Encode(struct {
		replyJSON
		Requests      []executor.Request     `json:"requests,omitempty"`
		Pending       []executor.PendingCall `json:"pending,omitempty"`
		Results       []executor.Result      `json:"results,omitempty"`
		ResultMessage *protocol.Message      `json:"resultMessage,omitempty"`
	}{replyOf(&c.Reply, c.Reply.Reasoning), c.Requests, c.Pending, c.Results, c.ResultMessage})
}
