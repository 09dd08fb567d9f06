package vcpplugin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/tool"
)

// maxOutput limits what a plug-in prints, in bytes. Results may contain images.
const maxOutput = 16 << 20

// A ReplyError is a plug-in that reported an error.
type ReplyError struct {
	Message string // without the secrets of config.env
}

func (e *ReplyError) Error() string { return e.Message }

// A NoReplyError is a plug-in that printed no JSON object with a status.
type NoReplyError struct {
	State   string // how it ended, such as "exit status 1"
	Printed string // the end of what it printed, without the secrets of config.env
}

func (e *NoReplyError) Error() string {
	message := fmt.Sprintf(`the plug-in printed no JSON object with "status" (%s)`, e.State)
	if e.Printed != "" {
		message += ": " + e.Printed
	}
	return message
}

// run runs a command of the plug-in for a call.
func (p *plugin) run(ctx context.Context, call *tool.Call, c *invocation) (tool.Output, error) {
	if p.problem != nil {
		return tool.Output{}, p.problem
	}
	input, err := c.input(call.Arguments)
	if err != nil {
		return tool.Output{}, err
	}
	program, err := process.Program(p.argv[0], p.dir)
	if err != nil {
		return tool.Output{}, err
	}
	command := process.Command{
		Argv: append([]string{program}, p.argv[1:]...), Dir: p.dir, Env: p.environment(), Input: input, MaxOutput: maxOutput,
		OnErrorLine: func(line string) { call.Progress(p.secrets.Line(line, maxReason)) },
	}
	if p.kind == kindAsynchronous {
		command.Until, command.Linger, command.Background = hasReply, p.timeout, p.context
	}
	result, err := process.Run(ctx, command)
	if err != nil {
		if errors.As(err, new(*process.OutputError)) {
			err = fmt.Errorf("%w; ask it for less", err)
		}
		return tool.Output{}, err
	}
	reply, found := findReply(result.Output)
	if !found {
		return tool.Output{}, &NoReplyError{State: result.State, Printed: p.mask(result.Said(maxReason))}
	}
	return reply.output(p)
}

// input returns the arguments of a call as the plug-in reads them. The command is the one that the
// description shows, or else the identifier, unless the model wrote one that is an argument.
func (c *invocation) input(arguments json.RawMessage) ([]byte, error) {
	list, err := orderedjson.Members(arguments)
	if err != nil {
		return nil, err
	}
	b := append([]byte(`{"command":`), orderedjson.String(cmp.Or(c.written, c.id))...)
	for _, m := range list {
		if m.Name == "command" {
			b = append([]byte(`{"command":`), m.Value...)
		}
	}
	for _, m := range list {
		if m.Name != "command" {
			b = append(append(append(append(b, ','), orderedjson.String(m.Name)...), ':'), m.Value...)
		}
	}
	return append(b, "}\n"...), nil
}
