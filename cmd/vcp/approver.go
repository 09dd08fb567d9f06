package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// approver asks a person for approval on the controlling terminal. The call, the question and the
// answer use it, and not the standard streams.
type approver struct {
	// unavailable says why nobody can be asked. It is nil if a person can be.
	unavailable error
	// missed is the method of the last call that was denied for that reason.
	missed *tool.Entry
	// quiet keeps other output off the terminal until release is called.
	quiet func() (release func())
	// lineMode puts the terminal into the mode in which lines are typed, until restore is called.
	lineMode func() (restore func())

	reading sync.Mutex // held while reading from the terminal
}

// newApprover returns an approver. It can ask only if standard input is the controlling terminal.
// Otherwise keys of that terminal may be meant for another program, such as an editor that runs
// this one.
func newApprover(std streams) *approver {
	unchanged := func() func() { return func() {} }
	return &approver{unavailable: isControllingTerminal(std.in), quiet: unchanged, lineMode: unchanged}
}

// approve asks a person. Enter alone and Ctrl-D deny. The error says why nobody could be asked.
func (a *approver) approve(ctx context.Context, q executor.Question) (executor.Answer, error) {
	if a.unavailable != nil {
		a.missed = q.Method
		return executor.Answer{}, fmt.Errorf("%w: %w", executor.ErrNobodyToAsk, a.unavailable)
	}
	a.reading.Lock()
	defer a.reading.Unlock()
	if err := ctx.Err(); err != nil {
		return executor.Answer{}, err
	}
	t, err := openTerminal()
	if err != nil {
		return executor.Answer{}, err
	}
	defer t.close()
	defer a.quiet()()
	defer a.lineMode()()
	d := &dialog{terminal: t, lineMode: a.lineMode, call: q}
	answer, err := d.decide(ctx)
	if errors.Is(err, io.EOF) {
		return q.Deny(""), nil
	}
	return answer, err
}

// alone calls read while no other reads from the terminal. A question may still be open when its
// turn has ended.
func (a *approver) alone(read func() (string, error)) (string, error) {
	a.reading.Lock()
	defer a.reading.Unlock()
	return read()
}

// mayShow returns a filter for the methods that a model is shown; nil shows all. If nobody can be
// asked, the filter hides methods whose calls need approval by the setting approve. It does not
// hide those that a person has named, nor any if each call is to ask: mayAsk refuses to begin then.
func (a *approver) mayShow(s *settings) func(*tool.Entry) bool {
	if a.unavailable == nil || s.Mode == engine.ModeManual {
		return nil
	}
	p, toggles := s.Policy(), discovery.Toggles(s.ToolToggles)
	return func(e *tool.Entry) bool {
		r := p.Ruling(e)
		_, key, named := toggles.Find(e)
		named = named && (key == e.FullName || e.Method.OptIn)
		return r.Decision != policy.Ask || r.Rule >= 0 || named || p.Approve == policy.ApproveAsk
	}
}

// reportHidden says which methods of sources mayShow hides from the model, and what would show
// them. Those that are built in would be named in each chat without a terminal.
func (a *approver) reportHidden(w io.Writer, space *workspace) {
	shown := a.mayShow(space.settings)
	if shown == nil {
		return
	}
	enabled := discovery.Options{Enabled: space.Enabled, DefaultToolEnabled: space.DefaultToolEnabled, ToolToggles: space.ToolToggles}
	var hidden []*tool.Entry
	for _, p := range space.sources.Providers() {
		for _, e := range space.registry.Entries() {
			if slices.Contains(p.Tools, e.Tool.ID) && enabled.WhyHidden(e) == "" && !shown(e) {
				hidden = append(hidden, e)
			}
		}
	}
	if len(hidden) > 0 {
		fmt.Fprintf(w, "vcp chat: nobody can be asked, since %v, so the model does not see methods whose calls need approval (%d), such as %s; to show it, %s\n",
			a.unavailable, len(hidden), visible(hidden[0].FullName), allowing(hidden[0]))
	}
}

// allowing says how calls of a method can run without approval.
func allowing(m *tool.Entry) string {
	if m.Method.AlwaysAsk {
		return fmt.Sprintf("allow its calls in the configuration, by approveRules: [{tool: %s, decision: allow}]", m.Tool.ID)
	}
	return "say with --approve what may run without asking"
}

// mayAsk refuses to begin if calls need approval and nobody can be asked. file is that of the
// configuration; it may be "".
func (a *approver) mayAsk(e *engine.Engine, file string) error {
	if a.unavailable == nil || e.Config().Mode == engine.ModeManual {
		return nil
	}
	p := e.Config().Policy()
	for _, m := range e.NewSession("").Methods() {
		// Calls of a changed method are denied one by one: it is not a mistake of the settings.
		if r := p.Ruling(m); r.Decision == policy.Ask && !m.Method.Changed.Open() {
			return cannotAsk(m, a.unavailable, r, file)
		}
	}
	return nil
}

// cannotAsk says why calls of a method need approval, why nobody can be asked, and what to do.
func cannotAsk(m *tool.Entry, unavailable error, r policy.Ruling, file string) error {
	if m.Method.Changed.Open() {
		return usagef("calls of %s need approval once, because %s; nobody can be asked: %w; run vcp in a terminal and "+
			"approve a call", m.FullName, visible(m.Method.Changed.Reason()), unavailable)
	}
	if r.Rule >= 0 {
		return usagef("calls of %s need approval by %s in %s, and nobody can be asked: %w; rules win "+
			"over --approve, so take this one out, or let it allow or deny", m.FullName, visible(r.String()), file, unavailable)
	}
	if m.Method.AlwaysAsk {
		return usagef("calls of %s need approval whatever --approve says, and nobody can be asked: %w; %s", m.FullName, unavailable, allowing(m))
	}
	return usagef("calls of %s need approval, and nobody can be asked: %w; %s, or that nothing may with --approve never",
		m.FullName, unavailable, allowing(m))
}
