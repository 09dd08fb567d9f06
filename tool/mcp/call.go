package mcp

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/tool"
)

// errWantsInput is an answer that asks this side for more before the call is carried out.
var errWantsInput = errors.New("it asks for input from a person, which is not offered to it")

// callTool returns the handler of a server's tool.
func (s *Source) callTool(name string) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		r, err := request(ctx, s, func(ctx context.Context, conn *session) (*sdk.CallToolResult, error) {
			params := &sdk.CallToolParams{Name: name, Arguments: call.Arguments}
			defer conn.follow(params, call)()
			return conn.CallTool(ctx, params)
		})
		if err != nil {
			return tool.Output{}, err
		}
		if r.NeedsInput() {
			return tool.Output{}, &AnswerError{s.config.Name, errWantsInput.Error()}
		}
		b := builder{server: s.config.Name, method: name}
		b.contents(r.Content)
		return b.output(r.StructuredContent, r.IsError)
	}
}

// follow sends the progress of a request to the call, until the returned function is called.
func (s *session) follow(params interface{ SetProgressToken(any) }, call *tool.Call) (stop func()) {
	if call.Progress == nil {
		return func() {}
	}
	token, stop := s.calls.add(call.Progress)
	params.SetProgressToken(token)
	return stop
}

// request sends one request. If it cannot have reached the server, it is sent on the next
// connection; otherwise it is never sent again. The error is for a model.
func request[R any](ctx context.Context, s *Source, send func(context.Context, *session) (R, error)) (R, error) {
	var none R
	for {
		conn, reason := s.link.wait(ctx)
		if conn == nil {
			return none, &DownError{s.config.Name, reason}
		}
		d := &delivery{}
		limited, end := conn.context(ctx, d)
		r, err := send(limited, conn)
		end()
		var refusal *jsonrpc.Error
		begun, refused, failure := d.outcome()
		switch {
		case err == nil:
			return r, nil
		case ctx.Err() != nil:
			return none, ctx.Err()
		case errors.As(err, &refusal) && failure == nil:
			return none, &ServerError{s.config.Name, refusal.Code, clean(refusal.Message, maxErrorText)}
		case failure == nil && conn.life.Err() == nil && !errors.Is(err, sdk.ErrConnectionClosed):
			return none, &AnswerError{s.config.Name, s.redactor.Line(err.Error(), shownOutput)}
		}
		if failure != nil {
			conn.end(failure)
		}
		conn.end(err)                  // the source connects again
		err = context.Cause(conn.life) // the first that is known
		if begun {
			return none, &LostError{Server: s.config.Name, Refused: refused, Reason: conn.epitaph(ctx, s.redactor, err)}
		}
	}
}
