package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Options set up an Engine. Registry, Protocols and Config are required.
type Options struct {
	// Registry holds the tools. Where Config.ResultTokens is set, the engine adds one of its own: results, whose method read shows
	// more of a result that was cut.
	Registry *tool.Registry
	// Protocols are those that Config.Protocol may name; the first is the default.
	Protocols []protocol.Protocol
	// Model writes the replies. Only Session.Run needs it.
	Model Model
	// Config is what users set. It begins with DefaultConfig: an empty one is an error, since it could be meant as "all off" as
	// well as "as usual".
	Config Config
	// Agent names the agent whose prompts are made, in the cache of prompts.
	Agent string
	// Filter, if set, hides methods besides those that Config hides; FilterKey names it, as discovery.Options says.
	Filter    func(*tool.Entry) bool
	FilterKey string
	// Approver is asked to approve calls if Config.Policy says so; nil denies them. SessionFrom returns the
	// session of the call.
	Approver executor.Approver
	// ApprovalTimeout is how long an answer may take before the call is denied; 0 waits until the run ends.
	ApprovalTimeout time.Duration
	// Middlewares wrap every handler; the first is outermost.
	Middlewares []tool.Middleware
	// MaxConcurrent is how many calls run at once, over all sessions; 0 is any number. Calls wait in the order in which they come, and
	// the wait is no part of a tool's time.
	MaxConcurrent int
	// MaxAbandoned is how many abandoned calls of one tool may still run before its further calls are
	// refused; 0 means 4.
	MaxAbandoned int
	// Summarize, if set, is asked for a text of at most that many tokens in place of a result that is over
	// Config.ResultTokens, as executor.ResultLimit.Summarize says.
	Summarize func(ctx context.Context, full executor.FullResult, tokens int) (string, error)
	// EstimateTokens says what a text costs; nil is protocol.EstimateTokens.
	EstimateTokens protocol.TokenEstimator
	// Audit takes one record for each request that the engine answers; nil keeps none.
	Audit executor.AuditFunc
	// Reading says how replies are read. Its Finish and TakesArgument are the engine's own.
	Reading parser.Options
	// Prompt shapes what the model is told of tools.
	Prompt protocol.PromptOptions
	// Logger is for people; nil is slog.Default. It never receives the texts of a conversation.
	Logger *slog.Logger
}

// Engine is what all sessions of an application share. It is safe for concurrent use.
type Engine struct {
	options   Options
	discovery *discovery.Discovery
	settings  atomic.Pointer[settings]
	stats     counter
	executor  *executor.Executor // shares what runs with those of all settings
	warned    sync.Map           // what has been warned of: a configuration is mostly replaced by one that differs in little
}

// settings are all that follows from a configuration; never changed, only replaced.
type settings struct {
	config    Config
	protocol  protocol.Protocol
	executor  *executor.Executor
	discovery discovery.Options
	reading   parser.Options
	policy    policy.Policy
	stop      []string // at which a model that calls in text should end its reply
}

