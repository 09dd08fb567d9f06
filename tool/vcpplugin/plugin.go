package vcpplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/redact"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

const (
	manifestFile = "plugin-manifest.json"
	blockedFile  = manifestFile + ".block" // the manifest of a plug-in that is switched off
	configFile   = "config.env"
	maxFileBytes = 8 << 20  // of a manifest or of config.env
	maxDescribed = 64 << 10 // bytes of one description
	maxNameBytes = 128      // of the full name of a method, as package tool allows
	maxIDBytes   = maxNameBytes / 2
)

// plugin is a plug-in that can run.
type plugin struct {
	*manifest
	dir     string // absolute
	base    string // the directory around the folder of plug-ins
	options *Options
	env     []variable // of configSchema and config.env; later ones win
	secrets *redact.Redactor
	context context.Context // of the source: what goes on in the background ends with it
	problem error           // why nothing of it runs; nil if it can
}

// loadPlugin reads the plug-in in a folder below root. The provider is named for the manifest, or
// for the folder if it has no name. If taken reports that another plug-in has the id of its tool,
// the folder is added to the id. ok is false for a bad manifest.
func loadPlugin(ctx context.Context, root string, f folderStamp, taken func(id, path string) bool, o *Options) (p tool.Provider, ok bool) {
	dir, blocked := f.path, f.blocked
	p.Name = filepath.Base(dir)
	down := func(format string, args ...any) tool.Provider {
		p.Health, p.Reason = tool.HealthDown, fmt.Sprintf(format, args...)
		return p
	}
	off := func(format string, args ...any) tool.Provider {
		p.Health, p.Reason = tool.HealthOff, fmt.Sprintf(format, args...)
		return p
	}
	file := manifestFile
	if blocked {
		file = blockedFile
	}
	raw, err := document.ReadFile(filepath.Join(dir, file), maxFileBytes)
	if err != nil {
		return down("%s cannot be read: %v", file, err), false
	}
	m, err := readManifest(raw)
	switch {
	case err != nil && !blocked:
		return down("%s: %v; correct it, and it is read again", file, err), false
	case err == nil && m.name != "":
		p.Name = m.name
	case err == nil:
		m.name = p.Name
	}
	switch {
	case blocked:
		return off("it is switched off: its manifest is named %s; name it %s to switch it on", blockedFile, manifestFile), true
	case m.kind != kindSynchronous && m.kind != kindAsynchronous:
		return off("%s", kindReason(m)), true
	case m.protocol != "stdio":
		return off("its communication.protocol is %q; only stdio plug-ins run, since the others are loaded into the server of VCPToolBox",
			text.TruncateBytes(m.protocol, 40)), true
	case len(m.commands) == 0:
		return off("its manifest has no capabilities.invocationCommands, so there is nothing to call"), true
	}
	base := filepath.Dir(root)
	if root == dir { // the folder of one plug-in
		base = filepath.Dir(base)
	}
	made := &plugin{manifest: m, dir: dir, base: base, options: o, context: ctx, problem: m.argvErr}
	if err := made.readConfig(); err != nil {
		p.Health, p.Reason = tool.HealthDegraded, err.Error()
	}
	if made.problem == nil {
		_, made.problem = process.Program(m.argv[0], dir)
	}
	if made.problem != nil {
		p = down("%v", made.problem)
	}
	id := made.toolID()
	if taken(id, dir) {
		id = cleanName(id+"-"+filepath.Base(dir), maxIDBytes)
	}
	t, problems := made.tool(id)
	if p.Health == tool.HealthDegraded {
		problems = append([]error{errors.New(p.Reason)}, problems...)
	}
	if len(problems) > 0 && p.Health != tool.HealthDown {
		p.Health, p.Reason = tool.HealthDegraded, errors.Join(problems...).Error()
	}
	p.Tools = []tool.Tool{t}
	return p, true
}

// kindReason says why plug-ins of this type do not run.
func kindReason(m *manifest) string {
	switch m.kind {
	case "static":
		return "it is a static plug-in: it fills placeholders in the prompts of VCPToolBox, and has nothing to call"
	case "messagepreprocessor", "messagepostprocessor":
		return "it changes messages inside the server of VCPToolBox, and has nothing to call"
	case "service", "hybridservice":
		return "it is a " + m.kind + ": it runs inside the server of VCPToolBox; only synchronous and asynchronous stdio plug-ins run"
	case "":
		return "its manifest has no pluginType; synchronous and asynchronous stdio plug-ins run"
	}
	return fmt.Sprintf("its pluginType is %q; synchronous and asynchronous stdio plug-ins run", text.TruncateBytes(m.kind, 40))
}

