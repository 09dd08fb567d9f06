package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/schema"
)

// New creates a method from a function. The method's arguments are the fields of In, a struct or a
// map with string keys; schema.For explains their types and tags. If fn returns a string, it is the
// text for the model. If fn returns an Output, that is the result. Any other value is the
// Output.Details, and its JSON is the text for the model.
//
// The context of fn carries the call: CallFrom returns it, and Progress reports its progress. fn
// gets converted and validated arguments. If In cannot hold arguments that the schema accepts, fn
// does not run, and the call fails with a *schema.ArgumentsError. An example is an integer that is
// too large.
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
		out, err := fn(WithCall(ctx, call), in) // call may be a copy that a middleware made
		if err != nil {
			return Output{}, err
		}
		// Converting &out to an interface needs no allocation, unlike converting out.
		if text, ok := any(&out).(*string); ok {
			return Output{Text: *text}, nil
		}
		return toOutput(out)
	}
	return build(name, description, parameters, handler, opts)
}

// Raw creates a method from a JSON Schema and a handler. If parameters, the schema, is nil, the
// method has no arguments.
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

// HostRun creates a method that the application runs. parameters is a JSON Schema as for Raw. A
// call passes all checks, is dispatched to the application as an event, and waits for the
// application's result until the method's timeout.
func HostRun(name, description string, parameters json.RawMessage, opts ...Option) (Method, error) {
	hostRun := func(m *Method) { m.HostRun = true }
	return raw(name, description, parameters, nil, append(slices.Clone(opts), hostRun))
}

// build creates a method, applies the options, and checks the result.
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

// checkExamples returns an error if the schema refuses an example. The reason of the error begins
// with prefix.
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

// WithPreview sets Method.Preview. Arguments are decoded into In as for New.
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

// toOutput converts the result of a function that was given to New to the result of a handler.
func toOutput(out any) (Output, error) {
	if out, ok := out.(Output); ok {
		return out, nil
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
