package mcpserver

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// waitingUpdates limits the progress updates that wait for a slow client. Further updates are
// dropped.
const waitingUpdates = 16

// maxUpdate limits one progress update, in bytes. A longer one is shortened.
const maxUpdate = 64 << 10

// Progress is a middleware that sends the progress of a call to its client, if the client asked for
// progress. Add it to Options.Middlewares of the engine. It does not change calls that no client
// made.
func Progress(next tool.Handler) tool.Handler {
	return func(ctx context.Context, toolCall *tool.Call) (tool.Output, error) {
		c := callFrom(ctx)
		if c == nil || c.token == nil {
			return next(ctx, toolCall)
		}
		s := &progressSender{
			call: c, updates: make(chan string, waitingUpdates), over: make(chan struct{}), done: make(chan struct{}),
		}
		go s.run(ctx)
		defer s.stop(ctx) // sends the updates that wait, because none may follow the result
		inner, own := toolCall.Progress, *toolCall
		own.Progress = func(update string) {
			inner(update)
			s.queue(update)
		}
		return next(ctx, &own)
	}
}

// progressSender sends the progress of one call to a client.
type progressSender struct {
	call    *call
	updates chan string   // never closed, because goroutines of a handler may still send to it later
	over    chan struct{} // closed when the handler has returned
	done    chan struct{} // closed when run has returned
}

// queue queues an update. It does not block.
func (s *progressSender) queue(update string) {
	select {
	case s.updates <- text.TruncateBytes(text.Valid(update), maxUpdate):
	default: // the client is slow, so the update is dropped
	}
}

// run sends updates until the handler has returned and no update waits, or until ctx ends.
func (s *progressSender) run(ctx context.Context) {
	defer close(s.done)
	for count := 1.0; ctx.Err() == nil; count++ {
		update, ok := s.next(ctx)
		if !ok {
			return
		}
		// An error means that the connection is lost. Then the client does not get the result,
		// either, so the error can be ignored.
		_ = s.call.client.session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: s.call.token, Progress: count, Message: update,
		})
	}
}

// next returns the next update. ok is false if no update will come.
func (s *progressSender) next(ctx context.Context) (update string, ok bool) {
	select {
	case update := <-s.updates: // waiting updates are sent before the end
		return update, true
	default:
	}
	select {
	case update := <-s.updates:
		return update, true
	case <-s.over:
	case <-ctx.Done():
	}
	return "", false
}

// stop tells run that the handler has returned, and waits until run has returned or ctx ends.
func (s *progressSender) stop(ctx context.Context) {
	close(s.over)
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}
