package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// Expand returns the configuration with variables in place of ${NAME}, ${env:NAME} and
// ${NAME:-DEFAULT}, in the command, its directory and variables, the URL and the headers. lookup
// returns the value of a variable and whether it is set, as os.LookupEnv does. Values are not
// expanded again. A variable that is not set and has no default is a *ConfigError.
func (c *Config) Expand(lookup func(name string) (string, bool)) (Config, error) {
	own := c.clone()
	var missing error
	expand := func(field string, s *string) {
		*s = variable.ReplaceAllStringFunc(*s, func(match string) string {
			parts := variable.FindStringSubmatch(match)
			if value, ok := lookup(parts[1]); ok && (value != "" || parts[2] == "") {
				own.looked = append(own.looked, value)
				return value
			}
			if parts[2] == "" && missing == nil {
				missing = &ConfigError{c.Name, field, fmt.Sprintf(
					"names the environment variable %s, which is not set; set it, or write ${%s:-DEFAULT}", parts[1], parts[1])}
			}
			return strings.TrimPrefix(parts[2], ":-")
		})
	}
	for i := range own.Command {
		expand("command", &own.Command[i])
	}
	expand("dir", &own.Dir)
	expand("url", &own.URL)
	for name, value := range own.Env {
		expand("env", &value)
		own.Env[name] = value
	}
	for name, value := range own.Headers {
		expand("headers", &value)
		own.Headers[name] = value
	}
	return own, missing
}

var variable = regexp.MustCompile(`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)

// ReadFile returns the sources of the servers that a file lists as other MCP clients keep them: a
// JSON object with the member mcpServers, or servers. Variables are expanded with lookup, as Expand
// does. Members that are not known are ignored, and so is each that allows calls. A server that
// cannot be used becomes a source that says why. The error means that the file cannot be read.
func ReadFile(path string, lookup func(name string) (string, bool)) ([]tool.Source, error) {
	whole, err := document.Load(path)
	if err != nil {
		return nil, err
	}
	list := whole.Field("mcpServers")
	if list.Kind == document.Null {
		list = whole.Field("servers")
	}
	if list.Kind != document.Mapping {
		return nil, fmt.Errorf("%s: the member mcpServers is missing; it is an object with one member for each server", path)
	}
	var all []tool.Source
	for _, f := range list.Fields {
		source, err := readServer(f.Name, f.Value, lookup)
		if err != nil {
			source = &unusable{name: f.Name, reason: err.Error()}
		}
		all = append(all, source)
	}
	return all, nil
}

// readServer returns the source of one server.
func readServer(name string, v document.Value, lookup func(string) (string, bool)) (tool.Source, error) {
	if v.Kind != document.Mapping {
		return nil, errors.New("an object with a command or a url is expected")
	}
	if isTrue(v.Field("disabled")) || v.Field("enabled").Kind == document.Bool && !isTrue(v.Field("enabled")) {
		return nil, errors.New("the file says that it is disabled")
	}
	if kind := cmp.Or(v.Field("type").Text, v.Field("transport").Text); kind == "sse" {
		return nil, errors.New("the transport sse, which streamable HTTP has replaced, is not supported; ask for the server's newer address")
	}
	c := Config{Name: serverName(name), URL: cmp.Or(v.Field("url").Text, v.Field("serverUrl").Text, v.Field("httpUrl").Text)}
	if c.URL != "" {
		c.Headers = textsByName(v.Field("headers"))
	} else {
		c.Dir, c.Env = v.Field("cwd").Text, textsByName(v.Field("env"))
		if program := v.Field("command").Text; program != "" {
			c.Command = append([]string{program}, texts(v.Field("args"))...)
		}
	}
	expanded, err := c.Expand(lookup)
	if err != nil {
		return nil, err
	}
	return New(expanded)
}

// serverName returns a name that a server can have for the one that a file gives it.
func serverName(name string) string {
	if err := (&Config{Name: name, Command: []string{"x"}}).check(); err == nil {
		return name
	}
	plain := strings.Map(func(r rune) rune {
		if !tool.ValidName(string(r)) || strings.ContainsRune("/:@", r) {
			return '_'
		}
		return r
	}, text.Valid(name))
	sum := sha256.Sum256([]byte(name))
	return text.Prefix(plain, maxServerName-9) + "-" + hex.EncodeToString(sum[:4])
}

func isTrue(v document.Value) bool {
	return v.Kind == document.Bool && strings.EqualFold(v.Text, "true")
}

func texts(v document.Value) (list []string) {
	for _, item := range v.Items {
		list = append(list, item.Text)
	}
	return list
}

func textsByName(v document.Value) map[string]string {
	m := map[string]string{}
	for _, f := range v.Fields {
		m[f.Name] = f.Value.Text
	}
	return m
}

// unusable is the source of a server that cannot be used.
type unusable struct{ name, reason string }

// Name implements tool.Source.
func (u *unusable) Name() string { return "mcp " + u.name }

// Run implements tool.Source. It says why there is nothing.
func (u *unusable) Run(ctx context.Context, offers tool.Offers) error {
	offers.Set(tool.Provider{Name: u.name, Health: tool.HealthDown, Reason: u.reason})
	<-ctx.Done()
	return nil
}
