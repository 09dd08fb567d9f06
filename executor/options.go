package executor

import (
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

const (
	defaultTimeout     = 30 * time.Second
	defaultMaxAttempts = 3
	// defaultMaxAbandoned is enough for tools that are slow to notice a canceled context. It is so
	// small that the calls of a tool that hangs do not fill the process.
	defaultMaxAbandoned = 4
)

// Options set up an Executor. The zero value is ready to use; it runs one request after the other.
type Options struct {
	// Timeout limits the runs of a method that sets no timeout of its own; 0 means 30 seconds.
	Timeout time.Duration
	// Parallel runs the requests of one Execute at the same time.
	Parallel bool
	// Policy applies in conversations whose Conversation.Policy is nil.
	Policy policy.Policy
	// Approver is asked to approve calls; nil denies them.
	Approver Approver
	// ApprovalTimeout is how long an answer may take before the call is denied; 0 waits until there
	// is an answer or the run ends.
	ApprovalTimeout time.Duration
	// Middlewares wrap every handler; the first is outermost. They run within the tool's timeout,
	// once for each call: retries and cached results are inside them.
	Middlewares []tool.Middleware
	// MaxConcurrent limits how many calls run at once, over all executors on the registry; 0 means
	// that calls of this executor start without a limit. Calls wait in order of arrival, and the
	// wait does not count against a tool's timeout. A call that runs other calls through an
	// executor counts meanwhile, too, unless its method is Composite.
	MaxConcurrent int
	// MaxAbandoned is how many abandoned calls (AbandonedCall) of one tool may still run before its
	// further calls are refused; 0 means 4. Calls that are already running may exceed this limit
	// when they time out.
	MaxAbandoned int
	// MaxAttempts is how often an idempotent method is tried; 0 means 3, and 1 never retries.
	MaxAttempts int
	// ResultLimit limits what a result puts into the model's context.
	ResultLimit ResultLimit
	// Audit takes one record for each request; nil keeps none.
	Audit AuditFunc
	// Logger receives what people should know and models should not; nil means slog.Default.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxAttempts <= 0 {
		o.MaxAttempts = defaultMaxAttempts
	}
	if o.MaxAbandoned <= 0 {
		o.MaxAbandoned = defaultMaxAbandoned
	}
	if o.ResultLimit.SummaryTimeout <= 0 {
		o.ResultLimit.SummaryTimeout = defaultSummaryTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}
