// Package tool defines tools and keeps those of an application.
//
// A Tool is a group of methods with one id. A Method is what a model calls, by the full name
// "toolId_methodName". New makes a method from a Go function, Raw from a JSON Schema and a handler.
// A Registry contains tools and finds the method that a request means. This package does not run
// methods and does not decide who may call them. Discovery and executor refuse methods that are not
// AgentCallable.
package tool

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/vcpgo/vcp/tool/schema"
)

// Handler runs a method. An error is a failure of the method, in words for the model. If the error
// has a method In(language string) string, the model reads the text that In returns for
// Call.Language. A handler should return when its context ends; otherwise it is abandoned, and its
// result is lost.
type Handler func(ctx context.Context, call *Call) (Output, error)

// Middleware wraps a handler. The first of a list is outermost. The handler that it returns may run
// the wrapped handler once for each call, before it returns. The executor refuses to run it again
// or later.
type Middleware func(Handler) Handler

// Call is one run of a method. The handler must not change it.
type Call struct {
	// ID is the engine's request ID, unique within a session. It is never an id that a model wrote.
	ID string
	// Method is the called method, not nil.
	Method *Entry
	// Arguments is a JSON object that the method's schema accepts.
	Arguments json.RawMessage
	// Language is that of the prompt: "zh", or else English.
	Language string
	// Progress tells people how far the call is; functions that have only a context call
	// tool.Progress. It does not block. An update is shortened to 64 KiB, and updates are dropped
	// while 1 MiB of them wait for the consumer. It is not nil, and safe for concurrent use until
	// the handler returns.
	Progress func(text string)
	// Fits reports whether a result text is within its budget, so that the model reads it whole. It
	// is for handlers that return their text in pages, and must be called on the handler's
	// goroutine. nil means that any text fits.
	Fits func(text string) bool

	context callContext // storage for WithCall
}

// callContext is the context of a call.
type callContext struct {
	context.Context
	call *Call
}

type callKey struct{}

// Value returns the call for callKey.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return c.call
	}
	return c.Context.Value(key)
}

// Output is the result of a handler.
type Output struct {
	// Text is for the model. It may contain anything, also invalid UTF-8: the engine neutralizes
	// it.
	Text string
	// Details are for people and programs: anything that encodes as JSON, or nil. The model does
	// not read them.
	Details any
	// Files are for people: images, tables and the like.
	Files []File
}

// File is a file for people.
type File struct {
	// Name is a file's name without a directory, such as "plot.png".
	Name string `json:"name"`
	// MediaType says what Data is, as in "image/png".
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"` // in JSON, base64
}

