package engine

import (
	"cmp"
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
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Engine is what all sessions of an application share. It is safe for concurrent use.
type Engine struct {
	options   Options
	number    int64 // unique in the process; keeps the FilterKeys of several engines apart
	discovery *discovery.Discovery
	settings  atomic.Pointer[settings]
	profiled  atomic.Pointer[profiled] // the settings for the last profile that was used
	stats     counter
	warnings  warnings

	mu     sync.Mutex
	named  []string // the secrets that the model and the application named last, sorted
	former []string // the secrets that they named before, oldest first
}

// lastNumber is the number of the engine that was created last.
var lastNumber atomic.Int64

// New returns an Engine, or an error that names the wrong option. The error for a value of the
// configuration that is not allowed is a *ConfigError. Possible mistakes are logged as warnings, as
// SetConfig says.
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
			return nil, fmt.Errorf("engine: Options.Protocols[%d] must not be nil", i)
		}
		if seen[p.ID()] {
			return nil, fmt.Errorf(
				"engine: Options.Protocols contains two protocols with the id %q; remove one", p.ID())
		}
		seen[p.ID()] = true
	}
	if reflect.ValueOf(o.Config).IsZero() {
		return nil, errors.New("engine: Options.Config is empty; start from engine.DefaultConfig()")
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	e := &Engine{
		options: o, discovery: discovery.New(o.Registry), number: lastNumber.Add(1),
		warnings: warnings{logger: o.Logger},
	}
	if err := e.SetConfig(o.Config); err != nil {
		return nil, err
	}
	return e, nil
}

// Secrets returns the secrets that no stored conversation may contain: those of Options.Secrets,
// of the Registry (tool.Registry.Secrets) and, if it has a method Secrets() []string, of the Model.
// A secret that a previous call returned stays in the list, within the limits of Registry.Secrets.
// The list is sorted, and the caller owns it.
func (e *Engine) Secrets() []string {
	var own []string
	if m, ok := e.options.Model.(interface{ Secrets() []string }); ok {
		own = append(own, m.Secrets()...)
	}
	if e.options.Secrets != nil {
		own = append(own, e.options.Secrets()...)
	}
	slices.Sort(own)
	e.mu.Lock()
	if !slices.Equal(own, e.named) { // a call without changes must not count secrets in use as former ones
		e.named, e.former = own, secrets.Remember(e.former, e.named)
	}
	list := slices.Concat(e.options.Registry.Secrets(), own, e.former)
	e.mu.Unlock()
	slices.Sort(list)
	return slices.Compact(list)
}

// Config returns a copy of the current configuration.
func (e *Engine) Config() Config { return e.settings.Load().config.clone() }

// SetConfig replaces the configuration. A run in progress continues with the old one, with two
// exceptions. Calls that have not started follow the new toggles and the new policy. If the new
// Mode is ModeManual, the run dispatches the requests of its next complete reply.
//
// SetConfig logs a warning for each name in ToolToggles or PinnedTools that no registered tool or
// method has, because the name may be misspelled. It logs a warning only once. It also warns about
// two things in methods that the configuration enables, even if Options.Filter hides them: an
// argument whose name the protocol cannot carry (protocol.ArgumentCarrier), and a keyword of the
// schema that is not checked (schema.Schema.Unchecked).
//
// If an argument that the protocol cannot carry is required, no model could call the method in
// text, and SetConfig returns an error. It only warns if Options.Model may call natively, because
// native calls carry any name. It also only warns if Options.Filter is set, because the filter may
// hide the method. Methods that are registered later are checked with the next configuration.
func (e *Engine) SetConfig(c Config) error {
	if err := c.Validate(); err != nil {
		return err
	}
	p, err := e.protocolNamed(c.Protocol)
	if err != nil {
		return err
	}
	o := e.options
	s := &settings{config: c.clone(), protocol: p}
	s.discovery = discovery.Options{
		Protocol: p, Enabled: c.Enabled, ToolToggles: s.config.ToolToggles,
		DefaultToolEnabled: c.DefaultToolEnabled,
	}
	e.setFilter(s)
	s.executor = executor.New(o.Registry, executor.Options{
		Timeout: time.Duration(c.Timeout), Parallel: c.ParallelExecution, Approver: o.Approver,
		ApprovalTimeout: o.ApprovalTimeout, MaxConcurrent: o.MaxConcurrent, MaxAbandoned: o.MaxAbandoned,
		Middlewares: o.Middlewares, Audit: o.Audit, Logger: o.Logger,
		ResultLimit: executor.ResultLimit{
			Tokens: c.ResultTokens, Estimate: o.EstimateTokens, Summarize: o.Summarize,
			Keep: e.keepResult, ReadMethod: readMethod,
		},
	})
	if stopper, ok := p.(protocol.Stopper); ok && c.Enabled {
		s.stop = slices.Clip(stopper.StopSequences())
	}
	if err := s.apply(cmp.Or(o.Profile, &Profile{}), o.Logger); err != nil {
		return fmt.Errorf("engine: Options.Profile: %w", err)
	}
	if err := e.checkArguments(s); err != nil {
		return err
	}
	if c.ResultTokens > 0 {
		if err := registerResultsTool(o.Registry); err != nil {
			return err
		}
	}
	if c.PromptMethods > 0 || c.PromptTokens > 0 {
		if err := registerSearchTool(o.Registry); err != nil {
			return err
		}
	}
	e.settings.Store(s)
	e.warnings.checkToggles(o.Registry, "toolToggles", s.config.ToolToggles)
	e.warnings.checkToggles(o.Registry, "pinnedTools", s.config.PinnedTools)
	return nil
}

