package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/tool"
)

// runner runs the program of one method.
type runner struct {
	argv      []argument
	directory string
	env       []string // names of variables that are passed on
	output    outputForm
}

const (
	// maxOutput limits what a program prints, in bytes.
	maxOutput = 8 << 20
	// maxReason limits what a failure repeats of the program's output, in bytes.
	maxReason = 2 << 10
)

// ExitError is the error for a program that exited with a status other than 0.
type ExitError struct {
	Status int    // -1 if a signal ended it
	State  string // such as "exit status 2"
	Reason string // the end of its standard error or, if that is empty, of its standard output
}

func (e *ExitError) Error() string { return e.In("en") }

// In returns the message in a language: "zh" is Chinese, any other is English.
func (e *ExitError) In(language string) string {
	if e.Reason == "" {
		return chinese.Command.Text("the program failed without a message: %s", e.State).In(language)
	}
	return chinese.Command.Text("the program failed (%s): %s", e.State, e.Reason).In(language)
}

// OutputError is the error for a program that printed more than a result may have, and was ended.
type OutputError struct {
	Limit int // bytes
}

func (e *OutputError) Error() string { return e.In("en") }

// In returns the message in a language: "zh" is Chinese, any other is English.
func (e *OutputError) In(language string) string {
	return chinese.Command.Text("the program printed more than %d bytes; ask it for less, or let it write to a file", e.Limit).In(language)
}

// handle is the handler of the method.
func (r *runner) handle(ctx context.Context, call *tool.Call) (tool.Output, error) {
	argv, err := r.expand(call.Arguments, call.Language)
	if err != nil {
		return tool.Output{}, err
	}
	program, err := process.Program(argv[0], r.directory)
	if err != nil {
		return tool.Output{}, err
	}
	result, err := process.Run(ctx, process.Command{
		Argv: append([]string{program}, argv[1:]...), Dir: r.directory, Env: process.Environment(r.env, nil),
		Input: append(bytes.Clone(call.Arguments), '\n'), MaxOutput: maxOutput,
		OnErrorLine: call.Progress,
	})
	if err != nil {
		if tooMuch, ok := errors.AsType[*process.OutputError](err); ok {
			err = &OutputError{tooMuch.Limit}
		}
		return tool.Output{}, err
	}
	if result.ExitCode != 0 {
		return tool.Output{}, &ExitError{Status: result.ExitCode, State: result.State, Reason: result.Explanation(maxReason)}
	}
	return r.output.read(result.Output, r.directory)
}

// expand returns the program and its arguments for a call.
func (r *runner) expand(arguments json.RawMessage, language string) ([]string, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &values); err != nil {
		return nil, err
	}
	return expand(r.argv, values, language)
}

// preview returns the command line that a call runs, and its directory.
func (r *runner) preview(_ context.Context, arguments json.RawMessage) (string, error) {
	argv, err := r.expand(arguments, "")
	if err != nil {
		return "", err
	}
	// An element is quoted if a person could mistake where it ends or what it does.
	special := func(c rune) bool { return c <= ' ' || strings.ContainsRune("\"'\\$`|&;<>(){}*?#~", c) }
	for i, a := range argv {
		if a == "" || strings.ContainsFunc(a, special) {
			argv[i] = fmt.Sprintf("%q", a)
		}
	}
	return fmt.Sprintf("runs in %s:\n%s\n", r.directory, strings.Join(argv, " ")), nil
}

// files returns the files that the command line names. It ignores elements with parameters.
func (r *runner) files() []string {
	var argv []string
	for _, a := range r.argv {
		if a.fixed() {
			argv = append(argv, a.String())
		}
	}
	return process.Files(argv, r.directory)
}