// New returns an Engine, or an error that names the option that is wrong: a *ConfigError where it is in the configuration. What may be
// a mistake is warned of in the log, as SetConfig says.
func New(o Options) (*Engine, error) {
	if o.Registry == nil {
		return nil, errors.New("engine: Options.Registry is missing; make one with tool.NewRegistry")
	}
	if len(o.Protocols) == 0 {
		return nil, errors.New("engine: Options.Protocols is empty; name at least one protocol")
	}
	seen := map[string]bool{}
	for i, p := range o.Protocols {
		if p == nil {
			return nil, fmt.Errorf("engine: Options.Protocols[%d] is nil", i)
		}
		if seen[p.ID()] {
			return nil, fmt.Errorf("engine: Options.Protocols holds two protocols with the id %q", p.ID())
		}
		seen[p.ID()] = true
	}
	if reflect.ValueOf(o.Config).IsZero() {
		return nil, errors.New("engine: Options.Config is empty; begin with engine.DefaultConfig()")
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	e := &Engine{options: o, discovery: discovery.New(o.Registry), executor: executor.New(o.Registry, executor.Options{})}
	if err := e.SetConfig(o.Config); err != nil {
		return nil, err
	}
	return e, nil
}

// Config returns a copy of the configuration that holds now.
func (e *Engine) Config() Config { return e.settings.Load().config.clone() }

// SetConfig replaces the configuration. A run that is under way goes on with the old one, except for what may run: what is switched
// off, or not allowed any more, stops running at once, and in ModeManual the run hands the requests of its next complete reply out.
//
// A name in ToolToggles that no registered tool or method has is warned of in the log, once: it may be misspelt, and then it switches
// nothing. So is an argument of a method that models are told of whose name the protocol cannot carry (protocol.ArgumentCarrier). Where
// the argument is required, so that no model could ever call the method, that is an error; it stays a warning where Options.Model may
// call natively, since native calls carry any name, or where there is an Options.Filter, which may hide the method. Methods that are
// registered later are checked with the next configuration.
func (e *Engine) SetConfig(c Config) error {
	if err := c.Validate(); err != nil {
		return err
	}
	p, err := e.protocolNamed(c.Protocol)
	if err != nil {
		return err
	}
	o := e.options
	s := &settings{config: c.clone(), protocol: p, reading: o.Reading}
	s.policy = s.config.Policy()
	s.discovery = discovery.Options{
		Protocol: p, Agent: o.Agent, Enabled: c.Enabled, ToolToggles: s.config.ToolToggles, DefaultToolEnabled: c.DefaultToolEnabled,
		Prompt: o.Prompt,
	}
	e.filter(s)
	s.executor = e.executor.With(executor.Options{
		Timeout: time.Duration(c.Timeout), Parallel: c.ParallelExecution, Approver: o.Approver,
		ApprovalTimeout: o.ApprovalTimeout, MaxConcurrent: o.MaxConcurrent, MaxAbandoned: o.MaxAbandoned,
		Middlewares: o.Middlewares, Audit: auditBySession(o.Audit), Logger: o.Logger,
		ResultLimit: executor.ResultLimit{
			Tokens: c.ResultTokens, Estimate: o.EstimateTokens, Summarize: o.Summarize, Keep: e.keepResult, ReadMethod: readMethod,
		},
	})
	if s.reading.Logger == nil {
		s.reading.Logger = o.Logger
	}
	if stopper, ok := p.(protocol.Stopper); ok && c.Enabled {
		s.stop = slices.Clip(stopper.StopSequences())
	}
	s.reading.TakesArgument = e.takesArgument
	if blocks := s.reading.Limits.Blocks; blocks <= 0 || blocks > c.MaxRequests {
		s.reading.Limits.Blocks = c.MaxRequests
	}
	if _, err := parser.New(p, s.reading); err != nil {
		return fmt.Errorf("engine: Options.Reading: %w", err)
	}
	if err := e.checkArguments(s); err != nil {
		return err
	}
	if c.ResultTokens > 0 {
		if err := e.registerResultsTool(); err != nil {
			return err
		}
	}
	e.settings.Store(s)
	e.warnOfToggles(s.config.ToolToggles)
	return nil
}

// filter hides what the application's filter hides, and the engine's own tool where it is of no use.
func (e *Engine) filter(s *settings) {
	o := &e.options
	s.discovery.Filter = func(method *tool.Entry) bool {
		if isResultsTool(method) && !e.showsResultsTool(s) {
			return false
		}
		return o.Filter == nil || o.Filter(method)
	}
	if o.Filter == nil || o.FilterKey != "" {
		s.discovery.FilterKey = fmt.Sprintf("results=%t %s", s.config.ResultTokens > 0, o.FilterKey)
	}
}

// auditBySession adds the session's id to what goes on record.
func auditBySession(audit executor.AuditFunc) executor.AuditFunc {
	if audit == nil {
		return nil
	}
	return func(ctx context.Context, r executor.AuditRecord) error {
		if s := SessionFrom(ctx); s != nil {
			r.Session = s.id
		}
		return audit(ctx, r)
	}
}

func (e *Engine) protocolNamed(id string) (protocol.Protocol, error) {
	if id == "" {
		return e.options.Protocols[0], nil
	}
	var ids []string
	for _, p := range e.options.Protocols {
		if p.ID() == id {
			return p, nil
		}
		ids = append(ids, strconv.Quote(p.ID()))
	}
	return nil, &ConfigError{Field: "protocol", Value: strconv.Quote(id), Allowed: strings.Join(ids, " or ")}
}

// takesArgument reports whether a visible method of that full name declares the argument.
func (e *Engine) takesArgument(toolName, argument string) bool {
	method, ok := e.options.Registry.Lookup(toolName)
	if !ok || !e.Visible(method) {
		return false
	}
	for _, p := range method.Method.Parameters.Properties() {
		if p.Name == argument {
			return true
		}
	}
	return false
}

// Abandoned returns the calls whose time is over and whose handlers go on all the same, oldest first.
func (e *Engine) Abandoned() []executor.AbandonedCall { return e.executor.Abandoned() }

// Visible reports whether models may see and call the method as things are now.
func (e *Engine) Visible(method *tool.Entry) bool { return e.settings.Load().discovery.Visible(method) }

// InvalidatePrompts drops all cached prompts. It is needed only where Options.Filter has changed its mind under the same key.
func (e *Engine) InvalidatePrompts() { e.discovery.Invalidate() }