// checkArguments checks that the model can write each argument of the enabled methods, as SetConfig
// says.
func (e *Engine) checkArguments(s *settings) error {
	unfiltered := s.discovery
	unfiltered.Filter = nil // the application's filter may use the Engine, which New has not returned yet
	_, native := e.options.Model.(NativeModel)
	return e.warnings.checkArguments(s.protocol, e.discovery.Methods(unfiltered), native || e.options.Filter != nil)
}

// setFilter sets s.discovery.Filter and its key. The filter hides the methods that Options.Filter
// hides, and the engine's own tools if they are not needed.
func (e *Engine) setFilter(s *settings) {
	o := &e.options
	s.discovery.Filter = func(method *tool.Entry) bool {
		if isSearchTool(method) || isResultsTool(method) && !s.showsResultsTool(o.Registry, &Visibility{}) {
			return false // a session shows the search tool if its prompt needs it
		}
		return o.Filter == nil || o.Filter(method)
	}
	switch results := s.config.ResultTokens > 0; {
	case o.Filter == nil:
		s.discovery.FilterKey = fmt.Sprintf("results=%t", results)
	case o.FilterKey != "":
		s.discovery.FilterKey = fmt.Sprintf("results=%t engine=%d %q", results, e.number, o.FilterKey)
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

// Abandoned returns the calls that have a result but whose handlers still run, for example after a
// timeout, oldest first. It includes calls of other engines that use the same registry.
func (e *Engine) Abandoned() []executor.AbandonedCall {
	return e.settings.Load().executor.Abandoned()
}

// Visible reports whether models may currently see and call the method. A session may hide it, and
// only a session shows tools_search.
func (e *Engine) Visible(method *tool.Entry) bool { return e.settings.Load().discovery.Visible(method) }

// InvalidatePrompts drops all cached prompts. It is needed only if Options.Filter decides
// differently although Options.FilterKey is the same.
func (e *Engine) InvalidatePrompts() { e.discovery.Invalidate() }

// Stats returns the statistics of all sessions of the engine so far.
func (e *Engine) Stats() Stats { return e.stats.read() }

// tokenCounter returns what estimates tokens in all sessions.
func (e *Engine) tokenCounter() tokenCounter { return tokenCounter{e.options.EstimateTokens} }

// settingsFor returns the current settings, with Options.Profile or else the profile of the model.
func (e *Engine) settingsFor(ctx context.Context) (*settings, error) {
	base := e.settings.Load()
	model, ok := e.options.Model.(ProfiledModel)
	if !ok || e.options.Profile != nil {
		return base, nil
	}
	profile, err := model.Profile(ctx)
	if err != nil {
		return nil, err
	}
	if known := e.profiled.Load(); known != nil && known.base == base && reflect.DeepEqual(known.profile, profile) {
		return known.settings, nil
	}
	set := *base
	if err := set.apply(&profile, e.options.Logger); err != nil {
		return nil, fmt.Errorf("engine: the profile of the model: %w", err)
	}
	e.profiled.Store(&profiled{base, profile, &set})
	return &set, nil
}

// canceledContext is a context that has ended. A model that gets it does not ask its server.
var canceledContext = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// knownSettings returns what settingsFor returns without asking the model's server. If the model's
// profile is not known yet, these are the settings without it.
func (e *Engine) knownSettings() *settings {
	if set, err := e.settingsFor(canceledContext); err == nil {
		return set
	}
	return e.settings.Load()
}

// keepResult keeps a long result for its session if the model can read it page by page, with the
// method results_read. It returns the number of pages, or 0 if it keeps nothing.
func (e *Engine) keepResult(ctx context.Context, full executor.FullResult) (pages int) {
	s := callSessionFrom(ctx)
	read, ok := e.options.Registry.Lookup(readMethod)
	if s == nil || !ok || !isResultsTool(read) || !s.Visible(read) || !e.mayRun(read) {
		return 0
	}
	return s.keptResults().keep(full)
}

// mayRun reports whether a call of the method can run: without approval, or because there is an
// Approver that can approve it.
func (e *Engine) mayRun(method *tool.Entry) bool {
	switch e.settings.Load().config.Policy().Decide(method) {
	case policy.Allow:
		return true
	case policy.Ask:
		return e.options.Approver != nil
	}
	return false
}
