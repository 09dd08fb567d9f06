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
	// Engine runs the turns of all users. If calls need approval, the engine's Approver must be
	// executor.AwaitDecision; otherwise users of the server cannot approve them.
	Engine *engine.Engine
	// Store keeps the conversations. Several processes may serve one store.
	Store chat.Store
	// User says who sends a request. If it returns an error, the request is refused: with the
	// status of an *Error, or with 401 for any other error. Several goroutines may call it.
	User func(*http.Request) (User, error)
	// System is the system prompt of all conversations.
	System string
	// Renderer renders messages as HTML, which pages get in the member "html" of a message. If it
	// is nil, messages have no HTML.
	Renderer *markdown.Renderer
	// Limits apply to users whose own limits are 0.
	Limits Limits
	// TrustedOrigins are other origins whose pages may send requests, such as
	// "https://example.com".
	TrustedOrigins []string
	// Logger logs failures; nil means slog.Default. No log line contains text of a conversation.
	Logger *slog.Logger
}

// User is the sender of a request.
type User struct {
	// ID is the owner of the user's conversations. It must not be empty, and must be the same in
	// each request.
	ID string
	// Visibility hides tools from the user's conversations. It takes effect when a conversation is
	// opened. In addition, its Filter is called before each call.
	engine.Visibility
	// Limits are those of this user. For a field that is 0, the field of Options.Limits applies.
	Limits Limits
}

// Limits limit what the server does for one user. A field that is 0 means the default.
type Limits struct {
	// Turns is how many turns run at once; by default 4.
	Turns int
	// Streams is how many streams are open at once; by default 16.
	Streams int
	// BodyBytes is the size of the body of a request; by default 1 MiB.
	BodyBytes int64
	// TurnTime is how long a turn may take, including people's decisions; by default 1 hour.
	TurnTime time.Duration
}

// orDefault returns l with each field that is 0 replaced by the same field of byDefault.
func (l Limits) orDefault(byDefault Limits) Limits {
	return Limits{
		Turns: cmp.Or(l.Turns, byDefault.Turns), Streams: cmp.Or(l.Streams, byDefault.Streams),
		BodyBytes: cmp.Or(l.BodyBytes, byDefault.BodyBytes), TurnTime: cmp.Or(l.TurnTime, byDefault.TurnTime),
	}
}

var defaultLimits = Limits{Turns: 4, Streams: 16, BodyBytes: 1 << 20, TurnTime: time.Hour}

const (
	// logBytes and logEvents limit the size and the number of the events that are kept for one
	// conversation.
	logBytes, logEvents = 4 << 20, 20_000
	// eventBytes limits one event. A longer event is sent without its texts, or a resetEvent
	// replaces it.
	eventBytes = 1 << 20
	// maxOpenConversations limits the conversations in memory. Before another one is opened, those
	// that have been idle for longest are closed. Conversations in use are never closed.
	maxOpenConversations = 1000
	// readTime is how long a client may take to send a request, and writeTime how long it may take
	// to read a response or an event. After Close, a client has closeTime to read the current
	// event.
	readTime, writeTime, closeTime = 30 * time.Second, 30 * time.Second, 2 * time.Second
	// pingTime is how often a silent stream shows that it is alive. After streamTime a stream ends;
	// its page reconnects, and Options.User is called again.
	pingTime, streamTime = 20 * time.Second, 15 * time.Minute
	// beginTime is how long a request waits for its turn to begin.
	beginTime = 2 * time.Second
	// storeTime limits the time of work with the store that is not part of a request.
	storeTime = 30 * time.Second
)

func (o *Options) check() error {
	switch {
	case o.Engine == nil:
		return errors.New("server: no engine; set Options.Engine")
	case o.Store == nil:
		return errors.New("server: no store; set Options.Store, such as to chat.NewMemoryStore()")
	case o.User == nil:
		return errors.New("server: no function that returns the user of a request; set Options.User")
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
