package mcp

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/redact"
)

// endpoint is what the handlers of a server's methods share, such as the link to the current
// connection. It is safe for concurrent use.
type endpoint struct {
	config   Config
	redactor *redact.Redactor
	link     *link
}

// request calls send with the current connection. If the connection fails before a byte of the
// request was sent, it calls send again with the next connection; otherwise the request is sent
// only once. The text of the error is for a model.
func request[R any](ctx context.Context, s *endpoint, send func(context.Context, *session) (R, error)) (R, error) {
	var none R
	for {
		conn, reason := s.link.wait(ctx)
		if conn == nil {
			return none, &DownError{s.config.Name, reason}
		}
		d := &delivery{}
		limited, end := conn.requestContext(ctx, d)
		r, err := send(limited, conn)
		end()
		var response *jsonrpc.Error
		sent := d.outcome()
		switch {
		case err == nil:
			if unfinished, ok := any(r).(interface{ NeedsInput() bool }); ok && unfinished.NeedsInput() {
				return none, &ResponseError{s.config.Name, errWantsInput}
			}
			return r, nil
		case ctx.Err() != nil:
			return none, ctx.Err()
		case errors.As(err, &response) && sent.err == nil:
			message := s.redactor.Text(strings.TrimSpace(response.Message), maxErrorText)
			return none, &ServerError{s.config.Name, response.Code, message}
		case sent.err == nil && conn.life.Err() == nil && !errors.Is(err, sdk.ErrConnectionClosed):
			return none, &ResponseError{s.config.Name, newExplanation(s.redactor, err, shownOutput)}
		}
		conn.end(cmp.Or(sent.err, err)) // makes the source connect again
		err = context.Cause(conn.life)  // the first error of the connection
		if sent.begun {
			return none, &LostError{Server: s.config.Name, Refused: sent.refused, Reason: conn.explainLoss(ctx, err)}
		}
	}
}
