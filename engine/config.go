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
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Mode says who decides that a request runs.
type Mode string

const (
	// ModeAuto runs requests as soon as the reply that holds them is complete.
	ModeAuto Mode = "auto"
	// ModeManual hands requests out and runs nothing.
	ModeManual Mode = "manual"
)

// Config is what an application lets its users set. The names in files are those of the tags.
type Config struct {
	// Enabled switches tool calling as a whole. Without it the model is told of no tools and nothing that it writes runs.
	Enabled bool `json:"enabled" yaml:"enabled"`
	// Mode is ModeAuto or ModeManual.
	Mode Mode `json:"mode" yaml:"mode"`
	// ToolToggles switches single tools and methods. A key is a tool's id or a method's full name; the full name wins. One that no
	// registered tool or method has switches nothing, and is warned of in the log.
	ToolToggles map[string]bool `json:"toolToggles" yaml:"toolToggles"`
	// DefaultToolEnabled holds for what ToolToggles does not name.
	DefaultToolEnabled bool `json:"defaultToolEnabled" yaml:"defaultToolEnabled"`
	// MaxIterations is how many replies of one run may have their requests answered, from 1 to 1000. After that the model
	// writes one last reply without tools.
	MaxIterations int `json:"maxIterations" yaml:"maxIterations"`
	// MaxRequests is how many requests of one reply are answered, from 1 to 1000. What is beyond them is not run, and the model writes
	// one last reply without tools.
	MaxRequests int `json:"maxRequests" yaml:"maxRequests"`
	// MaxReplyBytes is how long one reply may be, in bytes, from 1000 to 1,000,000,000: its text, its reasoning and the names and
	// arguments of its native calls together. A longer one is incomplete: the model is not listened to any more, and nothing of the
	// reply runs. The parts of a reply that is continued count together.
	MaxReplyBytes int `json:"maxReplyBytes" yaml:"maxReplyBytes"`
	// MaxCalls is how many requests of one run are answered, from 1 to 100,000, or 0 for any number. After that the model writes one
	// last reply without tools.
	MaxCalls int `json:"maxCalls" yaml:"maxCalls"`
	// MaxTime is how long one run may take, people's answers included: at most 24 hours, or 0 for any time. Then what is under way is
	// canceled.
	MaxTime Duration `json:"maxTime" yaml:"maxTime"`
	// MaxTokens is what the replies of one run may cost, in tokens of prompts and replies together as the model's server counts them or,
	// where it does not, as estimated: from 1000 to 1,000,000,000, or 0 for any number. While there is still room for it, the model
	// writes one last reply without tools.
	MaxTokens int `json:"maxTokens" yaml:"maxTokens"`
	// HistoryTokens is how long the conversation may be that the model is shown, in estimated tokens: from 1000 to 1,000,000,000,
	// or 0 for any length. Where it is longer, old results are shortened and then, if need be, old messages left out.
	HistoryTokens int `json:"historyTokens" yaml:"historyTokens"`
	// Timeout is how long a method may take that sets no time of its own: above 0, at most 24 hours.
	Timeout Duration `json:"timeout" yaml:"timeout"`
	// Approve says for which calls Options.Approver is asked, by what their methods may do; "" is policy.ApproveWrite. Where there
	// is no one to ask, what would be asked for is denied.
	Approve policy.Approve `json:"approve" yaml:"approve"`
	// ApproveRules decide on single tools, methods and risks, and win over Approve, as policy.Policy says.
	ApproveRules []policy.Rule `json:"approveRules" yaml:"approveRules"`
	// RequireConfirmation is the older name of Approve: policy.ApproveAsk. Where it is set, it wins over a laxer Approve.
	RequireConfirmation bool `json:"requireConfirmation" yaml:"requireConfirmation"`
	// ParallelExecution runs the requests of one reply at the same time instead of one after the other.
	ParallelExecution bool `json:"parallelExecution" yaml:"parallelExecution"`
	// ResultTokens is how much of one result the model is given, in estimated tokens: from 200 to 1,000,000, or 0 for all. What is
	// longer is cut, and can be read page by page with the method results_read. A method may have a budget of its own.
	ResultTokens int `json:"resultTokens" yaml:"resultTokens"`
	// Protocol is the ID of the text protocol; "" is the first of Options.Protocols.
	Protocol string `json:"protocol" yaml:"protocol"`
}

const (
	maxIterationsLimit = 1000
	maxRequestsLimit   = 1000
	maxCallsLimit      = 100_000
	minReplyBytes      = 1000
	replyBytesLimit    = 1_000_000_000
	// A budget below this would be used up by the first prompt.
	minRunTokens      = 1000
	runTokensLimit    = 1_000_000_000
	timeoutLimit      = 24 * time.Hour
	resultTokensLimit = 1_000_000 // more than models take in
)

// What is allowed, in the words of an error.
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

// DefaultConfig returns the configuration that holds where nothing else is said: tools enabled, mode auto, 10 iterations, 8 MiB and 64
// requests a reply, 200 a run, any time and tokens, 30 seconds a call, one call after the other, dangerous methods asked for, 2000 tokens a
// result.
func DefaultConfig() Config {
	return Config{
		Enabled:            true,
		Mode:               ModeAuto,
		DefaultToolEnabled: true,
		MaxIterations:      10,
		MaxRequests:        protocol.MaxBlocks,
		MaxReplyBytes:      2 * protocol.MaxBlockBytes,
		MaxCalls:           200,
		Timeout:            Duration(30 * time.Second),
		ResultTokens:       executor.DefaultResultTokens,
	}
}

// Validate returns a *ConfigError for the first field that holds a value it may not hold. Whether Protocol exists is known to
// New alone.
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

// quoted shows a text that may be of any length.
func quoted[T ~string](text T) string {
	return document.Value{Kind: document.String, Text: string(text)}.String()
}

// validateLimits checks the bounds of a run beside MaxIterations.
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

// Policy returns which calls run at once, which are asked for, and which never run.
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

// ConfigError is a field of a configuration that holds a value it may not hold.
type ConfigError struct {
	Field   string // as in a file; "" where a value was read by itself
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

// Duration is a time.Duration that text and files spell as Go does: "30s", "1m30s". A number in a file or in JSON is one of milliseconds.
type Duration time.Duration

// String returns the spelling of time.Duration.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText returns the spelling of time.Duration.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a duration such as "30s", or a whole number of milliseconds. The range is left to Validate. The error is a
// *ConfigError without a field.
func (d *Duration) UnmarshalText(text []byte) error {
	s := string(text)
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

// UnmarshalJSON reads a string as UnmarshalText does, and a whole number as milliseconds; null changes nothing. The error is a
// *json.UnmarshalTypeError, in which the decoder names the field.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil || v == nil {
		return err
	}
	text, quoted := v.(string)
	if !quoted {
		text = string(data)
	}
	if d.UnmarshalText([]byte(text)) != nil {
		return &json.UnmarshalTypeError{Value: fmt.Sprintf("%.60s (allowed is %s)", data, allowedDuration), Type: reflect.TypeFor[Duration]()}
	}
	return nil
}

// maxMilliseconds keeps a number of milliseconds within a time.Duration.
const maxMilliseconds = int64(1<<63-1) / int64(time.Millisecond)
