// Package tool says what a tool is, and keeps the tools of an application.
//
// A Tool is a group of methods under one id; a Method is what a model calls, by the full name "toolId_methodName". New makes a
// method from a Go function, Raw from a JSON Schema and a handler. A Registry holds tools and finds the method that a request
// means. Nothing here runs a method or decides who may: a method that is not marked AgentCallable is kept for the application's own
// use, and discovery and executor refuse it.
package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/vcpgo/vcp/tool/schema"
)

// Handler runs a method. An error is the method's failure, in words for the model; it may be any error. A handler heeds its
// context; one that does not is abandoned at its deadline, and its answer is lost.
type Handler func(ctx context.Context, call *Call) (Output, error)

// Middleware wraps a handler. Of several, the first listed is outermost. It may call the handler that it wraps once for each call,
// before it returns: an executor refuses all else.
type Middleware func(Handler) Handler

// Call is one run of a method. The handler does not change it.
type Call struct {
	// ID is the engine's own id of the request, unique among all requests of its session: another session may have the same. It is
	// never an id that a model wrote.
	ID string
	// Method is what is being called; never nil.
	Method *Entry
	// Arguments is a JSON object that the method's schema accepts.
	Arguments json.RawMessage
	// Progress tells people how far the call is. It never waits: a text beyond 64 KiB is shortened, and texts are dropped while those
	// that nobody has listened to yet take 1 MiB. It is never nil, and safe from any goroutine until the handler returns.
	Progress func(text string)
}

// Output is what a call yields.
type Output struct {
	// Text is for the model. It need not be valid UTF-8 nor harmless: whoever writes it into a prompt neutralises it.
	Text string
	// Details is for people and programs: anything that encodes as JSON, or nil. It never enters the model's context.
	Details any
	// Files are for people too: images, tables, whatever is better looked at than read.
	Files []File
}

// File is what a call yields for people to look at or to keep.
type File struct {
	// Name is a file's name without a directory, such as "plot.png".
	Name string `json:"name"`
	// MediaType says what Data is, as in "image/png".
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"` // in JSON, base64
}

// Method is one thing that a tool can do. It is built by New or Raw, and a value: a registry keeps a copy of its own.
type Method struct {
	// Name is the method's part of its full name. It holds no underscore, unless FullName is set.
	Name string
	// Title is the name that people see; Description tells the model what the method does and when to use it.
	Title, Description string
	// Alias is another name for the method, by which a request may name it in its command; "" is none.
	Alias string
	// AgentCallable marks a method that models may discover and call.
	AgentCallable bool
	// Risk is what a call may do; "" counts as RiskWrite.
	Risk Risk
	// Timeout bounds one call; 0 leaves it to the executor.
	Timeout time.Duration
	// Idempotent marks a method that may be run again where a run has failed: it does no more in two runs than in one.
	Idempotent bool
	// CacheFor is how long a conversation may be given the result of an earlier call with the same arguments; 0 is never.
	CacheFor time.Duration
	// Concurrency is how many calls of the method run at once; 0 is any number.
	Concurrency int
	// Resources are what calls must not use at the same time.
	Resources []Resource
	// HostRun marks a method that the application runs itself: it is handed out as an event and answered. It has no Handler.
	HostRun bool
	// ResultTokens bounds what one result puts before the model, in tokens as the executor estimates them; 0 leaves it to the
	// executor, and below 0 there is no bound.
	ResultTokens int
	// SecretParameters name the arguments that are masked wherever calls are recorded, and members of such names at any depth of
	// others, as Entry.MaskArguments compares them. All below such a name is secret, the names of members included.
	SecretParameters []string
	// Parameters describe the arguments; never nil.
	Parameters *schema.Schema
	// Handler runs the method; nil where the method is HostRun, and never nil else.
	Handler Handler
	// Examples are the arguments of complete requests that show how the method is called.
	Examples []map[string]any
	// FullName is set by sources that bring whole names of their own, such as "github/create_issue". Else it is empty, and the
	// full name is made of the tool's id and the method's name.
	FullName string
}

// Tool is a group of methods.
type Tool struct {
	// ID is the tool's part of the full names of its methods; unique in a registry.
	ID                 string
	Title, Description string
	// Owner tells who brings the tool, for people who have to settle a conflict; "" is "application".
	Owner string
	// Concurrency is how many calls of all methods together run at once; 0 is any number.
	Concurrency int
	Methods     []Method
}
