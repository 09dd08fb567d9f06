package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/tool"
)

// Config configures one server: how to reach it, and which of its features to offer. Either Command
// or URL is set.
type Config struct {
	// Name is the ID of the server's tool, and the beginning of the full names of its methods. It
	// consists of letters, digits and _ - . and has at most 64 bytes.
	Name string
	// Command is the program and its arguments that start a server on standard input and output. It
	// is not run by a shell. The server gets its own process group. When the server exits, the
	// other processes of the group are killed.
	Command []string
	// Dir is the working directory of Command; "" means that of this process.
	Dir string
	// Env sets environment variables for Command. Of this process's variables, it gets only those
	// that every program needs, such as PATH and HOME. The values are secret: no error contains
	// them.
	Env map[string]string
	// URL is the address of a server that speaks streamable HTTP.
	URL string
	// Headers are sent with each request to URL, such as Authorization. Their values are secret.
	Headers map[string]string
	// Risk is the risk of all methods; the policy decides by it. If it is "", each call needs
	// approval unless a rule names the method or the server. The risk is then tool.RiskWrite, or
	// tool.RiskDangerous if the tool's annotations say that it is destructive.
	Risk tool.Risk
	// Prompts offers each prompt of the server as a method. Resources offers one method that lists
	// the server's resources, and one that reads them.
	Prompts, Resources bool
	// Timeout limits one call; 0 means the limit of the executor.
	Timeout time.Duration
	// ConnectTimeout limits one attempt to connect and to list the tools; 0 means 30 seconds.
	ConnectTimeout time.Duration
	// Pins record the definitions of the server's tools, so that changes are noticed. nil means
	// NewMemoryPins(), which notices changes while the program runs. NewFilePins also notices
	// changes between two runs of the program.
	Pins Pins

	expanded map[string]string // the environment variables that Expand inserted
}

// ConfigError is the error for a Config that cannot be used.
type ConfigError struct {
	Name   string // of the server
	Field  string // of Config, in the spelling of a configuration file, as in "url"
	Reason string // what is wrong, and what is allowed
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("mcp server %q: %s %s", e.Name, e.Field, e.Reason)
}

const (
	defaultConnectTimeout = 30 * time.Second
	// maxServerName limits a server's name, in bytes, to half of a full name. The other half is for
	// the name of a tool.
	maxServerName = 64
	// notInServerNames are characters that tool.ValidName allows and Config.Name does not.
	notInServerNames = "/:@"
)

func validServerName(name string) bool {
	return tool.ValidName(name) && !strings.ContainsAny(name, notInServerNames) && len(name) <= maxServerName
}

// check returns a *ConfigError if the configuration cannot be used.
func (c *Config) check() error {
	bad := func(field, format string, args ...any) error {
		return &ConfigError{Name: c.Name, Field: field, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case !validServerName(c.Name):
		return bad("name", "must have 1 to %d bytes of letters, digits and _ - .", maxServerName)
	case len(c.Command) == 0 && c.URL == "":
		return bad("command", "is missing; give a command to start the server, or a url")
	case len(c.Command) > 0 && c.URL != "":
		return bad("url", "and command cannot be used together; command starts a server, and url is the address of one")
	case len(c.Command) > 0 && strings.TrimSpace(c.Command[0]) == "":
		return bad("command", "begins with an empty text; the program comes first")
	case c.URL != "" && (c.Dir != "" || len(c.Env) > 0):
		return bad("url", "starts no program, so dir and env have no effect; remove them")
	case c.URL == "" && len(c.Headers) > 0:
		return bad("headers", "need a url, which is missing; a command gets its settings from env")
	case c.Timeout < 0:
		return bad("timeout", "must not be negative (got %v)", c.Timeout)
	case c.ConnectTimeout < 0:
		return bad("connectTimeout", "must not be negative (got %v)", c.ConnectTimeout)
	}
	switch c.Risk {
	case "", tool.RiskRead, tool.RiskWrite, tool.RiskDangerous:
	default:
		return bad("risk", "must be %s, %s or %s (got %q)", tool.RiskRead, tool.RiskWrite, tool.RiskDangerous, c.Risk)
	}
	for name := range c.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return bad("env", "has the name %q, which no variable can have", name)
		}
	}
	for name, value := range c.Headers {
		if strings.ContainsAny(name, " :\r\n") || name == "" || strings.ContainsAny(value, "\r\n") {
			return bad("headers",
				"have the invalid header %q; names must not contain spaces or colons, and no header may contain a line break",
				name)
		}
	}
	if c.URL == "" {
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return bad("url", "must be an http or https address, as in https://example.org/mcp")
	}
	return nil
}

// clone returns a copy of c, with canonical header names. If ConnectTimeout is 0, the copy has the
// default.
func (c *Config) clone() Config {
	own := *c
	own.Command, own.Env, own.expanded = slices.Clone(c.Command), maps.Clone(c.Env), maps.Clone(c.expanded)
	own.Headers = make(map[string]string, len(c.Headers))
	for name, value := range c.Headers {
		own.Headers[http.CanonicalHeaderKey(name)] = value
	}
	own.ConnectTimeout = cmp.Or(c.ConnectTimeout, defaultConnectTimeout)
	return own
}

// secrets returns the values that no error may contain.
func (c *Config) secrets() []string {
	values := slices.Collect(maps.Values(c.Env))
	for _, value := range c.Headers {
		values = append(values, value)
		if _, token, ok := strings.Cut(value, " "); ok { // such as "Bearer TOKEN"
			values = append(values, token)
		}
	}
	if u, err := url.Parse(c.URL); err == nil {
		for _, list := range u.Query() {
			values = append(values, list...)
		}
	}
	values = append(values, secrets.InURL(c.URL)...)
	return slices.AppendSeq(values, maps.Values(c.expanded))
}

// storedSecrets returns the values that no stored conversation may contain. It omits values that
// are probably not secret, such as words and paths.
func (c *Config) storedSecrets() []string {
	list := secrets.Configured(c.Env)
	for name, value := range c.Headers {
		if configured := secrets.Configured(map[string]string{name: value}); configured != nil {
			list = append(list, value)
			if _, token, ok := strings.Cut(value, " "); ok { // such as "Bearer TOKEN"
				list = append(list, token)
			}
		}
	}
	list = append(list, secrets.InURL(c.URL)...)
	return append(list, secrets.Configured(c.expanded)...)
}

// Expand returns the configuration with variables in place of ${NAME}, ${env:NAME} and
// ${NAME:-DEFAULT}, in the command, its directory and variables, the URL and the headers. lookup
// returns the value of a variable and whether it is set, as os.LookupEnv does. DEFAULT replaces a
// variable that is empty or not set. Values are not expanded again. If a variable is not set and
// has no default, the error is a *ConfigError.
func (c *Config) Expand(lookup func(name string) (string, bool)) (Config, error) {
	own := c.clone()
	if own.expanded == nil {
		own.expanded = map[string]string{}
	}
	var missing error
	expand := func(field string, s *string) {
		*s = variable.ReplaceAllStringFunc(*s, func(match string) string {
			parts := variable.FindStringSubmatch(match)
			if value, ok := lookup(parts[1]); ok && (value != "" || parts[2] == "") {
				own.expanded[parts[1]] = value
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
