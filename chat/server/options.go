package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/engine"
)

// Options configure a Server. Engine, Store and User are required.
type Options struct {
	// Engine runs the turns of all users. If calls need approval, its Approver must be
	// executor.AwaitDecision, or nobody can approve them here.
	Engine *engine.Engine
	// Store keeps the conversations. Several processes may serve one store.
	Store chat.Store
	// User says who sends a request. Its error refuses the request: an *Error with its own status,
	// any other with 401. Several goroutines may call it.
	User func(*http.Request) (User, error)
	// System is the system prompt of conversations.
	System string
	// Renderer draws messages as HTML, in their member html; nil draws none.
	Renderer *markdown.Renderer
	// Limits apply to users whose own limits are 0.
	Limits Limits
	// TrustedOrigins are other origins whose pages may send requests, such as
	// "https://example.com".
	TrustedOrigins []string
	// Logger is for people; nil means slog.Default. It never receives texts of conversations.
	Logger *slog.Logger
}

// User is who sends a request.
type User struct {
	// ID is the owner of the user's conversations. It is not empty, and the same in each request.
	ID string
	// Visibility hides tools from the user's conversations. It holds from the opening of a
	// conversation on; Filter is asked again before each call.
	engine.Visibility
	// Limits are the user's own; a field that is 0 is that of Options.Limits.
	Limits Limits
}

// Limits limit what one user can make the server do. A field that is 0 means the default.
type Limits struct {
	// Turns that run at once; 4.
	Turns int
	// Streams that are open at once; 16.
	Streams int
	// BodyBytes of a request; 1 MiB.
	BodyBytes int64
	// TurnTime is how long a turn may take, people's decisions included; 1 hour.
	TurnTime time.Duration
}

// or returns the limits, and those of d for the fields that are 0.
func (l Limits) or(d Limits) Limits {
	return Limits{
		Turns: cmp.Or(l.Turns, d.Turns), Streams: cmp.Or(l.Streams, d.Streams),
		BodyBytes: cmp.Or(l.BodyBytes, d.BodyBytes), TurnTime: cmp.Or(l.TurnTime, d.TurnTime),
	}
}

var defaultLimits = Limits{Turns: 4, Streams: 16, BodyBytes: 1 << 20, TurnTime: time.Hour}

const (
	// logBytes limits the events that are kept of one conversation, and logEvents their number.
	logBytes, logEvents = 4 << 20, 20_000
	// eventBytes limits one event. A longer event is sent without its texts.
	eventBytes = 1 << 20
	// openConversations limits the conversations in memory. Those that nobody uses are closed
	// first.
	openConversations = 1000
	// readTime is how long a client may take to send a request, and writeTime to take an answer or
	// an event. After Close, a client has closeTime for the event that it is taking.
	readTime, writeTime, closeTime = 30 * time.Second, 30 * time.Second, 2 * time.Second
	// pingTime is how often a silent stream shows that it is alive. After streamTime a stream ends;
	// its page reconnects, and the user is asked for again.
	pingTime, streamTime = 20 * time.Second, 15 * time.Minute
	// beginTime is how long a request waits for its turn to begin.
	beginTime = 2 * time.Second
	// deleteTime is how long a conversation that is being deleted is locked.
	deleteTime = 30 * time.Second
	// storeTime limits the work of the store for what is not part of a request.
	storeTime = 30 * time.Second
)

func (o *Options) check() error {
	switch {
	case o.Engine == nil:
		return errors.New("server: no engine; set Options.Engine")
	case o.Store == nil:
		return errors.New("server: no store; set Options.Store, such as to chat.NewMemoryStore()")
	case o.User == nil:
		return errors.New("server: nobody says who the user is; set Options.User")
	}
	if l := o.Limits; l.Turns < 0 || l.Streams < 0 || l.BodyBytes < 0 || l.TurnTime < 0 {
		return fmt.Errorf("server: limits must not be negative (got %+v)", l)
	}
	return nil
}

type userKey struct{}

// UserFrom returns the ID of the user whose turn a tool runs in; "" outside of a Server's turns.
func UserFrom(ctx context.Context) string {
	id, _ := ctx.Value(userKey{}).(string)
	return id
}
