package executor

import (
	"encoding/json"
	"math"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// resultJSON is the JSON form of a Result. Its names are stable; docs/loop.md describes them.
type resultJSON struct {
	RequestID  string                `json:"requestId"`
	ResultID   string                `json:"resultId"`
	Label      string                `json:"label,omitempty"`
	CallID     string                `json:"callId,omitempty"`
	ToolName   string                `json:"toolName"`
	Method     string                `json:"method,omitempty"`
	Arguments  json.RawMessage       `json:"arguments,omitempty"`
	Digest     Digest                `json:"digest,omitempty"`
	Edited     bool                  `json:"edited,omitempty"`
	Decision   policy.Decision       `json:"decision,omitempty"`
	DecidedBy  DecidedBy             `json:"decidedBy,omitempty"`
	Why        string                `json:"why,omitempty"`
	Provenance *Provenance           `json:"provenance,omitempty"`
	Status     protocol.ResultStatus `json:"status"`
	ErrorType  string                `json:"errorType,omitempty"`
	Suggestion string                `json:"suggestion,omitempty"`
	Result     string                `json:"result"`
	Problems   []schema.Problem      `json:"problems,omitempty"`
	Repaired   []schema.Repaired     `json:"repaired,omitempty"`
	Details    json.RawMessage       `json:"details,omitempty"`
	Files      []tool.File           `json:"files,omitempty"`
	RawBytes   int                   `json:"rawBytes"`
	Tokens     int                   `json:"tokens"`
	Excerpted  bool                  `json:"excerpted,omitempty"`
	Summarized bool                  `json:"summarized,omitempty"`
	Retries    int                   `json:"retries,omitempty"`
	Cached     bool                  `json:"cached,omitempty"`
	Started    time.Time             `json:"started"`
	DurationMs float64               `json:"durationMs"`
}

// MarshalJSON writes the result with stable names. Values of secret arguments are masked. Details
// that do not encode are omitted.
func (r Result) MarshalJSON() ([]byte, error) {
	j := resultJSON{
		RequestID: r.ID, ResultID: r.ResultID, Label: r.Label,
		CallID: r.CallID, ToolName: r.ToolName, Method: r.Method,
		Edited: r.Edited, Decision: r.Decision, DecidedBy: r.DecidedBy, Why: r.Why, Provenance: r.Provenance,
		Status: r.Status, ErrorType: r.ErrorType,
		Suggestion: r.Suggestion, Result: r.ToolResult.Result,
		Problems: r.Problems, Repaired: r.Repaired, Details: detailsJSON(r.Details),
		Files: r.Files, RawBytes: r.RawBytes, Tokens: r.Tokens,
		Excerpted: r.Excerpted, Summarized: r.Summarized, Retries: r.Retries,
		Cached: r.Cached, Started: r.Started, DurationMs: milliseconds(r.Duration),
	}
	switch {
	case r.Arguments == nil:
	case r.digest != "":
		j.Arguments = r.Arguments // masked already
	case r.entry != nil:
		j.Arguments = r.entry.MaskArguments(r.Arguments)
	}
	j.Digest, _ = r.Digest()
	return orderedjson.Encode(j)
}

// UnmarshalJSON reads what MarshalJSON writes. Secrets stay masked in Arguments, and Details are
// JSON. Digest still returns the digest of the call.
func (r *Result) UnmarshalJSON(data []byte) error {
	var j resultJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*r = Result{
		ToolResult: protocol.ToolResult{
			ResultID: j.ResultID, ToolName: j.ToolName, Status: j.Status,
			ErrorType: j.ErrorType, Suggestion: j.Suggestion, Result: j.Result,
		},
		ID: j.RequestID, Label: j.Label, CallID: j.CallID, Method: j.Method,
		Arguments: j.Arguments, Edited: j.Edited, Decision: j.Decision,
		DecidedBy: j.DecidedBy, Why: j.Why, Provenance: j.Provenance, Problems: j.Problems, Repaired: j.Repaired,
		Files: j.Files, RawBytes: j.RawBytes,
		Tokens: j.Tokens, Excerpted: j.Excerpted, Summarized: j.Summarized,
		Retries: j.Retries, Cached: j.Cached, Started: j.Started,
		Duration: time.Duration(math.Round(j.DurationMs * float64(time.Millisecond))), digest: j.Digest,
	}
	if j.Details != nil {
		r.Details = j.Details
	}
	return nil
}

// Limits of what is kept of a result for people, in bytes.
const (
	maxKeptDetails = 1 << 20
	maxKeptFiles   = 16 << 20
)

// Kept returns the result in the form that is stored, with secret arguments masked. Details are
// JSON, or nil if they do not encode or take more than 1 MiB. Files are the first ones, up to 16
// MiB together. Digest still returns the digest of the call.
func (r *Result) Kept() Result {
	k := *r
	if r.Arguments != nil {
		k.digest, _ = r.Digest()
		if r.entry != nil {
			k.Arguments = r.entry.MaskArguments(r.Arguments)
		}
	}
	k.entry, k.Details, k.Files = nil, nil, nil
	if details := detailsJSON(r.Details); details != nil && len(details) <= maxKeptDetails {
		k.Details = details
	}
	bytes := 0
	for _, f := range r.Files {
		if bytes += len(f.Name) + len(f.MediaType) + len(f.Data); bytes > maxKeptFiles {
			break
		}
		k.Files = append(k.Files, f)
	}
	return k
}

// detailsJSON encodes what a tool returned for people. It returns nil if the encoding fails or
// panics.
func detailsJSON(details any) (raw json.RawMessage) {
	if details == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			raw = nil
		}
	}()
	raw, err := orderedjson.Encode(details)
	if err != nil {
		return nil
	}
	return raw
}

// MarshalJSON writes the call with stable names. Values of secret arguments are masked.
func (c HostRunCall) MarshalJSON() ([]byte, error) {
	return orderedjson.Encode(struct {
		RequestID string          `json:"requestId"`
		Method    string          `json:"method"`
		Arguments json.RawMessage `json:"arguments"`
		Deadline  time.Time       `json:"deadline"`
	}{c.ID, c.Method.FullName, c.Method.MaskArguments(c.Arguments), c.Deadline})
}
