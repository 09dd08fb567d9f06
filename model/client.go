package model

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/engine"
)

// Options say which server and which model to use.
type Options struct {
	// BaseURL is what the paths of the API are appended to; it usually ends in "/v1". Required.
	BaseURL string
	// APIKey is sent as a bearer token; "" sends none.
	APIKey string
	// Model is the model's id; "" takes the one model that the server has.
	Model string
	// HTTPClient sends the requests; nil is a client of its own without a time limit, since a reply may take long. A client that
	// sets no CheckRedirect is made to refuse redirects to another host, which would be sent Headers too, and from https to http. No
	// client follows one that takes the conversation out of the request: 301, 302 and 303 do.
	HTTPClient *http.Client
	// Temperature is sent as it is; nil leaves it to the server.
	Temperature *float32
	// Headers are sent with each request. Their values are taken for secrets, except those of Accept, Accept-Language, Content-Type,
	// HTTP-Referer, Origin, Referer, User-Agent and X-Title.
	Headers http.Header
	// Preset says what is particular about the model; nil is PresetFor of its name.
	Preset *Preset
	// Calls says how the model calls tools; "" is CallsText, which every model can do.
	Calls Calls

	// Retries is how often a request is sent again that failed for a reason that may pass, as long as nothing of its answer was
	// delivered; 0 is DefaultRetries, and below 0 none. The waits between grow and are partly random; a Retry-After is kept to.
	Retries int
	// MaxRetryWait is the longest Retry-After that is waited for. A server that asks for more gets no further request, and the error says
	// how long it asked for. 0 is DefaultMaxRetryWait.
	MaxRetryWait time.Duration
	// IdleTimeout is how long a server may be silent, before its answer and within it; anything that it sends counts, comments too. 0 is
	// DefaultIdleTimeout, and below 0 there is no bound. A request that ends so is not sent again.
	IdleTimeout time.Duration
	// Timeout is how long one reply may take in all, with every attempt, every wait and the time that its reader takes. 0 is
	// DefaultTimeout, and below 0 there is no bound.
	Timeout time.Duration
	// Logger is told of each attempt that failed; nil is slog.Default. It receives neither secrets nor texts of a conversation.
	Logger *slog.Logger
}

// String leaves out what is secret, so that options can be logged.
func (o Options) String() string {
	return fmt.Sprintf("model.Options{BaseURL: %q, Model: %q}", safeURL(o.BaseURL), o.Model)
}

// GoString is String.
func (o Options) GoString() string { return o.String() }

// A Client is a model on a server. It is safe for concurrent use.
type Client struct {
	// What holds a secret stands behind a pointer, where printing a Client does not show it.
	config        *openai.ClientConfig
	authorization *string // nil where there is no key
	http          *http.Client
	headers       *http.Header
	secrets       *secrets

	baseURL     string // for messages
	temperature *float32
	owned       bool // http was made here

	preset *Preset // nil: chosen by the model's name

	calls   Calls
	probing chan struct{} // holds a value while found is read or found out
	found   Calls         // "" until it is known

	retries                int
	maxWait, idle, timeout time.Duration
	log                    *slog.Logger

	mu      sync.Mutex
	name    string // "" until it is known
	offered *offer // the last one
}

var _ engine.Model = (*Client)(nil)

// New returns a client. It sends nothing: whether the server is there shows with the first request. A base URL that cannot be one
// is an *Error of kind KindOptions.
func New(o Options) (*Client, error) {
	base := strings.TrimRight(strings.TrimSpace(o.BaseURL), "/")
	u, err := url.Parse(base)
	hide := secretsOf(o, u)
	bad := Error{Op: "new", Kind: KindOptions}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, newError(hide, bad, "the base URL %q is not one: it is written like http://127.0.0.1:11434/v1", safeURL(base))
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, newError(hide, bad, "the base URL %s goes on after its path: leave out all from the ? or #", safeURL(base))
	}
	headers := o.Headers.Clone()
	c := &Client{
		headers: &headers, secrets: hide, baseURL: hide.Line(safeURL(base), maxWords), name: strings.TrimSpace(o.Model),
	}
	c.retries, c.maxWait = max(0, or(o.Retries, DefaultRetries)), or(o.MaxRetryWait, DefaultMaxRetryWait)
	c.idle, c.timeout = or(o.IdleTimeout, DefaultIdleTimeout), or(o.Timeout, DefaultTimeout)
	if c.calls = o.Calls; c.calls == "" {
		c.calls = CallsText
	}
	if err := c.calls.check(); err != nil {
		return nil, newError(hide, bad, "Options.Calls is %v", err)
	}
	c.probing = make(chan struct{}, 1)
	if o.Preset != nil {
		p := *o.Preset
		if err := p.check(); err != nil {
			return nil, err
		}
		c.preset = &p
	}
	if c.log = o.Logger; c.log == nil {
		c.log = slog.Default()
	}
	if o.Temperature != nil {
		t := *o.Temperature
		c.temperature = &t
	}
	// A key read from a file often ends in a line break, which no header may hold.
	o.APIKey = strings.TrimSpace(o.APIKey)
	if o.APIKey != "" {
		bearer := "Bearer " + o.APIKey
		c.authorization = &bearer
	}
	config := openai.DefaultConfig(o.APIKey)
	config.BaseURL = base
	c.config = &config
	c.http, c.owned = httpClient(o.HTTPClient)
	return c, nil
}

