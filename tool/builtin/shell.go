package builtin

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

const (
	maxShellTime    = 600      // seconds
	maxShellOutput  = 1 << 20  // bytes
	maxShellCommand = 16 << 10 // bytes
)

type shellInput struct {
	Command string `json:"command" jsonschema:"the command line, such as: git log --oneline | head -20"`
	Seconds int    `json:"seconds" default:"60" minimum:"1" maximum:"600" jsonschema:"how long the command may run"`
}

// shellDetails are the details of a result of shell_run, for programs.
type shellDetails struct {
	ExitCode int  `json:"exitCode"` // -1 if the command was killed
	More     bool `json:"more"`     // a part of the output is not in the text
}

// Shell returns the tool that runs command lines in a directory, with the rights of this process:
// it is not a sandbox. A command can reach everything that its user can, not only the directory. It
// sees only a few variables of the environment. When it ends, the other processes of its process
// group are ended, too.
//
// The method is dangerous. Each call needs approval, unless a rule of the policy names the method
// or the tool (tool.AlwaysAsk). The method is hidden from models until the configuration enables it
// (tool.OptIn).
func Shell(root *os.Root) (tool.Tool, error) {
	if root == nil {
		return tool.Tool{}, errors.New("builtin: the shell tool needs a directory")
	}
	return newTool("shell", "Shell", "Runs commands.", shell{dir: root.Name()}.runMethod)
}

type shell struct{ dir string }

func (s shell) runMethod() (tool.Method, error) {
	return tool.New("run",
		"Runs a command line in a shell, in the root directory, and returns what it prints. There is no input: a command that asks a question fails.",
		s.run, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous), tool.AlwaysAsk(), tool.OptIn(),
		tool.Title("Run command"),
		tool.Timeout((maxShellTime+10)*time.Second), // so that run ends the command and returns its output
		tool.Concurrency(4),
		tool.Example(map[string]any{"command": "git log --oneline | head -20"}))
}

func (s shell) run(ctx context.Context, in shellInput) (tool.Output, error) {
	switch {
	case strings.TrimSpace(in.Command) == "":
		return tool.Output{}, errorf("the command is empty; write one such as: ls -l")
	case len(in.Command) > maxShellCommand:
		return tool.Output{}, errorf("the command has %d bytes, and at most %d are run; write a script with files_write",
			len(in.Command), maxShellCommand)
	case strings.IndexByte(in.Command, 0) >= 0:
		return tool.Output{}, errorf("the command contains a NUL byte")
	}
	argv, err := shellArgv(in.Command)
	if err != nil {
		return tool.Output{}, err
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(in.Seconds)*time.Second)
	defer cancel()
	r, err := process.Run(limited, process.Command{
		Argv: argv, Dir: s.dir, Env: process.Environment(nil, map[string]string{
			"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0",
		}),
		MaxOutput: maxShellOutput,
	})
	var flood *process.OutputError
	switch {
	case ctx.Err() != nil:
		return tool.Output{}, ctx.Err()
	case limited.Err() != nil:
		r.State = printer(ctx).Say("ended after %v", plural(in.Seconds, "%d second"))
	case errors.As(err, &flood):
		r.State = printer(ctx).Say("ended because it printed more than %d bytes", flood.Limit)
		r.Output = text.WholeRunes(r.Output)
	case err != nil:
		return tool.Output{}, err
	}
	return shellOutput(ctx, r), nil
}

// shellArgv returns the shell and its arguments. Standard error goes to standard output, so that
// both are in order.
func shellArgv(command string) ([]string, error) {
	if runtime.GOOS == "windows" {
		path, err := exec.LookPath("powershell")
		if err != nil {
			return nil, errorf("there is no shell here")
		}
		return []string{path, "-NoProfile", "-NonInteractive", "-Command", "& {" + command + "} 2>&1"}, nil
	}
	return []string{"/bin/sh", "-c", "exec 2>&1\n" + command}, nil
}

// shellOutput returns what the command printed, and how it ended. Of a long output it returns the
// beginning and the end.
func shellOutput(ctx context.Context, r process.Result) tool.Output {
	printed := strings.TrimRight(text.Valid(string(r.Output)), "\n")
	state := ""
	if r.ExitCode != 0 {
		state = "(" + r.State + ")"
	}
	if printed == "" && state == "" {
		state = printer(ctx).Say("(The command printed nothing.)")
	}
	fit := fits(ctx)
	whole := strings.TrimRight(withNote(printed, state), "\n")
	if len(printed) <= maxReadText && fit(whole) {
		return tool.Output{Text: whole, Details: shellDetails{ExitCode: r.ExitCode}}
	}
	// Commands usually print at the beginning what they do, and errors at the end.
	half, shown := maxReadText/2, ""
	for ; half > 64; half /= 2 { // 64 bytes are about one line
		shown = headAndTail(printer(ctx), printed, half) + "\n" + state
		if fit(shown) {
			break
		}
	}
	return tool.Output{Text: strings.TrimSpace(shown), Details: shellDetails{r.ExitCode, true}}
}

// headAndTail returns the beginning and the end of a valid text, in whole lines if possible. half is
// the limit of each, in bytes.
func headAndTail(p message.Printer, s string, half int) string {
	if len(s) <= 2*half {
		return s
	}
	first, last := text.Prefix(s, half), strings.ToValidUTF8(s[len(s)-half:], "")
	if i := strings.LastIndexByte(first, '\n'); i > half/2 {
		first = first[:i]
	}
	if i := strings.IndexByte(last, '\n'); i >= 0 && i < half/2 {
		last = last[i+1:]
	}
	omitted := len(s) - len(first) - len(last)
	note := p.Say("(… %d bytes are omitted; to see them, print less, as with head, tail or grep …)", omitted)
	return first + "\n" + note + "\n" + last
}
