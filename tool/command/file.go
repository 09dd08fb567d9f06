// Package command turns programs into tools. A YAML file names the tools, their parameters, and for
// each method the program that runs it. The program gets the arguments as JSON on standard input,
// and in its own arguments if the file says so. What it prints is the result. docs/tools.md
// describes the file.
package command

import (
	"time"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
)

// fileFields are the fields of a file of command tools.
type fileFields struct {
	Tools []toolFields `yaml:"tools"`
}

type toolFields struct {
	ID          string         `yaml:"id"`
	Title       string         `yaml:"title"`
	Description string         `yaml:"description"`
	Aliases     []string       `yaml:"aliases"`
	Tags        []string       `yaml:"tags"`
	Concurrency int            `yaml:"concurrency"`
	Methods     []methodFields `yaml:"methods"`
}

type methodFields struct {
	Name             string           `yaml:"name"`
	Title            string           `yaml:"title"`
	Description      string           `yaml:"description"`
	Aliases          []string         `yaml:"aliases"`
	Tags             []string         `yaml:"tags"`
	Risk             tool.Risk        `yaml:"risk"`
	Parameters       document.Value   `yaml:"parameters"`
	Run              document.Value   `yaml:"run"`
	Directory        string           `yaml:"dir"`
	Env              []string         `yaml:"env"`
	Output           outputForm       `yaml:"output"`
	Timeout          duration         `yaml:"timeout"`
	Idempotent       bool             `yaml:"idempotent"`
	Concurrency      int              `yaml:"concurrency"`
	SecretParameters []string         `yaml:"secretParameters"`
	Examples         []document.Value `yaml:"examples"`
}

// duration is a time.Duration that a file writes with a unit, such as "5s".
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = duration(parsed)
	return err
}

// maxTimeout is the longest time limit of a method.
const maxTimeout = 24 * time.Hour

// allowedValues describes the values of fields, for errors. It contains the fields whose Go type
// has no description of its own.
var allowedValues = map[string]string{
	"timeout": `a duration with a unit, such as "5s" or "500ms"`,
	"output":  "auto, text, json",
}
