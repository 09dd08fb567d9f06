// Package tool defines tools and methods, and the registry of an application's tools.
//
// A Tool is a group of methods with one id. A Method is what a model calls, by the full name
// "toolId_methodName". New creates a method from a Go function, Raw from a JSON Schema and a
// handler. A Registry contains tools and finds the method that a request means. This package does
// not run methods and does not decide who may call them; packages discovery and executor refuse
// methods that are not AgentCallable.
package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/vcpgo/vcp/tool/schema"
)

// Handler runs a method. An error is a failure of the method; the model reads its text. If the
// error has a method In(language string) string, the model reads the text that In returns for
// Call.Language. A handler should return when its context ends; otherwise the executor stops
// waiting for it, and its result is lost.
type Handler func(ctx context.Context, call *Call) (Output, error)

// Middleware wraps a handler. The first middleware of a list is the outermost. The returned handler
// may run the wrapped handler once for each call, and only until it returns. The executor refuses
// to run the wrapped handler again or later.
type Middleware func(Handler) Handler

// Call is one run of a method. The handler must not change it.
type Call struct {
	// ID is the engine's request ID, unique within a session. It is never an ID that a model wrote.
	ID string
	// Method is the called method. It is not nil.
	Method *Entry
	// Arguments is a JSON object that the method's schema accepts.
	Arguments json.RawMessage
	// Language is the language of the prompt: Chinese if it is "zh", otherwise English.
	Language string
	// Progress reports the progress of the call to people; a function that has only a context calls
	// tool.Progress. It does not block. An update is shortened to 64 KiB, and updates are dropped
	// while 1 MiB of them wait for the consumer. It is not nil, and safe for concurrent use until
	// the handler returns.
	Progress func(text string)
	// Fits reports whether a result text is short enough for the model to see it whole. It is for
	// handlers that return their text in pages, and must be called on the handler's goroutine. nil
	// means that any text fits.
	Fits func(text string) bool

	context callContext // the first context that WithCall returns; here it needs no allocation
}

// callContext is a context that carries a call.
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
	// Text is for the model. It may contain anything, even invalid UTF-8, because the engine
	// neutralizes it.
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
	Data      []byte `json:"data"` // base64 in JSON
}

// Method is a function of a tool, which a model or the application can call. Use New, Raw or
// HostRun to create one. A registry keeps its own copy.
type Method struct {
	// Name is the method's part of its full name. It contains no underscore, unless FullName is
	// set.
	Name string
	// Title is the name for people. Description tells the model what the method does and when to
	// use it.
	Title, Description string
	// Aliases are other names for the method. A request may use them as its command: the name of
	// the method that a model writes apart from the name of the tool.
	Aliases []string
	// Tags group methods for people and for search.
	Tags []string
	// AgentCallable lets models discover and call the method.
	AgentCallable bool
	// Risk says how harmful a call can be; "" means RiskWrite.
	Risk Risk
	// AlwaysAsk makes every call need approval, whatever the policy allows by risk. Only a rule
	// that names the method or its tool can allow calls without asking.
	AlwaysAsk bool
	// OptIn hides the method until a key of discovery.Options.ToolToggles names it or its tool.
	OptIn bool
	// Preview returns what a call would do, such as the difference that it makes to a file, for the
	// person who is asked for approval. It must change nothing, and return the same text as long as
	// the call would do the same. If it returns an error, the call fails, and nobody is asked. Its
	// context carries the call, as for a Handler. nil means that there is no preview, and the
	// person sees only the arguments.
	Preview func(ctx context.Context, arguments json.RawMessage) (string, error)
	// Timeout limits one call; 0 means the executor's timeout.
	Timeout time.Duration
	// Idempotent says that two runs have the same effect as one, so the executor may retry a failed
	// call.
	Idempotent bool
	// CacheFor is how long the result of a call may be reused for calls with the same arguments; 0
	// means never. It is reused in all conversations of the same owner. Without an owner it is
	// reused only in the same conversation. A result must depend only on the arguments, the owner
	// and the call's language.
	CacheFor time.Duration
	// Concurrency limits how many calls of the method run at once; 0 means no limit.
	Concurrency int
	// Composite marks a method whose handler calls other methods through the executor. Its calls do
	// not count for executor.Options.MaxConcurrent, because the calls that they wait for count. The
	// engine checks whether foreign text names the method, and so may have asked for the call. For
	// a Composite method, text that names another method counts, too. If an argument may be code
	// that calls a method with secret parameters, Entry.MaskArguments masks all declared arguments.
	Composite bool
	// Resources are resources that two calls must not use at the same time.
	Resources []Resource
	// HostRun marks a method that the application runs: its calls are dispatched as events. It has
	// no Handler.
	HostRun bool
	// ResultTokens limits how much of a result the model sees, in tokens as the executor estimates
	// them. 0 means the executor's limit; a negative number means no limit.
	ResultTokens int
	// SecretParameters are the names of arguments, and of members at any depth of other arguments,
	// that are masked wherever calls are recorded. Entry.MaskArguments says which names are equal.
	// The whole value of such a name is secret, including the names of its members.
	SecretParameters []string
	// Parameters describe the arguments. They are not nil.
	Parameters *schema.Schema
	// Handler runs the method. It is nil if and only if HostRun is set.
	Handler Handler
	// Examples are the arguments of complete requests that show how the method is called.
	Examples []map[string]any
	// Translations are the texts of the definition in languages other than English. The first key
	// is a language as in protocol.PromptOptions. The second key is the English text: Description
	// or the description of a parameter. A text without a translation is shown in English. The maps
	// must not be changed after registration.
	Translations map[string]map[string]string
	// Changed is set if the definition differs from the one that the method's source recorded
	// before. While the change is open, every call needs approval: neither the risk nor a rule can
	// allow it, because they were chosen for the earlier definition.
	Changed *Change
	// FullName is for sources that choose their full names, such as "github/create_issue". If it is
	// "", the full name consists of the tool's id and the method's name.
	FullName string
}

// declares reports whether the parameters have an argument with exactly the given name.
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
	// Aliases are other names for the tool. A request may use them with a command, or alone if the
	// tool has a DefaultMethod. They may be any text. The exact id of another tool takes
	// precedence.
	Aliases []string
	// Tags group tools for people and for search.
	Tags []string
	// Owner says who registers the tool, for people who resolve a conflict; "" means "application".
	Owner string
	// Concurrency limits how many calls of all methods together run at once; 0 means no limit.
	Concurrency int
	// Secrets are secret values that the tool knows, such as the key of a service. They are not
	// part of a definition, so no model sees them. Package chat masks them in stored conversations,
	// also after the tool was unregistered.
	Secrets []string `json:"-"`
	Methods []Method
	// DefaultMethod names the method of a request that names only the tool, or the tool and a
	// command that is not one of its methods. "" means that the tool has no default method.
	DefaultMethod string
}

// Entry is a method in a registry. It is read-only, and remains valid when its tool is
// unregistered.
type Entry struct {
	Tool     *Tool
	Method   *Method
	FullName string // what a model writes to call the method
	Owner    string // who registered it

	registry *Registry
}

func fullName(t *Tool, m *Method) string {
	return cmp.Or(m.FullName, t.ID+"_"+m.Name)
}

// Risk returns the method's risk; RiskWrite if it has none.
func (e *Entry) Risk() Risk { return cmp.Or(e.Method.Risk, RiskWrite) }
