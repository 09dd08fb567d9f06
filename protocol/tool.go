package protocol

import (
	"encoding/json"
	"fmt"
)

// Form is the form of an argument's text.
type Form uint8

const (
	// FormPlain is text. The method's schema decides what it means.
	FormPlain Form = iota
	// FormJSON is one JSON value, byte for byte as the model wrote it.
	FormJSON
)

// String returns "plain" or "json", the spelling used in JSON and in documents.
func (f Form) String() string {
	if f == FormJSON {
		return "json"
	}
	return "plain"
}

// MarshalText returns String.
func (f Form) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText is the inverse of String.
func (f *Form) UnmarshalText(text []byte) error {
	switch string(text) {
	case "plain":
		*f = FormPlain
	case "json":
		*f = FormJSON
	default:
		return fmt.Errorf("form %q is not one of plain, json", text)
	}
	return nil
}

// Argument is one named value of a request, as the model wrote it: nothing is converted.
type Argument struct {
	Name string `json:"name"`
	// Value is text, or one JSON value, as Form says.
	Value string `json:"value"`
	Form  Form   `json:"form"`
}

// ToolRequest is a request as a model means it, independent of the protocol.
type ToolRequest struct {
	// ToolName is the name as the model wrote it; protocol and parser do not interpret it.
	ToolName string `json:"toolName"`
	// Command is the method if the model wrote it apart from the tool's name; else "".
	Command string `json:"command,omitempty"`
	// Label is the model's own ID for the request. It identifies nothing: two requests may have the
	// same.
	Label string `json:"label,omitempty"`
	// Arguments contain everything else, in the order written.
	Arguments []Argument `json:"arguments,omitempty"`
}

// ResultStatus is the outcome of a request as reported to the model.
type ResultStatus string

// The two outcomes of a request.
const (
	StatusSuccess ResultStatus = "success"
	StatusError   ResultStatus = "error"
)

// ToolResult is what goes back to the model for one request.
type ToolResult struct {
	// ResultID is the id under which the model sees the result: the label that the model gave the
	// request, or the request's ID. ToolName is the name as the request had it.
	ResultID string `json:"resultId"`
	ToolName string `json:"toolName"`
	// About has the arguments that only this request has, such as "path=a.txt", if several requests
	// call the same method; else "".
	About  string       `json:"about,omitempty"`
	Status ResultStatus `json:"status"`
	// ErrorType and Suggestion are set if Status is StatusError: the kind of error, such as
	// "timeout", and a sentence that tells the model what to do.
	ErrorType  string `json:"errorType,omitempty"`
	Suggestion string `json:"suggestion,omitempty"`
	// Note is a remark of the engine on the request or the result, or "" for none.
	Note string `json:"note,omitempty"`
	// Result is the tool's text. It is foreign text: FormatToolResults neutralizes it.
	Result string `json:"result"`
}

// UnmarshalJSON also accepts "requestId" for ResultID: stores of earlier versions contain it.
func (r *ToolResult) UnmarshalJSON(data []byte) error {
	type fields ToolResult
	var j struct {
		fields
		RequestID string `json:"requestId"`
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*r = ToolResult(j.fields)
	if r.ResultID == "" {
		r.ResultID = j.RequestID
	}
	return nil
}

// ToolDefinition describes one method to a model.
type ToolDefinition struct {
	// ToolName is exactly what the model must write to call the method.
	ToolName    string
	Description string // what the method does; may be ""
	Parameters  []Parameter
	// Examples are calls of the method. A protocol omits those that it cannot write.
	Examples []ToolRequest
}

// Parameter is one argument that a method takes. A protocol may show its JSON form to the model.
type Parameter struct {
	Name        string            `json:"name"`
	Type        string            `json:"type,omitempty"`     // a JSON Schema type; "" for any
	Nullable    bool              `json:"nullable,omitempty"` // null is allowed besides Type
	Required    bool              `json:"required,omitempty"`
	Default     json.RawMessage   `json:"default,omitempty"` // nil for none
	Enum        []json.RawMessage `json:"enum,omitempty"`    // the allowed values; nil for any
	Description string            `json:"description,omitempty"`
	// Schema has the keywords of the parameter's JSON Schema that no other field expresses, such as
	// {"minimum":1} for a number or {"items":{…}} for an array. If Type is "", they include the
	// types.
	Schema json.RawMessage `json:"schema,omitempty"`
}
