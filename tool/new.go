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

// An Option sets a property of a method.
type Option func(*Method)

// AgentCallable lets models discover and call the method. Without it, only the application uses the
// method.
func AgentCallable() Option { return func(m *Method) { m.AgentCallable = true } }

// Title sets the name that people see.
func Title(title string) Option { return func(m *Method) { m.Title = title } }

// Alias sets another name for the method, which a request may use as its command.
func Alias(alias string) Option { return func(m *Method) { m.Alias = alias } }

// WithRisk says what a call may do. The default is RiskWrite.
func WithRisk(r Risk) Option { return func(m *Method) { m.Risk = r } }

// Idempotent allows retries, as Method.Idempotent says.
func Idempotent() Option { return func(m *Method) { m.Idempotent = true } }

// Cacheable allows results to be reused for d, as Method.CacheFor says.
func Cacheable(d time.Duration) Option { return func(m *Method) { m.CacheFor = d } }

// Concurrency limits how many calls of the method run at once; 0 means no limit.
func Concurrency(n int) Option { return func(m *Method) { m.Concurrency = n } }

// Uses names a resource that calls must not use at the same time. arguments name the arguments that
// identify one of several such resources.
func Uses(resource string, arguments ...string) Option {
	return func(m *Method) { m.Resources = append(m.Resources, Resource{Name: resource, Arguments: arguments}) }
}

// Timeout limits the time of one call; 0 leaves it to the executor.
func Timeout(d time.Duration) Option { return func(m *Method) { m.Timeout = d } }

// ResultTokens limits what one result puts into the model's context, as Method.ResultTokens says.
func ResultTokens(tokens int) Option { return func(m *Method) { m.ResultTokens = tokens } }

// SecretParameters name arguments, and members at any depth of other arguments, that are masked
// wherever calls are recorded. A name that the parameters do not declare is refused, unless they
// allow any name.
func SecretParameters(names ...string) Option {
	return func(m *Method) { m.SecretParameters = append(m.SecretParameters, names...) }
}

// Example adds the arguments of a complete request. The method's schema must accept them.
func Example(args map[string]any) Option {
	return func(m *Method) { m.Examples = append(m.Examples, args) }
}

// FullName sets the name by which models call the method, for sources with names of their own.
func FullName(name string) Option { return func(m *Method) { m.FullName = name } }

// New makes a method from a function. Its arguments are the fields of In, a struct or a map with
// string keys, described as schema.For says. If fn returns a string, it is the text for the model;
// an Output is used as it is. Any other result is both the details and, as JSON, the text for the
// model.
//
// fn gets converted and validated input. It does not run if the Go type refuses what the schema
// accepts, such as an integer that is too large: then the call fails with a *schema.ArgumentsError.
func New[In, Out any](name, description string, fn func(context.Context, In) (Out, error), opts ...Option) (Method, error) {
	if fn == nil {
		return Method{}, &DefinitionError{Name: name, Reason: "function is missing"}
	}
	parameters, err := schema.For[In]()
	if err != nil {
		return Method{}, &DefinitionError{Name: name, Reason: "arguments cannot be described", Err: err}
	}
	decoder := newDecoder(reflect.TypeFor[In]())
	handler := func(ctx context.Context, call *Call) (Output, error) {
		var in In
		if err := decoder.into(&in, call.Arguments); err != nil {
			return Output{}, decoder.problem(err, call)
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

// Raw makes a method from a JSON Schema and a handler. If the schema is nil, the method has no
// arguments.
func Raw(name, description string, parameters json.RawMessage, h Handler, opts ...Option) (Method, error) {
	if h == nil {
		return Method{}, &DefinitionError{Name: name, Reason: "handler is missing"}
	}
	return raw(name, description, parameters, h, opts)
}

func raw(name, description string, parameters json.RawMessage, h Handler, opts []Option) (Method, error) {
	if parameters == nil {
		parameters = json.RawMessage(`{"type":"object","additionalProperties":false}`)
	}
	compiled, err := schema.Compile(parameters)
	if err != nil {
		return Method{}, &DefinitionError{Name: name, Reason: "parameter schema cannot be used", Err: err}
	}
	return build(name, description, compiled, h, opts)
}

// HostRun makes a method that the application runs, from a JSON Schema as Raw takes it. Calls pass
// all checks, are dispatched to the application as events, and wait for its result until the
// method's timeout.
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
			return Method{}, &DefinitionError{Name: name, Reason: fmt.Sprintf("example %d does not fit the parameters", i+1), Err: err}
		}
	}
	return m, nil
}

// toOutput turns the result of a typed function into that of a handler.
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
