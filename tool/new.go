package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/schema"
)

// New makes a method from a function. Its arguments are the fields of In, a struct or a map with
// string keys, described as schema.For says. If fn returns a string, it is the text for the model;
// an Output is used as it is. Any other result is both the details and, as JSON, the text for the
// model.
//
// The context of fn knows the call: Progress reports how far it is, and CallFrom returns it. fn
// gets converted and validated input. It does not run if the Go type refuses what the schema
// accepts, such as an integer that is too large. Then the call fails with a *schema.ArgumentsError.
func New[In, Out any](
	name, description string, fn func(context.Context, In) (Out, error), opts ...Option,
) (Method, error) {
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
		out, err := fn(WithCall(ctx, call), in) // a middleware may have copied the call
		if err != nil {
			return Output{}, err
		}
		// Unlike out, a pointer to it becomes an interface without an allocation.
		if text, ok := any(&out).(*string); ok {
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
	hostRun := func(m *Method) { m.HostRun = true }
	return raw(name, description, parameters, nil, append(opts[:len(opts):len(opts)], hostRun))
}

func build(name, description string, parameters *schema.Schema, h Handler, opts []Option) (Method, error) {
	m := Method{Name: name, Description: description, Parameters: parameters, Handler: h}
	for _, o := range opts {
		o(&m)
	}
	if err := m.check(); err != nil {
		return Method{}, err
	}
	if err := m.checkExamples(""); err != nil {
		return Method{}, err
	}
	return m, nil
}

// checkExamples returns an error if the schema refuses an example. prefix is what the reason begins
// with.
func (m *Method) checkExamples(prefix string) error {
	for i, example := range m.Examples {
		arguments, err := orderedjson.Encode(example)
		if err == nil {
			err = m.Parameters.Validate(arguments)
		}
		if err != nil {
			reason := fmt.Sprintf("%sexample %d does not fit the parameters", prefix, i+1)
			return &DefinitionError{Name: m.Name, Reason: reason, Err: err}
		}
	}
	return nil
}

// WithPreview sets Method.Preview. fn gets its arguments as the function of New does.
func WithPreview[In any](fn func(context.Context, In) (string, error)) Option {
	decoder := newDecoder(reflect.TypeFor[In]())
	return func(m *Method) {
		m.Preview = func(ctx context.Context, arguments json.RawMessage) (string, error) {
			var in In
			if err := decoder.into(&in, arguments); err != nil {
				return "", err
			}
			return fn(ctx, in)
		}
	}
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
