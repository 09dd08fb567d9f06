package engine

import (
	"maps"
	"slices"

	"github.com/vcpgo/vcp/executor/policy"
)

// Mode says who decides whether a request runs.
type Mode string

const (
	// ModeAuto runs the requests of a reply as soon as the reply is complete.
	ModeAuto Mode = "auto"
	// ModeManual dispatches requests to the application and runs nothing.
	ModeManual Mode = "manual"
)

// Config is what an application lets its users set. The tags name the fields in files. ConfigFields
// describes each field.
type Config struct {
	// Enabled switches all tool calling on. If it is false, the model is shown no tools and
	// nothing that it writes runs.
	Enabled bool `json:"enabled" yaml:"enabled"`
	// Mode is ModeAuto or ModeManual.
	Mode Mode `json:"mode" yaml:"mode"`
	// ToolToggles switches single tools and methods on or off. A key is a tool's id or a method's
	// full name. The full name wins if the map has both. A key that matches nothing is logged as a
	// warning.
	ToolToggles map[string]bool `json:"toolToggles" yaml:"toolToggles"`
	// DefaultToolEnabled applies to tools and methods that ToolToggles does not name. Methods with
	// tool.OptIn stay disabled.
	DefaultToolEnabled bool `json:"defaultToolEnabled" yaml:"defaultToolEnabled"`
	// MaxIterations is how many replies of one run may have their requests processed, from 1 to
	// 1000. After that the model writes one last reply without tools. If that reply requests a tool
	// again, the model writes one more.
	MaxIterations int `json:"maxIterations" yaml:"maxIterations"`
	// MaxRequests is how many requests of one reply are processed, from 1 to 1000. Further ones do
	// not run, and the model writes one last reply without tools.
	MaxRequests int `json:"maxRequests" yaml:"maxRequests"`
	// MaxReplyBytes is the maximum length of one reply in bytes, from 1000 to 1,000,000,000. The
	// length includes text, reasoning, the names and arguments of native calls, and all parts of a
	// reply that is continued. A longer reply is truncated, and nothing of it runs.
	MaxReplyBytes int `json:"maxReplyBytes" yaml:"maxReplyBytes"`
	// MaxCalls is how many requests of one run are processed, from 1 to 100,000; 0 means no limit.
	// The calls that a script makes (Session.CallWithin) count, too. After that the model writes
	// one last reply without tools.
	MaxCalls int `json:"maxCalls" yaml:"maxCalls"`
	// MaxTime is how long one run may take, including the time that people need to decide. It is at
	// most 24 hours; 0 means no limit. After that time the run and its calls are canceled.
	MaxTime Duration `json:"maxTime" yaml:"maxTime"`
	// MaxTokens is what the replies of one run may cost, in tokens of prompts and replies together:
	// from 1000 to 1,000,000,000; 0 means no limit. The cost is what the model's server reports, or
	// an estimate if it reports none. If two more replies that cost as much as the last one would
	// exceed the limit, the model writes one last reply without tools. If the limit is reached
	// already, the run ends.
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
	// ApproveRules decide on single tools, methods and risks. They override Approve, as
	// policy.Policy says.
	ApproveRules []policy.Rule `json:"approveRules" yaml:"approveRules"`
	// RequireConfirmation is the older name of policy.ApproveAsk. If it is set, it overrides every
	// Approve except policy.ApproveNever.
	RequireConfirmation bool `json:"requireConfirmation" yaml:"requireConfirmation"`
	// ParallelExecution runs the requests of one reply concurrently instead of one after the other.
	ParallelExecution bool `json:"parallelExecution" yaml:"parallelExecution"`
	// ResultTokens is how much of one result the model is given, in estimated tokens: from 200 to
	// 1,000,000; 0 means all of it. Of a longer result the model gets an excerpt, and it can read
	// the rest with the method results_read. A method may have its own limit.
	ResultTokens int `json:"resultTokens" yaml:"resultTokens"`
	// PromptMethods and PromptTokens limit what the prompt lists: how many methods, from 1 to
	// 100,000, and their definitions in estimated tokens, from 200 to 1,000,000; 0 means no limit.
	// Beyond a limit the prompt lists only the methods of PinnedTools, the engine's own methods,
	// and methods that the model has found with tools_search. The model can call all visible
	// methods in any case.
	PromptMethods int `json:"promptMethods" yaml:"promptMethods"`
	PromptTokens  int `json:"promptTokens" yaml:"promptTokens"`
	// PinnedTools names the tools and methods that the prompt lists in any case: those whose value
	// is true. The keys are as in ToolToggles. A key that matches nothing is logged as a warning.
	PinnedTools map[string]bool `json:"pinnedTools" yaml:"pinnedTools"`
	// Protocol is the ID of the text protocol; "" means the first of Options.Protocols.
	Protocol string `json:"protocol" yaml:"protocol"`
}

// Policy returns which calls run without approval, which need it, and which never run.
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
	c.PinnedTools = maps.Clone(c.PinnedTools)
	c.ApproveRules = slices.Clone(c.ApproveRules)
	return c
}
