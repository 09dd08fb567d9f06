package workspace

import (
	"slices"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// Unattended decides what a model may use if nobody can be asked for approval.
type Unattended struct {
	Why error // why nobody can be asked; nil if a person can be asked
}

// Filter returns a filter for the methods that a model is shown; a nil filter shows all. Filter
// returns nil if a person can be asked, and in mode manual, because no call runs there. Otherwise
// the filter hides methods whose calls need approval by the setting approve. It does not hide
// methods that the user has switched on by name. It hides no method if approve is "ask", because
// Refuse then prevents the chat.
func (u Unattended) Filter(s *configuration.Settings) func(*tool.Entry) bool {
	if u.Why == nil || s.Mode == engine.ModeManual {
		return nil
	}
	p, toggles := s.Policy(), discovery.Toggles(s.ToolToggles)
	return func(e *tool.Entry) bool {
		r := p.Ruling(e)
		_, key, named := toggles.Find(e)
		// A toggle with the name of a tool counts only for methods that are off without a toggle.
		named = named && (key == e.FullName || e.Method.OptIn)
		return r.Decision != policy.Ask || r.Rule >= 0 || named || p.Approve == policy.ApproveAsk
	}
}

// Hidden returns a note about the methods of sources that the filter hides from the model, and
// about what would show them. It returns nil if the filter hides none. It ignores built-in methods;
// otherwise the note would appear in each chat without a terminal.
func (u Unattended) Hidden(space *Workspace) *message.Text {
	shown := u.Filter(space.Settings)
	if shown == nil {
		return nil
	}
	visibility := discovery.Options{
		Enabled: space.Enabled, DefaultToolEnabled: space.DefaultToolEnabled, ToolToggles: space.ToolToggles,
	}
	var hidden []*tool.Entry
	for _, p := range space.sources.Providers() {
		for _, e := range space.Registry.Entries() {
			if slices.Contains(p.Tools, e.Tool.ID) && visibility.WhyHidden(e) == "" && !shown(e) {
				hidden = append(hidden, e)
			}
		}
	}
	if len(hidden) == 0 {
		return nil
	}
	return cli.Message("nobody can be asked, since %v, so the model does not see methods whose calls need approval (%d), "+
		"such as %s; to show it, %v", u.Why, len(hidden), terminal.Visible(hidden[0].FullName), howToAllow(hidden[0]))
}

// howToAllow returns what the user can do so that calls of a method run without approval.
func howToAllow(m *tool.Entry) *message.Text {
	if m.Method.AlwaysAsk {
		return cli.Message("allow its calls in the configuration, by approveRules: [{tool: %s, decision: allow}]", m.Tool.ID)
	}
	return cli.Message("say with --approve what may run without asking")
}

// Refuse returns an error if calls need approval and nobody can be asked. In mode manual it returns
// nil, because no call runs. file is the path of the configuration, or "" if no file was read.
func (u Unattended) Refuse(e *engine.Engine, file string) error {
	if u.Why == nil || e.Config().Mode == engine.ModeManual {
		return nil
	}
	p := e.Config().Policy()
	for _, m := range e.NewSession("").Methods() {
		// No setting allows the calls of a changed method, so a changed method does not prevent the
		// chat. Its calls are denied when the model makes them.
		if r := p.Ruling(m); r.Decision == policy.Ask && !m.Method.Changed.Open() {
			return u.CannotAsk(m, r, file)
		}
	}
	return nil
}

// CannotAsk returns an error that says why calls of a method need approval, why nobody can be
// asked, and what the user can do.
func (u Unattended) CannotAsk(m *tool.Entry, r policy.Ruling, file string) error {
	if m.Method.Changed.Open() {
		return cli.Usagef("calls of %s need approval once, because %s; nobody can be asked: %v; "+
			"run vcp in a terminal and approve a call",
			m.FullName, terminal.Visible(m.Method.Changed.Reason()), u.Why)
	}
	if r.Rule >= 0 {
		return cli.Usagef("calls of %s need approval by %s in %s, and nobody can be asked: %v; "+
			"rules win over --approve, so remove this rule, or change its decision to allow or deny",
			m.FullName, terminal.Visible(r.String()), file, u.Why)
	}
	if m.Method.AlwaysAsk {
		return cli.Usagef("calls of %s need approval whatever --approve says, and nobody can be asked: %v; %v",
			m.FullName, u.Why, howToAllow(m))
	}
	return cli.Usagef("calls of %s need approval, and nobody can be asked: %v; %v, or deny all calls with --approve never",
		m.FullName, u.Why, howToAllow(m))
}
