// Package script lets a model run JavaScript that calls methods. One script can do what would take
// many iterations: call methods in loops and in parallel, compute with their results, and return
// only what matters. The model does not see the results that the script neither prints nor returns.
//
// A script runs in a child process, with limits of memory, stack and time, and without access to
// files, the network or the environment. All that it can do is compute, print, and call methods.
// Each of these calls goes through Options.Call, so the same rules hold for it as for a request of
// the model.
package script

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/tool"
)

// Options set up the tool. Worker, Methods and Call are required.
type Options struct {
	// Worker is the program and the arguments of a process that calls Serve. The process gets an
	// empty environment.
	Worker []string
	// Methods returns the full names of the methods that a script may call. ctx is the context of
	// the call of script_run. Methods must be safe for concurrent use.
	Methods func(ctx context.Context) []string
	// Call calls a method for a script, and returns the text of its result. outer is the call of
	// script_run that runs the script. An error becomes an exception in the script. Call must be
	// safe for concurrent use.
	Call func(ctx context.Context, outer *tool.Call, method string, arguments json.RawMessage) (string, error)
	// Limits are the limits of each script. A field that is not positive has the value in
	// DefaultLimits.
	Limits Limits
}

// timeout limits the time of a script with all its calls, which may wait for approval.
const timeout = 10 * time.Minute

const description = "Runs JavaScript that calls methods. Use it for loops, for many calls at once, and to compute with results. " +
	"Each method is an async function of its own name: it takes one object with the arguments and returns the text of the result, as in " +
	"const text = await files_read({path: \"a.txt\"}). Call a method whose name is not an identifier with call, as in await " +
	"call(\"github/list_issues\", {repo: \"x\"}). " +
	"You read only what print(…) writes and what the script returns. There are no files, no network and no timers."

type runInput struct {
	Code string `json:"code" jsonschema:"the body of an async function" minLength:"1" maxLength:"100000"`
}

// Details say what a script did. They are for people.
type Details struct {
	Calls int `json:"calls"` // how many calls of methods the script began
}

// New returns the tool, with the one method script_run. The method's risk is read, because the
// methods that a script calls have risks of their own. The method is hidden from models until the
// configuration enables it.
func New(o Options) (tool.Tool, error) {
	if len(o.Worker) == 0 || o.Methods == nil || o.Call == nil {
		return tool.Tool{}, errors.New("script: Options.Worker, Options.Methods and Options.Call are required")
	}
	o.Limits = o.Limits.orDefault()
	run, err := tool.New("run", description, func(ctx context.Context, in runInput) (tool.Output, error) {
		return o.run(ctx, in.Code)
	}, tool.AgentCallable(), tool.OptIn(), tool.Composite(), tool.WithRisk(tool.RiskRead), tool.Timeout(timeout),
		tool.Title("Run a script"), tool.Translate("zh", chinese.ScriptDefinitions))
	if err != nil {
		return tool.Tool{}, err
	}
	return tool.Tool{
		ID: "script", Title: "Scripts", Description: "Programs of the model that call methods.",
		Methods: []tool.Method{run},
	}, nil
}

// run runs one script in a worker.
func (o *Options) run(ctx context.Context, code string) (tool.Output, error) {
	outer := tool.CallFrom(ctx)
	if outer == nil {
		return tool.Output{}, errors.New("a script runs only as a call of a tool")
	}
	isScriptRun := func(name string) bool { return name == outer.Method.FullName }
	methods := slices.DeleteFunc(slices.Clone(o.Methods(ctx)), isScriptRun) // a script cannot start another
	script := startMessage{Code: code, Methods: methods, Limits: o.Limits, Language: outer.Language}
	w, err := startWorker(ctx, o.Worker, script)
	if err != nil {
		return tool.Output{}, err
	}
	result, calls, err := w.serve(func(ctx context.Context, c call) (string, error) {
		if !slices.Contains(methods, c.Method) {
			return "", errors.New(errorf("there is no method %q", c.Method).In(outer.Language))
		}
		return o.Call(ctx, outer, c.Method, c.Arguments)
	}, o.Limits)
	out := tool.Output{Text: result.Output, Details: Details{calls}}
	switch {
	case ctx.Err() != nil: // err and result.Error may be consequences
		return out, context.Cause(ctx)
	case err != nil:
		return out, err
	case result.Error != "":
		if result.Output != "" {
			return out, errorf("%s\nBefore that it printed:\n%s", result.Error, result.Output)
		}
		return out, errors.New(result.Error)
	case strings.TrimSpace(out.Text) == "":
		out.Text = errorf("The script ended without printing or returning anything. To see a value, print it or return it.").In(outer.Language)
	}
	return out, nil
}
