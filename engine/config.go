package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// Mode says who decides whether a request runs.
type Mode string

const (
	// ModeAuto runs the requests of a reply as soon as the reply is complete.
	ModeAuto Mode = "auto"
	// ModeManual dispatches requests to the application and runs nothing.
	ModeManual Mode = "manual"
)

// Config is what an application lets its users set. The tags name the fields in files.
type Config struct {
	// Enabled switches tool calling as a whole. If it is false, the model is shown no tools and
	// nothing that it writes runs.
	Enabled bool `json:"enabled" yaml:"enabled"`
	// Mode is ModeAuto or ModeManual.
	Mode Mode `json:"mode" yaml:"mode"`
	// ToolToggles switches single tools and methods. A key is a tool's id or a method's full name;
	// the full name wins. A key that matches nothing is logged as a warning.
	ToolToggles map[string]bool `json:"toolToggles" yaml:"toolToggles"`
	// DefaultToolEnabled holds for tools and methods that ToolToggles does not name.
	DefaultToolEnabled bool `json:"defaultToolEnabled" yaml:"defaultToolEnabled"`
	// MaxIterations is how many replies of one run may have their requests processed, from 1 to
	// 1000. After that the model writes one last reply without tools.
	MaxIterations int `json:"maxIterations" yaml:"maxIterations"`
	// MaxRequests is how many requests of one reply are processed, from 1 to 1000. Further ones do
	// not run, and the model writes one last reply without tools.
	MaxRequests int `json:"maxRequests" yaml:"maxRequests"`
	// MaxReplyBytes is the maximum length of one reply in bytes, from 1000 to 1,000,000,000. Its
	// text, its reasoning, and the names and arguments of its native calls count together. The
	// parts of a reply that is continued do too. A longer reply is truncated, and nothing of it
	// runs.
	MaxReplyBytes int `json:"maxReplyBytes" yaml:"maxReplyBytes"`
	// MaxCalls is how many requests of one run are processed, from 1 to 100,000; 0 means no limit.
	// After that the model writes one last reply without tools.
	MaxCalls int `json:"maxCalls" yaml:"maxCalls"`
	// MaxTime is how long one run may take, including the time that people need to decide. It is at
	// most 24 hours; 0 means no limit. When it is over, everything under way is canceled.
	MaxTime Duration `json:"maxTime" yaml:"maxTime"`
	// MaxTokens is what the replies of one run may cost, in tokens of prompts and replies together:
	// from 1000 to 1,000,000,000; 0 means no limit. The cost is what the model's server reports, or
	// an estimate if it reports none. While there is still room for it, the model writes one last
	// reply without tools.
	MaxTokens int `json:"maxTokens" yaml:"maxTokens"`
	// HistoryTokens is the maximum length of the conversation that the model is shown, in estimated
	// tokens: from 1000 to 1,000,000,000; 0 means no limit. To stay within it, old results are
	// shortened, and then old messages are omitted.
	HistoryTokens int `json:"historyTokens" yaml:"historyTokens"`
	// Timeout is how long a call may take if its method sets no timeout: above 0, at most 24 hours.
	Timeout Duration `json:"timeout" yaml:"timeout"`
	// Approve says which calls need approval, by the risk of their methods; "" means
	// policy.ApproveWrite. A call that needs approval is denied if Options.Approver is nil.
	Approve policy.Approve `json:"approve" yaml:"approve"`
	// ApproveRules decide on single tools, methods and risks. They win over Approve, as
	// policy.Policy says.
	ApproveRules []policy.Rule `json:"approveRules" yaml:"approveRules"`
	// RequireConfirmation is the older name of policy.ApproveAsk. If it is set, it wins over a
	// laxer Approve.
	RequireConfirmation bool `json:"requireConfirmation" yaml:"requireConfirmation"`
	// ParallelExecution runs the requests of one reply concurrently instead of one after the other.
	ParallelExecution bool `json:"parallelExecution" yaml:"parallelExecution"`
	// ResultTokens is how much of one result the model is given, in estimated tokens: from 200 to
	// 1,000,000; 0 means all of it. Of a longer result the model gets an excerpt, and it can read
	// the rest with the method results_read. A method may have its own budget.
	ResultTokens int `json:"resultTokens" yaml:"resultTokens"`
	// Protocol is the ID of the text protocol; "" means the first of Options.Protocols.
	Protocol string `json:"protocol" yaml:"protocol"`
}

