package executor

import "github.com/vcpgo/vcp/protocol"

// Provenance says which words of a call came from foreign text: from tools, files, imports and
// other people. The user's words and those of the model are not foreign.
type Provenance struct {
	// CopiedFrom names the foreign text that contains the model's request; nil means that none
	// does. If it is set, the call never runs without approval, whatever the policy allows.
	CopiedFrom *protocol.Source `json:"copiedFrom,omitempty"`
	// Arguments are the values to look at before the call is approved: only foreign text contains
	// them. Only a Question and a PendingCall list them.
	Arguments []ForeignArgument `json:"arguments,omitempty"`
}

// ForeignArgument is a value in a call's arguments that occurs in foreign text, but in no text of
// the user or of the application.
type ForeignArgument struct {
	// Argument is the name of the argument.
	Argument string    `json:"argument"`
	Kind     ValueKind `json:"kind"`
	// Value is the argument's value or a part of it, of up to 200 bytes.
	Value  string          `json:"value"`
	Source protocol.Source `json:"source"`
}

// ValueKind says what a value names.
type ValueKind string

// The kinds of values whose source matters for a decision.
const (
	KindURL     ValueKind = "url"
	KindPath    ValueKind = "path"
	KindAddress ValueKind = "address" // an email address or a host
	KindCommand ValueKind = "command"
)
