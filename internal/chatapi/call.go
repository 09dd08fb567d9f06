package chatapi

import "encoding/json"

// A ToolCall is a native call, in a request or a reply.
type ToolCall struct{ ID, Name, Arguments string }

// CallPiece is the JSON of a ToolCall, or of a piece of one in a stream.
type CallPiece struct {
	Index    *int   `json:"index,omitempty"` // number of the call in a stream; nil if there is no stream
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *ToolCall) UnmarshalJSON(raw []byte) error {
	var wire CallPiece
	err := json.Unmarshal(raw, &wire)
	*c = ToolCall{wire.ID, wire.Function.Name, wire.Function.Arguments}
	return err
}

// Piece returns the call as a CallPiece. In a stream, index points to the number of the call, from
// 0; pieces after the first have only the index and Arguments.
func (c ToolCall) Piece(index *int) CallPiece {
	p := CallPiece{Index: index, ID: c.ID}
	if p.Function.Arguments, p.Function.Name = c.Arguments, c.Name; c.Name != "" {
		p.Type = "function"
	}
	return p
}