const (
	maxIterationsLimit = 1000
	maxRequestsLimit   = 1000
	maxCallsLimit      = 100_000
	minReplyBytes      = 1000
	replyBytesLimit    = 1_000_000_000
	// The first prompt would exceed a smaller budget.
	minRunTokens      = 1000
	runTokensLimit    = 1_000_000_000
	timeoutLimit      = 24 * time.Hour
	resultTokensLimit = 1_000_000 // more than any model reads
)

// What is allowed, as errors say it.
const (
	allowedBool       = "true or false"
	allowedMode       = `"auto" or "manual"`
	allowedToggles    = "tool ids or full method names, each with true or false"
	allowedIterations = "a whole number from 1 to 1000"
	allowedRequests   = "a whole number from 1 to 1000"
	allowedReplyBytes = "a whole number from 1000 to 1000000000"
	allowedCalls      = "a whole number from 1 to 100000, or 0"
	allowedMaxTime    = `a duration such as "5m" or a whole number of milliseconds, at most 24h, or 0`
	allowedRunTokens  = "a whole number from 1000 to 1000000000, or 0"
	allowedDuration   = `a duration such as "30s" or a whole number of milliseconds`
	allowedTimeout    = `a duration such as "30s" or a whole number of milliseconds, above 0 and at most 24h`
	allowedApprove    = `"ask", "never", "read", "write" or "all"`
	allowedRules      = "a list of rules"
	allowedDecision   = `"allow", "ask" or "deny"`
	allowedRisk       = `"read", "write" or "dangerous"`
	allowedRule       = `decision: ` + allowedDecision + `, with any of tool: an id, method: a full name, risk: ` + allowedRisk
	allowedTokens     = "a whole number from 200 to 1000000, or 0"
	allowedProtocol   = "the id of a protocol"
)

// DefaultConfig returns the default configuration. Tools are enabled in mode auto, and dangerous
// methods need approval. The limits are 10 iterations, 8 MiB and 64 requests a reply, 200 requests
// a run, 30 seconds a call and 2000 tokens a result.
func DefaultConfig() Config {
	return Config{
		Enabled:            true,
		Mode:               ModeAuto,
		DefaultToolEnabled: true,
		MaxIterations:      10,
		MaxRequests:        scan.MaxBlocks,
		MaxReplyBytes:      2 * scan.MaxBlockBytes,
		MaxCalls:           200,
		Timeout:            Duration(30 * time.Second),
		ResultTokens:       executor.DefaultResultTokens,
	}
}

// Validate returns a *ConfigError for the first field with a value that is not allowed. Only New
// can tell whether Protocol exists.
func (c Config) Validate() error {
	if c.Mode != ModeAuto && c.Mode != ModeManual {
		return &ConfigError{Field: "mode", Value: quoted(c.Mode), Allowed: allowedMode}
	}
	if _, blank := c.ToolToggles[""]; blank {
		return &ConfigError{Field: "toolToggles", Value: `""`, Allowed: allowedToggles}
	}
	if c.MaxIterations < 1 || c.MaxIterations > maxIterationsLimit {
		return &ConfigError{Field: "maxIterations", Value: strconv.Itoa(c.MaxIterations), Allowed: allowedIterations}
	}
	if err := c.validateLimits(); err != nil {
		return err
	}
	if c.Timeout <= 0 || time.Duration(c.Timeout) > timeoutLimit {
		return &ConfigError{Field: "timeout", Value: c.Timeout.String(), Allowed: allowedTimeout}
	}
	if !c.Approve.Valid() {
		return &ConfigError{Field: "approve", Value: quoted(c.Approve), Allowed: allowedApprove}
	}
	for i, r := range c.ApproveRules {
		if err := validateRule(i, r); err != nil {
			return err
		}
	}
	if c.ResultTokens != 0 && (c.ResultTokens < executor.MinResultTokens || c.ResultTokens > resultTokensLimit) {
		return &ConfigError{Field: "resultTokens", Value: strconv.Itoa(c.ResultTokens), Allowed: allowedTokens}
	}
	return nil
}

func validateRule(i int, r policy.Rule) error {
	switch r.Decision {
	case policy.Allow, policy.Ask, policy.Deny:
	default:
		return &ConfigError{Field: fmt.Sprintf("approveRules[%d].decision", i), Value: quoted(r.Decision), Allowed: allowedDecision}
	}
	switch r.Risk {
	case "", tool.RiskRead, tool.RiskWrite, tool.RiskDangerous:
		return nil
	}
	return &ConfigError{Field: fmt.Sprintf("approveRules[%d].risk", i), Value: quoted(r.Risk), Allowed: allowedRisk}
}

