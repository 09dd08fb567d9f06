package vcpplugin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/tool"
)

// maxOutput limits what a plug-in prints, in bytes. Results may contain images.
const maxOutput = 16 << 20

// run runs a command of the plug-in for a call.
func (p *plugin) run(ctx context.Context, call *tool.Call, c *invocation) (tool.Output, error) {
	if p.problem != nil {
		return tool.Output{}, chinese.VCPPlugin.Text("the plug-in cannot run: %v", p.problem)
	}
	input, err := c.input(call.Arguments)
	if err != nil {
		return tool.Output{}, err
	}
	program, err := process.Program(p.argv[0], p.dir)
	if err != nil {
		return tool.Output{}, chinese.VCPPlugin.Text("the plug-in cannot run: %v", err)
	}
	command := process.Command{
		Argv: append([]string{program}, p.argv[1:]...), Dir: p.dir, Env: p.environment(),
		Input: input, MaxOutput: maxOutput,
		OnErrorLine: func(line string) { call.Progress(p.secrets.Line(line, maxReason)) },
	}
	if p.kind == kindAsynchronous {
		command.Until, command.Linger, command.Background = new(replyWatch).found, p.timeout, p.context
	}
	result, err := process.Run(ctx, command)
	if err != nil {
		if tooMuch, ok := errors.AsType[*process.OutputError](err); ok {
			err = chinese.VCPPlugin.Text("the program printed more than %d bytes and was ended; ask it for less", tooMuch.Limit)
		}
		return tool.Output{}, err
	}
	reply, found := findReply(result.Output)
	if !found {
		return tool.Output{}, &NoReplyError{State: result.State, Printed: p.mask(result.Explanation(maxReason))}
	}
	return reply.output(p, call.Language)
}

// input returns the arguments of a call as the plug-in reads them, with the member command. If the
// model wrote no argument command, the member is the command that the description shows, or else
// the identifier.
func (c *invocation) input(arguments json.RawMessage) ([]byte, error) {
	list, err := orderedjson.Members(arguments)
	if err != nil {
		return nil, err
	}
	command := orderedjson.String(cmp.Or(c.shown, c.id))
	var others []byte
	for _, m := range list {
		if m.Name == "command" {
			command = m.Value
			continue
		}
		others = fmt.Appendf(others, ",%s:%s", orderedjson.String(m.Name), m.Value)
	}
	return fmt.Appendf(nil, "{\"command\":%s%s}\n", command, others), nil
}
