package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
	// maxReason limits what a failure repeats of the program's errors, in bytes.
	maxReason = 2 << 10
)

// An ExitError is a program that failed.
type ExitError struct {
	Status int    // -1 if a signal ended it
	State  string // such as "exit status 2"
	Reason string // the end of what it printed to standard error, or else to standard output
	// Language is that of Error: "zh", or else English.
	Language string
}

func (e *ExitError) Error() string {
	l := language(e.Language)
	if e.Reason == "" {
		return fmt.Sprintf(l.say(phraseFailedSilently), e.State)
	}
	return fmt.Sprintf(l.say(phraseFailed), e.State, e.Reason)
}

// handle is the handler of the method.
func (r *runner) handle(ctx context.Context, call *tool.Call) (tool.Output, error) {
	l := language(call.Language)
	argv, err := r.expand(call.Arguments, l)
	if err != nil {
		return tool.Output{}, err
	}
	program, err := process.Program(argv[0], r.directory)
	if err != nil {
		return tool.Output{}, err
	}
	result, err := process.Run(ctx, process.Command{
		Argv: append([]string{program}, argv[1:]...), Dir: r.directory, Env: process.Environment(r.env, nil),
		Input: append(call.Arguments[:len(call.Arguments):len(call.Arguments)], '\n'), MaxOutput: maxOutput, OnErrorLine: call.Progress,
	})
	if err != nil {
		return tool.Output{}, l.outputProblem(err)
	}
	if result.ExitCode != 0 {
		return tool.Output{}, &ExitError{
			Status: result.ExitCode, State: result.State, Reason: result.Said(maxReason), Language: call.Language,
		}
	}
	return r.output.read(result.Output, r.directory, l)
}

func (r *runner) expand(arguments json.RawMessage, l language) ([]string, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &values); err != nil {
		return nil, err
	}
	return expand(r.argv, values, l)
}

// preview shows the program that a call runs.
func (r *runner) preview(_ context.Context, arguments json.RawMessage) (string, error) {
	argv, err := r.expand(arguments, "")
	if err != nil {
		return "", err
	}
	for i, a := range argv {
		if a == "" || strings.ContainsFunc(a, func(c rune) bool { return c <= ' ' || strings.ContainsRune("\"'\\$`|&;<>(){}*?#~", c) }) {
			argv[i] = fmt.Sprintf("%q", a)
		}
	}
	return fmt.Sprintf("runs in %s:\n%s\n", r.directory, strings.Join(argv, " ")), nil
}

// outputError is a program that printed too much, in words for the model.
type outputError struct {
	message string
	err     *process.OutputError
}

func (e *outputError) Error() string { return e.message }
func (e *outputError) Unwrap() error { return e.err }

// outputProblem adds the way out to the error of a program that printed too much.
func (l language) outputProblem(err error) error {
	if tooMuch, ok := errors.AsType[*process.OutputError](err); ok {
		return &outputError{fmt.Sprintf(l.say(phraseTooMuchOutput), tooMuch.Limit), tooMuch}
	}
	return err
}