// or returns value, or what holds where it is not set.
func or[T int | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// String names the server and the model.
func (c *Client) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name == "" {
		return c.baseURL
	}
	return c.name + " at " + c.baseURL
}

// Close lets go of idle connections of a client that Options did not bring. Replies under way are not touched.
func (c *Client) Close() {
	if c.owned {
		c.http.CloseIdleConnections()
	}
}

// Name returns the id of the model that is asked. Where Options named none, the first call asks the server: its only model is
// taken; none, or several, are an *Error of kind KindModel that names the choices.
func (c *Client) Name(ctx context.Context) (string, error) {
	c.mu.Lock()
	name := c.name
	c.mu.Unlock()
	if name != "" {
		return name, nil
	}
	names, err := c.Models(ctx)
	if err != nil {
		return "", err
	}
	if len(names) != 1 {
		return "", c.choices("", names)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.name = names[0]
	return c.name, nil
}

// Preset returns what is particular about the model. Where Options named no model, its name is found out as Name does.
func (c *Client) Preset(ctx context.Context) (Preset, error) {
	if c.preset != nil {
		return *c.preset, nil
	}
	name, err := c.Name(ctx)
	if err != nil {
		return Preset{}, err
	}
	return c.presetFor(name), nil
}

func (c *Client) presetFor(name string) Preset {
	if c.preset != nil {
		return *c.preset
	}
	return PresetFor(name)
}

// choices is the error of a model that the server does not have, or that was not chosen.
func (c *Client) choices(name string, names []string) *Error {
	e := Error{Op: "models", URL: c.baseURL, Kind: KindModel}
	switch {
	case len(names) == 0 && name == "":
		return newError(c.secrets, e, "%s offers no model: load one there, or name the model to ask for", c.baseURL)
	case len(names) == 0:
		return newError(c.secrets, e, "%s has no model %q, and offers none: load it there", c.baseURL, name)
	case name == "":
		return newError(c.secrets, e, "%s offers %d models, name one of them: %s", c.baseURL, len(names), list(names))
	}
	return newError(c.secrets, e, "%s has no model %q, name one of those it has: %s", c.baseURL, name, list(names))
}

// list joins names, at most as many as a person reads.
func list(names []string) string {
	const most = 20
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// httpClient returns a client that does not carry headers elsewhere, and whether it was made here.
func httpClient(given *http.Client) (client *http.Client, owned bool) {
	if given != nil {
		copied := *given
		client = &copied
	} else {
		client, owned = &http.Client{}, true
		if t, ok := http.DefaultTransport.(*http.Transport); ok {
			own := t.Clone()
			own.MaxResponseHeaderBytes = maxHeader
			client.Transport = own
		}
	}
	client.CheckRedirect = followed(client.CheckRedirect)
	return client, owned
}

// safeURL returns a URL without the parts that may hold secrets.
func safeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(not a URL)"
	}
	if u.User != nil {
		u.User = url.User("[secret]")
	}
	if u.RawQuery != "" {
		u.RawQuery = "[secret]"
	}
	u.Fragment = ""
	s := u.String()
	if at := strings.LastIndexByte(s, '@'); at >= 0 && u.Host == "" { // a password without the "//" before it
		s = "[secret]" + s[at:]
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "%5B", "["), "%5D", "]")
}
