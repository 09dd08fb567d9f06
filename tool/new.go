package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/schema"
)

// An Option sets up a method.
type Option func(*Method)

// AgentCallable lets models discover and call the method. Without it a method is for the application alone.
func AgentCallable() Option { return func(m *Method) { m.AgentCallable = true } }

// Title sets the name that people see.
func Title(title string) Option { return func(m *Method) { m.Title = title } }

// Alias sets another name for the method, by which a request may name it in its command.
func Alias(alias string) Option { return func(m *Method) { m.Alias = alias } }

// WithRisk says what a call may do. A method that does not say counts as RiskWrite.
func WithRisk(r Risk) Option { return func(m *Method) { m.Risk = r } }

// Idempotent lets a failed run be tried again, as Method.Idempotent says.
func Idempotent() Option { return func(m *Method) { m.Idempotent = true } }

// Cacheable lets results be used again for d, as Method.CacheFor says.
func Cacheable(d time.Duration) Option { return func(m *Method) { m.CacheFor = d } }

// Concurrency bounds how many calls of the method run at once; 0 is any number.
func Concurrency(n int) Option { return func(m *Method) { m.Concurrency = n } }

// Uses names a resource that calls must not use at the same time; arguments name those of the method that tell one such resource
// from another.
func Uses(resource string, arguments ...string) Option {
	return func(m *Method) { m.Resources = append(m.Resources, Resource{Name: resource, Arguments: arguments}) }
}

// Timeout bounds one call of the method; 0 leaves it to the executor.
func Timeout(d time.Duration) Option { return func(m *Method) { m.Timeout = d } }

// ResultTokens bounds what one result of the method puts before the model, as Method.ResultTokens says.
func ResultTokens(tokens int) Option { return func(m *Method) { m.ResultTokens = tokens } }

// SecretParameters name arguments that are masked wherever calls are recorded, and members of such names at any depth of others. A
// name that the parameters have nowhere is refused, unless they take members of any name.
func SecretParameters(names ...string) Option {
	return func(m *Method) { m.SecretParameters = append(m.SecretParameters, names...) }
}

// Example adds the arguments of a complete request. The method's own schema must accept them.
func Example(args map[string]any) Option {
	return func(m *Method) { m.Examples = append(m.Examples, args) }
}

// FullName sets the whole name by which models call the method, for sources that bring names of their own.
func FullName(name string) Option { return func(m *Method) { m.FullName = name } }

// New makes a method from a function. Its arguments are the fields of In, a struct (or a map with string keys), described as
// schema.For says. A string that fn returns is the text for the model as it is, an Output is handed on, and any other result
// becomes JSON for the model and is the details too.
//
// By the time fn runs, its input has been converted and validated. What the schema takes and the Go type does not, such as an integer
// that is too large for it or a text that its UnmarshalText refuses, is reported as a *schema.ArgumentsError, and fn does not run.
func New[In, Out any](name, description string, fn func(context.Context, In) (Out, error), opts ...Option) (Method, error) {
	if fn == nil {
		return Method{}, &DefinitionError{Name: name, Reason: "has no function"}
	}
	parameters, err := schema.For[In]()
	if err != nil {
		return Method{}, &DefinitionError{Name: name, Reason: "takes arguments that cannot be described", Err: err}
	}
	decode := newDecoder(reflect.TypeFor[In]())
	handler := func(ctx context.Context, call *Call) (Output, error) {
		var in In
		if err := decode.into(&in, call.Arguments); err != nil {
			return Output{}, decode.problem(err, call)
		}
		out, err := fn(ctx, in)
		if err != nil {
			return Output{}, err
		}
		if text, ok := any(&out).(*string); ok { // a pointer needs no memory of its own
			return Output{Text: *text}, nil
		}
		return toOutput(out)
	}
	return build(name, description, parameters, handler, opts)
}

// Raw makes a method from a JSON Schema and a handler. Without a schema (nil) the method takes no arguments.
func Raw(name, description string, parameters json.RawMessage, h Handler, opts ...Option) (Method, error) {
	if h == nil {
		return Method{}, &DefinitionError{Name: name, Reason: "has no handler"}
	}
	return raw(name, description, parameters, h, opts)
}

func raw(name, description string, parameters json.RawMessage, h Handler, opts []Option) (Method, error) {
	if parameters == nil {
		parameters = json.RawMessage(`{"type":"object","additionalProperties":false}`)
	}
	compiled, err := schema.Compile(parameters)
	if err != nil {
		return Method{}, &DefinitionError{Name: name, Reason: "has a parameter schema that cannot be used", Err: err}
	}
	return build(name, description, compiled, h, opts)
}

// HostRun makes a method that the application runs itself, from a JSON Schema as Raw takes it. Calls pass through all checks, are
// handed out as events, and wait for the application's answer within the method's time.
func HostRun(name, description string, parameters json.RawMessage, opts ...Option) (Method, error) {
	return raw(name, description, parameters, nil, append(opts[:len(opts):len(opts)], func(m *Method) { m.HostRun = true }))
}

func build(name, description string, parameters *schema.Schema, h Handler, opts []Option) (Method, error) {
	m := Method{Name: name, Description: description, Parameters: parameters, Handler: h}
	for _, o := range opts {
		o(&m)
	}
	if err := m.check(); err != nil {
		return Method{}, err
	}
	for i, example := range m.Examples {
		args, err := orderedjson.Encode(example)
		if err == nil {
			err = parameters.Validate(args)
		}
		if err != nil {
			return Method{}, &DefinitionError{Name: name, Reason: fmt.Sprintf("has an example (number %d) that its own parameters refuse", i+1), Err: err}
		}
	}
	return m, nil
}

// toOutput turns what a typed function returned into what a handler returns.
func toOutput(out any) (Output, error) {
	switch out := out.(type) {
	case Output:
		return out, nil
	case string:
		return Output{Text: out}, nil
	}
	if v := reflect.ValueOf(out); v.Kind() == reflect.String {
		return Output{Text: v.String()}, nil
	}
	text, err := orderedjson.Encode(out)
	if err != nil {
		return Output{}, fmt.Errorf("the result of type %T cannot be written as JSON: %w", out, err)
	}
	return Output{Text: string(text), Details: out}, nil
}