// Method is one thing that a tool can do. New, Raw and HostRun make methods. A registry keeps its
// own copy.
type Method struct {
	// Name is the method's part of its full name. It contains no underscore, unless FullName is
	// set.
	Name string
	// Title is the name for people. Description tells the model what the method does and when to
	// use it.
	Title, Description string
	// Aliases are other names for the method, which a request may use as its command.
	Aliases []string
	// Tags group methods for people and for search.
	Tags []string
	// AgentCallable lets models discover and call the method.
	AgentCallable bool
	// Risk is what a call may do; "" means RiskWrite.
	Risk Risk
	// AlwaysAsk makes every call need approval, whatever the policy allows by risk. Only a rule
	// that names the method or its tool can allow calls without asking.
	AlwaysAsk bool
	// OptIn hides the method until a toggle names it or its tool.
	OptIn bool
	// Preview returns what a call would do, such as the difference that it makes to a file, for the
	// person who is asked for approval. It must change nothing, and return the same text as long as
	// the call would do the same. Its error fails the call, and nobody is asked. CallFrom returns
	// the call for its context. nil means that the arguments say enough.
	Preview func(ctx context.Context, arguments json.RawMessage) (string, error)
	// Timeout limits one call; 0 means the executor's timeout.
	Timeout time.Duration
	// Idempotent allows the executor to retry a failed run: two runs have the effect of one.
	Idempotent bool
	// CacheFor is how long the result of a call may be reused for calls with the same arguments; 0
	// means never. It is reused in all conversations of the same owner. Without an owner it is
	// reused in the same conversation only. A result must depend on the arguments, the owner and
	// the call's language only.
	CacheFor time.Duration
	// Concurrency is how many calls of the method run at once; 0 means no limit.
	Concurrency int
	// Composite marks a method whose handler calls other methods through the executor. It takes no
	// place among the calls of executor.Options.MaxConcurrent, because the calls that it waits for
	// need places. Foreign text that names a method which a call of it calls counts as naming it.
	Composite bool
	// Resources are what calls must not use at the same time.
	Resources []Resource
	// HostRun marks a method that the application runs: its calls are dispatched as events. It has
	// no Handler.
	HostRun bool
	// ResultTokens limits what one result puts into the model's context, in tokens as the executor
	// estimates them. 0 means the executor's limit; a negative number means no limit.
	ResultTokens int
	// SecretParameters name arguments, and members at any depth of other arguments, that are masked
	// wherever calls are recorded. Entry.MaskArguments says which names are equal. Everything below
	// such a name is secret, including the names of members.
	SecretParameters []string
	// Parameters describe the arguments; not nil.
	Parameters *schema.Schema
	// Handler runs the method. It is nil if and only if HostRun is set.
	Handler Handler
	// Examples are the arguments of complete requests that show how the method is called.
	Examples []map[string]any
	// Translations are the texts of the definition in other languages than English: by language, as
	// protocol.PromptOptions names it, and then by Description or the description of a parameter. A
	// text without a translation is shown as it is. The maps must not be changed after
	// registration.
	Translations map[string]map[string]string
	// Changed says that the definition differs from the one that the method's source recorded
	// before; nil means that it does not. While the change is open, no risk and no rule allows
	// calls without approval, because they were chosen for the earlier definition.
	Changed *Change
	// FullName is for sources with names of their own, such as "github/create_issue". If it is "",
	// the full name consists of the tool's id and the method's name.
	FullName string
}

// declares reports whether the parameters have an argument of that name.
func (m *Method) declares(name string) bool {
	return slices.ContainsFunc(m.Parameters.Properties(), func(p schema.Property) bool { return p.Name == name })
}

// CommandNames returns the commands that mean the method within its tool, each once: its name and
// its aliases.
func (m *Method) CommandNames() []string {
	names := []string{m.Name}
	for _, alias := range m.Aliases {
		if !slices.Contains(names, alias) {
			names = append(names, alias)
		}
	}
	return names
}

// Resource is something that two calls must not use at the same time, such as a device, a file or
// an account. Calls that share a resource run one after the other in order of arrival, even if
// their methods differ.
type Resource struct {
	// Name identifies the resource for all methods of a process.
	Name string
	// Arguments name the arguments that identify one of several such resources. With the Name
	// "file" and the Arguments "path", calls share a resource only if their path is the same.
	// Values are compared byte for byte: "a" and "./a" are different.
	Arguments []string
}

// Tool is a group of methods.
type Tool struct {
	// ID is the tool's part of the full names of its methods; unique in a registry.
	ID                 string
	Title, Description string
	// Aliases are other names for the tool, which a request may use with a command. They may be any
	// text; the id of another tool wins over them.
	Aliases []string
	// Tags group tools for people and for search.
	Tags []string
	// Owner says who registers the tool, for people who resolve a conflict; "" means "application".
	Owner string
	// Concurrency is how many calls of all methods together run at once; 0 means no limit.
	Concurrency int
	// Secrets are values that the tool knows and nobody may read, such as the key of a service.
	// Conversations are stored without them, as package chat says. No model sees them.
	Secrets []string `json:"-"`
	Methods []Method
	// DefaultMethod names the method that a request means if it names only the tool, or the tool
	// and a command that is not a method of it; "" means none.
	DefaultMethod string
}

// Entry is a method in a registry. It is read-only, and remains valid when its tool is
// unregistered.
type Entry struct {
	Tool     *Tool
	Method   *Method
	FullName string // what a model writes to call the method
	Owner    string // who registered it
}

func fullName(t *Tool, m *Method) string {
	if m.FullName != "" {
		return m.FullName
	}
	return t.ID + "_" + m.Name
}

// Risk returns the method's level: RiskWrite if it declares none.
func (e *Entry) Risk() Risk {
	if e.Method.Risk == "" {
		return RiskWrite
	}
	return e.Method.Risk
}
