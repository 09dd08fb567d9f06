package vcpplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// loadPlugin reads the plug-in in a folder below root. The provider has the name in the manifest,
// or that of the folder if the manifest has none. If taken reports that another plug-in has the id
// of the tool, one of folderNames is added to the id. passed are the names of variables of this
// process that the plug-in gets. ok is false if the manifest cannot be read. A plug-in that is
// switched off needs no valid manifest.
func loadPlugin(
	ctx context.Context, root string, f folderStamp, taken func(id, path string) bool, passed []string,
) (p tool.Provider, ok bool) {
	p.Name = filepath.Base(f.path)
	raw, err := document.ReadFile(filepath.Join(f.path, f.manifest), maxFileBytes)
	if err != nil {
		p.Health, p.Reason = tool.HealthDown, fmt.Sprintf("%s cannot be read: %v", f.manifest, err)
		return p, false
	}
	blocked := f.manifest == blockedFile
	m, err := readManifest(raw)
	if err != nil && !blocked {
		p.Health, p.Reason = tool.HealthDown, fmt.Sprintf("%s: %v; correct it, and it is read again", f.manifest, err)
		return p, false
	}
	if err == nil {
		m.name = cmp.Or(m.name, p.Name)
		p.Name = m.name
	}
	off := fmt.Sprintf("it is switched off: its manifest is named %s; rename it to %s to switch it on", blockedFile, manifestFile)
	if !blocked {
		off = m.whyOff()
	}
	if off != "" {
		p.Health, p.Reason = tool.HealthOff, off
		return p, true
	}
	base := filepath.Dir(root)
	if root == f.path { // root is the folder of one plug-in
		base = filepath.Dir(base)
	}
	made := &plugin{manifest: m, dir: f.path, base: base, passed: passed, context: ctx, problem: m.argvErr}
	configErr := made.readConfig()
	if made.problem == nil {
		_, made.problem = process.Program(m.argv[0], f.path)
	}
	id := made.toolID()
	for _, folder := range folderNames(root, f.path) {
		if !taken(id, f.path) {
			break
		}
		id = cleanName(made.toolID()+"-"+strings.ReplaceAll(folder, "/", "-"), maxIDBytes)
	}
	t, problems := made.makeTool(id)
	p.Tools = []tool.Tool{t}
	if made.problem != nil {
		p.Health, p.Reason = tool.HealthDown, made.problem.Error()
	} else if err := errors.Join(configErr, errors.Join(problems...)); err != nil {
		p.Health, p.Reason = tool.HealthDegraded, err.Error()
	}
	return p, true
}

// toolID returns the id of the tool for the name in the manifest.
func (p *plugin) toolID() string { return cmp.Or(cleanName(p.name, maxIDBytes), "plugin") }

// makeTool returns the tool of the plug-in, and the problems of its commands.
func (p *plugin) makeTool(id string) (tool.Tool, []error) {
	t := tool.Tool{
		ID: id, Title: p.title, Description: text.TruncateBytes(p.description, maxDescription),
		Secrets: secrets.Passed(p.passed),
	}
	isDefault := map[variable]bool{}
	for _, v := range p.defaults {
		isDefault[v] = true
	}
	for _, v := range p.env {
		if !isDefault[v] { // a default is in the manifest, so it is no secret
			t.Secrets = append(t.Secrets, secrets.Configured(map[string]string{v.name: v.value})...)
		}
	}
	if id == p.toolID() { // otherwise another plug-in has the same name, and may have the same aliases
		t.Aliases = p.aliases
		if id != p.name {
			t.Aliases = append([]string{p.name}, t.Aliases...)
		}
	}
	var problems []error
	if p.unread > 0 {
		problems = append(problems, fmt.Errorf("its capabilities.invocationCommands has %d entries; the first %d are offered",
			maxCommands+p.unread, maxCommands))
	}
	taken := map[string]bool{}
	for i := range p.commands {
		c := &p.commands[i]
		m, err := p.makeMethod(t.ID, c, taken)
		if err != nil {
			problems = append(problems, fmt.Errorf("the command %q cannot be offered: %w", text.TruncateBytes(c.id, maxShown), err))
			continue
		}
		if len(c.description) > maxDescription {
			problems = append(problems, fmt.Errorf("the description of the command %q has %d bytes; a model sees the first %d",
				text.TruncateBytes(c.id, maxShown), len(c.description), maxDescription))
		}
		t.Methods = append(t.Methods, m)
	}
	if len(p.commands) == 1 && len(t.Methods) == 1 {
		t.DefaultMethod = t.Methods[0].Name
	}
	return t, problems
}

// makeMethod returns the method of a command. taken are the names and aliases of other methods of
// the tool; those of the method are added.
func (p *plugin) makeMethod(id string, c *invocation, taken map[string]bool) (tool.Method, error) {
	const reserved = len("_") + len("-1000") // the separator of the full name, and a number that unique adds
	name := unique(cleanName(c.id, tool.MaxNameBytes-len(id)-reserved), taken)
	options := []tool.Option{
		tool.AgentCallable(), tool.FullName(id + "_" + name), tool.WithRisk(tool.RiskWrite), tool.AlwaysAsk(),
		tool.Timeout(p.timeout),
	}
	if folded := text.FoldName(c.id); folded != text.FoldName(name) && folded != text.FoldName(p.name) {
		options = append(options, tool.Title(c.id)) // requests may name a method by its title
	}
	for _, alias := range []string{c.alias, c.shown} {
		if alias != "" && cleanName(alias, tool.MaxNameBytes) == alias && !taken[alias] && !p.isCommand(alias) {
			taken[alias] = true
			options = append(options, tool.Alias(alias))
		}
	}
	handler := func(ctx context.Context, call *tool.Call) (tool.Output, error) { return p.run(ctx, call, c) }
	return tool.Raw(name, text.TruncateBytes(c.description, maxDescription), c.schema(), handler, options...)
}

// isCommand reports whether a command has this identifier.
func (p *plugin) isCommand(id string) bool {
	return slices.ContainsFunc(p.commands, func(c invocation) bool { return c.id == id })
}