// readConfig reads config.env, which need not exist, and learns its secrets.
func (p *plugin) readConfig() error {
	p.env = slices.Clone(p.defaults)
	raw, err := document.ReadFile(filepath.Join(p.dir, configFile), maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read, so the defaults are used: %w", configFile, err)
	}
	var secrets []string
	for _, v := range parseEnv(raw) {
		if strings.ContainsRune(v.value, 0) {
			continue
		}
		p.env = append(p.env, v)
		if !slices.Contains(p.defaults, v) && isSecret(v) {
			secrets = append(secrets, v.value)
		}
	}
	p.secrets = redact.New(secrets...)
	return nil
}

// isSecret reports whether a value of config.env is masked in errors: anything that is no switch
// and no number, unless it is short and its name says nothing of a secret.
func isSecret(v variable) bool {
	if _, err := strconv.ParseFloat(v.value, 64); err == nil && len(v.value) < 16 {
		return secretName(v.name) && len(v.value) >= 6
	}
	return len(v.value) >= 8 || secretName(v.name)
}

func secretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "pass", "pwd", "auth", "cookie", "credential", "code"},
		func(word string) bool { return strings.Contains(name, word) })
}

// toolID returns the id of the tool for the name in the manifest.
func (p *plugin) toolID() string { return cmp.Or(cleanName(p.name, maxIDBytes), "plugin") }

// tool returns the tool of the plug-in, and what is wrong with its commands.
func (p *plugin) tool(id string) (tool.Tool, []error) {
	t := tool.Tool{ID: id, Title: p.title, Description: text.TruncateBytes(p.description, maxDescribed)}
	if id == p.toolID() { // else the other names mean another plug-in as well
		t.Aliases = p.aliases
		if id != p.name {
			t.Aliases = append([]string{p.name}, t.Aliases...)
		}
	}
	var problems []error
	taken := map[string]bool{}
	for i := range p.commands {
		m, err := p.method(t.ID, &p.commands[i], taken)
		if err != nil {
			problems = append(problems, fmt.Errorf("the command %q cannot be offered: %w", text.TruncateBytes(p.commands[i].id, 60), err))
			continue
		}
		if len(p.commands[i].description) > maxDescribed {
			problems = append(problems, fmt.Errorf("the description of the command %q has %d bytes; a model sees the first %d",
				text.TruncateBytes(p.commands[i].id, 60), len(p.commands[i].description), maxDescribed))
		}
		t.Methods = append(t.Methods, m)
	}
	if len(p.commands) == 1 && len(t.Methods) == 1 {
		t.DefaultMethod = t.Methods[0].Name
	}
	return t, problems
}

func (p *plugin) method(id string, c *invocation, taken map[string]bool) (tool.Method, error) {
	name := unique(cleanName(c.id, maxNameBytes-len(id)-4), taken)
	options := []tool.Option{
		tool.AgentCallable(), tool.FullName(id + "_" + name), tool.WithRisk(tool.RiskWrite), tool.AlwaysAsk(), tool.Timeout(p.timeout),
	}
	if folded := text.FoldName(c.id); folded != text.FoldName(name) && folded != text.FoldName(p.name) {
		options = append(options, tool.Title(c.id)) // a request may name the method by it
	}
	if alias := cleanName(c.alias, maxNameBytes); alias != "" && alias == c.alias && !taken[alias] && !p.isCommand(alias) {
		taken[alias] = true
		options = append(options, tool.Alias(alias))
	}
	handler := func(ctx context.Context, call *tool.Call) (tool.Output, error) { return p.run(ctx, call, c) }
	return tool.Raw(name, text.TruncateBytes(c.description, maxDescribed), c.schema(), handler, options...)
}

func (p *plugin) isCommand(id string) bool {
	return slices.ContainsFunc(p.commands, func(c invocation) bool { return c.id == id })
}

// cleanName returns a name that models can write back: other characters become hyphens.
func cleanName(name string, limit int) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:@", r) {
			return r
		}
		return '-'
	}, strings.ToValidUTF8(strings.TrimSpace(name), "-"))
	return text.Prefix(name, max(limit, 1))
}

// unique returns the name, or the name with a number if it is empty or taken, and takes it.
func unique(name string, taken map[string]bool) string {
	if name == "" {
		name = "command"
	}
	found := name
	for n := 2; taken[found]; n++ {
		found = name + "-" + strconv.Itoa(n)
	}
	taken[found] = true
	return found
}
