package vcpplugin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/redact"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
)

const (
	// maxFileBytes limits a manifest and config.env, in bytes.
	maxFileBytes = 8 << 20
	// maxReason limits what a failure repeats of a plug-in's output, in bytes.
	maxReason = 2 << 10
)

// plugin is a plug-in of a type that runs.
type plugin struct {
	*manifest
	dir     string     // absolute
	base    string     // the parent directory of the folder of plug-ins
	passed  []string   // names of variables of this process that the plug-in gets
	env     []variable // of configSchema and config.env; the last value of a name counts
	secrets *redact.Redactor
	context context.Context // of the source; its end also ends calls in the background
	problem error           // why the plug-in cannot run; nil if it can
}

// readConfig reads config.env, if it exists, and collects the secrets in it and in the variables
// that are passed.
func (p *plugin) readConfig() error {
	p.env = slices.Clone(p.defaults)
	known := secrets.Passed(p.passed)
	defer func() { p.secrets = redact.New(known...) }()
	raw, err := document.ReadFile(filepath.Join(p.dir, configFile), maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read, so the defaults are used: %w", configFile, err)
	}
	for _, v := range parseEnv(raw) {
		if strings.ContainsRune(v.value, 0) {
			continue
		}
		p.env = append(p.env, v)
		if !slices.Contains(p.defaults, v) && isSecret(v) {
			known = append(known, v.value)
		}
	}
	return nil
}

// isSecret reports whether a value of config.env counts as a secret: any value of at least 8 bytes,
// and a shorter one if its name suggests a secret. A number of fewer than 16 bytes is a secret only
// if its name suggests one and it has at least 6 bytes. Other values may also occur in ordinary
// text, which must stay readable.
func isSecret(v variable) bool {
	if _, err := strconv.ParseFloat(v.value, 64); err == nil && len(v.value) < 16 {
		return secretName(v.name) && len(v.value) >= 6
	}
	return len(v.value) >= 8 || secretName(v.name)
}

// secretName reports whether the name of a variable suggests a secret.
func secretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "pass", "pwd", "auth", "cookie", "credential", "code"},
		func(word string) bool { return strings.Contains(name, word) })
}

// environment returns the environment of the plug-in, with the variables that VCPToolBox sets.
func (p *plugin) environment() []string {
	set := map[string]string{
		"PYTHONIOENCODING": "utf-8", "PROJECT_BASE_PATH": p.base, "PLUGIN_NAME_FOR_CALLBACK": p.name,
	}
	for _, v := range p.env {
		set[v.name] = v.value
	}
	return process.Environment(p.passed, set)
}

// mask returns a text of at most about maxReason bytes, without the secrets of config.env and of
// passed variables, and without blank lines. It masks all lines together, because a secret may
// continue in the next line.
func (p *plugin) mask(s string) string {
	masked := p.secrets.Text(withoutBlankLines(s), maxReason+len(text.Ellipsis))
	return withoutBlankLines(masked) // Text drops control characters, which may leave lines blank
}

// withoutBlankLines returns a text without blank lines, and without white space around lines.
func withoutBlankLines(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
