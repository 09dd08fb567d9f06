package configuration

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

// mcpKinds are the kinds of sources that are MCP servers.
var mcpKinds = []*sourceKind{
	{
		field: "mcp", flag: "mcp", open: openMCP,
		usage: "add the tools of an MCP server, `NAME=COMMAND-OR-URL`: a command that starts it, " +
			"or its http or https address; may be repeated",
	},
	{field: "mcpServers", open: openMCPFile},
}

// mcpEntry is the value of the field mcp of a source.
type mcpEntry struct {
	Name           string          `yaml:"name"`
	Command        []word          `yaml:"command"`
	Dir            string          `yaml:"dir"`
	Env            map[string]word `yaml:"env"`
	URL            string          `yaml:"url"`
	Headers        map[string]word `yaml:"headers"`
	Risk           string          `yaml:"risk"`
	Prompts        bool            `yaml:"prompts"`
	Resources      bool            `yaml:"resources"`
	Timeout        engine.Duration `yaml:"timeout"`
	ConnectTimeout engine.Duration `yaml:"connectTimeout"`
}

// word is a text that a file may write without quotation marks even if it looks like a number, such
// as the value of a variable.
type word string

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *word) UnmarshalText(text []byte) error {
	*w = word(text)
	return nil
}

// openMCP returns the source of one MCP server.
func openMCP(e *sourceEntry) (tool.Source, error) {
	v := e.fields.Field("mcp")
	if v.Kind == document.String { // in the form of the flag --mcp
		config, err := parseMCP(v.Text)
		if err != nil {
			return nil, &engine.ConfigError{Field: e.place + ".mcp", Value: v.String(), Allowed: err.Error(), Line: v.Line}
		}
		return newMCP(config, e.pins)
	}
	inner := sourceEntry{place: e.place + ".mcp", fields: v}
	var in mcpEntry
	if err := inner.decode(&in); err != nil {
		return nil, err
	}
	source, err := newMCP(in.config(e), e.pins)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inner.place, err)
	}
	return source, nil
}

// config returns the configuration of the server. A relative dir begins at the directory of the
// file that names the server.
func (in *mcpEntry) config(e *sourceEntry) mcp.Config {
	c := mcp.Config{
		Name: in.Name, Dir: in.Dir, URL: in.URL, Risk: tool.Risk(in.Risk), Prompts: in.Prompts, Resources: in.Resources,
		Timeout: time.Duration(in.Timeout), ConnectTimeout: time.Duration(in.ConnectTimeout),
		Env: map[string]string{}, Headers: map[string]string{},
	}
	for _, w := range in.Command {
		c.Command = append(c.Command, string(w))
	}
	for name, value := range in.Env {
		c.Env[name] = string(value)
	}
	for name, value := range in.Headers {
		c.Headers[name] = string(value)
	}
	if c.Dir != "" {
		c.Dir = e.inDir(c.Dir)
	}
	return c
}

func newMCP(c mcp.Config, pins mcp.Pins) (tool.Source, error) {
	c.Pins = pins
	expanded, err := c.Expand(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return mcp.New(expanded)
}

// openMCPFile returns the source of all servers in a file of the form that other MCP clients use.
func openMCPFile(e *sourceEntry) (tool.Source, error) {
	path, err := e.path("mcpServers")
	if err != nil {
		return nil, err
	}
	return mcp.NewFileSource(path, mcp.FileOptions{Pins: e.pins}), nil
}

// parseMCP reads the value of --mcp. The text of its error says which values are allowed.
func parseMCP(value string) (mcp.Config, error) {
	name, rest, ok := strings.Cut(value, "=")
	if rest = strings.TrimSpace(rest); !ok || name == "" || rest == "" {
		return mcp.Config{}, errors.New("NAME=COMMAND or NAME=URL, as in docs=https://example.org/mcp")
	}
	c := mcp.Config{Name: name}
	if strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://") {
		c.URL = rest
		return c, nil
	}
	var err error
	c.Command, err = splitCommand(rest)
	return c, err
}

// splitCommand splits a command into its program and arguments at white space outside of quotation
// marks. Outside of single quotation marks, a backslash makes the next character literal. Nothing
// else is special, because no shell reads the command. The text of the error says which commands
// are allowed.
func splitCommand(s string) ([]string, error) {
	var (
		words   []string
		word    strings.Builder
		inWord  bool
		quote   rune // 0 outside of quotation marks
		escaped bool // the previous character was a backslash that makes the current one literal
	)
	for _, r := range s {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a command in which each quotation mark is closed and something follows each backslash")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
