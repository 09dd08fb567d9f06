package mcpserver

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/tool"
)

// waitingUpdates is how many updates about progress wait for a slow client. Others are dropped.
const waitingUpdates = 16

// Progress is a middleware that sends the progress of a call to its client, if the client asked for
// progress. Add it to Options.Middlewares of the engine. It does not change calls that come from no
// client.
func Progress(next tool.Handler) tool.Handler {
	return func(ctx context.Context, toolCall *tool.Call) (tool.Output, error) {
		c := callFrom(ctx)
		if c == nil || c.token == nil {
			return next(ctx, toolCall)
		}
		s := &progressSender{call: c, updates: make(chan string, waitingUpdates), over: make(chan struct{}), done: make(chan struct{})}
		go s.run(ctx)
		defer s.stop(ctx) // no update may follow the result
		inner, own := toolCall.Progress, *toolCall
		own.Progress = func(text string) {
			inner(text)
			s.queue(text)
		}
		return next(ctx, &own)
	}
}

// progressSender sends the progress of one call to a client.
type progressSender struct {
	call    *call
	updates chan string   // never closed, since goroutines of a handler may outlive it
	over    chan struct{} // closed when the handler has returned
	done    chan struct{} // closed when the last update was sent
}

// queue queues an update. It does not block.
func (s *progressSender) queue(text string) {
	select {
	case s.updates <- text:
	default: // the client is slow, so the update is dropped
	}
}

// run sends updates until the handler has returned and none waits, or ctx ends.
func (s *progressSender) run(ctx context.Context) {
	defer close(s.done)
	for count := 1.0; ctx.Err() == nil; count++ {
		text, ok := s.next(ctx)
		if !ok {
			return
		}
		// An error means that the connection is lost. Then the client gets no result either.
		_ = s.call.client.session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: s.call.token, Progress: count, Message: text,
		})
	}
}

// next returns the next update. ok is false if no update will come.
func (s *progressSender) next(ctx context.Context) (text string, ok bool) {
	select {
	case text := <-s.updates: // waiting updates are sent before the end
		return text, true
	default:
	}
	select {
	case text := <-s.updates:
		return text, true
	case <-s.over:
	case <-ctx.Done():
	}
	return "", false
}

func (s *progressSender) stop(ctx context.Context) {
	close(s.over)
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}
