package engine

import (
	"context"
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Options set up an Engine. Registry, Protocols and Config are required.
type Options struct {
	// Registry contains the tools. Engines with the same registry share the limits on calls (the
	// Concurrency and Uses of methods, MaxConcurrent, MaxAbandoned) and the caches of prompts and
	// results. The engine registers methods of its own: results_read, which returns the parts that
	// an excerpt omits, if Config.ResultTokens is set; and tools_search, which finds methods that
	// the prompt does not list, if Config.PromptMethods or PromptTokens is set.
	Registry *tool.Registry
	// Protocols are the protocols that Config.Protocol may name; the first is the default.
	Protocols []protocol.Protocol
	// Model writes the replies. Only Run and Resume of Session need it.
	Model Model
	// Config contains the settings for users. Begin with DefaultConfig: the zero value is an error,
	// because it could mean "all off" or "the defaults".
	Config Config
	// Filter, if set, hides methods in addition to those that Config hides. It may hide
	// results_read, but not tools_search, which a session shows if its prompt needs it. FilterKey
	// names the filter, as discovery.Options says.
	Filter    func(*tool.Entry) bool
	FilterKey string
	// Approver is asked to approve calls if Config.Policy says so; nil denies them. SessionFrom
	// returns the session of the call.
	Approver executor.Approver
	// ApprovalTimeout is how long an approval may take before the call is denied; 0 waits until the
	// run ends.
	ApprovalTimeout time.Duration
	// Middlewares wrap every handler; the first is outermost.
	Middlewares []tool.Middleware
	// MaxConcurrent is how many calls run at once in all sessions of all engines on the Registry; 0
	// means no limit. Calls wait in order of arrival, and the wait does not count against a tool's
	// timeout.
	MaxConcurrent int
	// MaxAbandoned is how many abandoned calls (executor.AbandonedCall) of one tool may still run
	// before its further calls are refused; 0 means 4.
	MaxAbandoned int
	// Summarize, if set, shortens a result that exceeds Config.ResultTokens. It returns a text of
	// at most the given number of tokens, as executor.ResultLimit.Summarize says.
	Summarize func(ctx context.Context, full executor.FullResult, tokens int) (string, error)
	// EstimateTokens estimates the tokens of a text; nil means protocol.EstimateTokens.
	EstimateTokens protocol.TokenEstimator
	// Audit receives one record for each request to which the engine gives a result, with the
	// session's id and owner; nil means that no records are kept.
	Audit executor.AuditFunc
	// Secrets returns secrets of the application that Engine.Secrets would not know, such as tokens
	// of its own API; nil means that there are none. It must be safe for concurrent use. The engine
	// remembers secrets that a later call does not return.
	Secrets func() []string
	// Profile says how replies are read and how tools are described; nil means the profile of the
	// Model if it is a ProfiledModel, and otherwise the zero Profile. A Profile replaces the
	// model's as a whole.
	Profile *Profile
	// Logger is for people; nil means slog.Default. It never receives the texts of a conversation.
	Logger *slog.Logger
}
