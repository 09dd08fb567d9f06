package model

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Defaults of Options.
const (
	// DefaultRetries bridges the restart of a server. With more, a person would wait too long for
	// the error.
	DefaultRetries = 2
	// DefaultMaxRetryWait is about as long as a person would rather wait than get an error.
	DefaultMaxRetryWait = time.Minute
	// DefaultIdleTimeout is long, because a large model that reads a long prompt on a small machine
	// sends nothing for minutes.
	DefaultIdleTimeout = 5 * time.Minute
	// DefaultTimeout only ends replies that would never end.
	DefaultTimeout = time.Hour
)

// Options name a server and a model.
type Options struct {
	// BaseURL is the URL to which the paths of the API are appended. It usually ends in "/v1".
	// Required.
	BaseURL string
	// APIKey is sent as a bearer token; "" sends none.
	APIKey string
	// Model is the id of the model; "" means the only model that the server has.
	Model string
	// HTTPClient sends the requests. Nil means a client without a time limit, since a reply may
	// take long. Redirects from https to http are refused. So are redirects to another host, which
	// would receive Headers too. If the client has a CheckRedirect, that function decides on both
	// instead. A redirect that drops the content of the request, as 301, 302 and 303 do, is never
	// followed.
	HTTPClient *http.Client
	// Temperature is sent as it is; nil means the server's default.
	Temperature *float32
	// Headers are sent with each request. Their values count as secrets, except those of Accept,
	// Accept-Language, Content-Type, HTTP-Referer, Origin, Referer, User-Agent and X-Title.
	Headers http.Header
	// Preset describes the model's family; nil means PresetFor of the model's name.
	Preset *Preset
	// Calls says how the model calls tools; "" means CallsText, which works with every model.
	Calls Calls

	// Retries is how often a request is sent again after a temporary failure. Once a piece of the
	// reply was delivered, nothing is sent again. 0 means DefaultRetries; a negative value means
	// none. The waits grow and are partly random; a Retry-After of the server is respected.
	Retries int
	// MaxRetryWait is the longest Retry-After that the client respects. If a server asks for more,
	// nothing is sent again, and the error says how long it asked for. 0 means DefaultMaxRetryWait.
	MaxRetryWait time.Duration
	// IdleTimeout is how long a server may be silent, before its response and within it. Any byte
	// ends the silence, even one of an SSE comment. A request that failed because of IdleTimeout is
	// not sent again. 0 means DefaultIdleTimeout; a negative value means no limit.
	IdleTimeout time.Duration
	// Timeout limits one reply, including all attempts, waits and the time that its reader takes. 0
	// means DefaultTimeout; a negative value means no limit.
	Timeout time.Duration
	// Logger receives each failed attempt that is followed by another, and what a client finds out
	// for CallsAuto; nil means slog.Default. It receives no secrets and no text of a conversation.
	Logger *slog.Logger
}

// String omits secrets, so that options can be logged.
func (o Options) String() string {
	return fmt.Sprintf("model.Options{BaseURL: %q, Model: %q}", safeURL(o.BaseURL), o.Model)
}

// GoString returns the same text as String.
func (o Options) GoString() string { return o.String() }