// quoted returns a text in quotation marks, shortened if it is long.
func quoted[T ~string](s T) string {
	return document.Value{Kind: document.String, Text: string(s)}.String()
}

// validateLimits checks the limits of a run other than MaxIterations.
func (c *Config) validateLimits() error {
	if c.MaxRequests < 1 || c.MaxRequests > maxRequestsLimit {
		return &ConfigError{Field: "maxRequests", Value: strconv.Itoa(c.MaxRequests), Allowed: allowedRequests}
	}
	if !validReplyBytes(c.MaxReplyBytes) {
		return &ConfigError{Field: "maxReplyBytes", Value: strconv.Itoa(c.MaxReplyBytes), Allowed: allowedReplyBytes}
	}
	if c.MaxCalls < 0 || c.MaxCalls > maxCallsLimit {
		return &ConfigError{Field: "maxCalls", Value: strconv.Itoa(c.MaxCalls), Allowed: allowedCalls}
	}
	if c.MaxTime < 0 || time.Duration(c.MaxTime) > timeoutLimit {
		return &ConfigError{Field: "maxTime", Value: c.MaxTime.String(), Allowed: allowedMaxTime}
	}
	if !validRunTokens(c.MaxTokens) {
		return &ConfigError{Field: "maxTokens", Value: strconv.Itoa(c.MaxTokens), Allowed: allowedRunTokens}
	}
	if !validRunTokens(c.HistoryTokens) {
		return &ConfigError{Field: "historyTokens", Value: strconv.Itoa(c.HistoryTokens), Allowed: allowedRunTokens}
	}
	return nil
}

func validReplyBytes(n int) bool { return n >= minReplyBytes && n <= replyBytesLimit }

func validRunTokens(n int) bool { return n == 0 || n >= minRunTokens && n <= runTokensLimit }

// Policy returns which calls run at once, which need approval, and which never run.
func (c Config) Policy() policy.Policy {
	p := policy.Policy{Approve: c.Approve, Rules: c.ApproveRules}
	if c.RequireConfirmation && p.Approve != policy.ApproveNever {
		p.Approve = policy.ApproveAsk
	}
	return p
}

// clone returns a copy that shares nothing with c.
func (c Config) clone() Config {
	c.ToolToggles = maps.Clone(c.ToolToggles)
	c.ApproveRules = slices.Clone(c.ApproveRules)
	return c
}

// ConfigError is a field of a configuration with a value that is not allowed.
type ConfigError struct {
	Field   string // as in a file; "" if the value was read without its field
	Value   string // as a person would write it
	Allowed string
}

// Error names the field, the value and what is allowed.
func (e *ConfigError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("configuration: %s is not allowed; allowed is %s", e.Value, e.Allowed)
	}
	return fmt.Sprintf("configuration: %s is %s; allowed is %s", e.Field, e.Value, e.Allowed)
}

// Duration is a time.Duration that text and files spell as Go does: "30s", "1m30s". A number in a
// file or in JSON means milliseconds.
type Duration time.Duration

// String returns the spelling of time.Duration.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText returns the spelling of time.Duration.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a duration such as "30s", or a whole number of milliseconds. Validate checks
// the range. The error is a *ConfigError without a field.
func (d *Duration) UnmarshalText(data []byte) error {
	s := string(data)
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil && ms > -maxMilliseconds && ms < maxMilliseconds {
		*d = Duration(time.Duration(ms) * time.Millisecond)
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return &ConfigError{Value: quoted(s), Allowed: allowedDuration}
	}
	*d = Duration(v)
	return nil
}

// UnmarshalJSON reads a string like UnmarshalText, and a whole number as milliseconds; null changes
// nothing. The error is a *json.UnmarshalTypeError, to which the decoder adds the field.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil || v == nil {
		return err
	}
	s, isText := v.(string)
	if !isText {
		s = string(data)
	}
	if d.UnmarshalText([]byte(s)) != nil {
		value := fmt.Sprintf("%s (allowed is %s)", text.TruncateRunes(string(data), 60), allowedDuration)
		return &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[Duration]()}
	}
	return nil
}

// maxMilliseconds keeps a number of milliseconds within a time.Duration.
const maxMilliseconds = int64(1<<63-1) / int64(time.Millisecond)
