package script

import "encoding/json"

// The messages between the engine's process and a worker are JSON objects, one per line.

// startMessage is the first message to a worker.
type startMessage struct {
	Code    string   `json:"code"`
	Methods []string `json:"methods"`
	Limits  Limits   `json:"limits"`
	// Language is the language of errors, as in tool.Call.
	Language string `json:"language"`
}

// resultMessage is the result of a call, which the engine sends to the worker.
type resultMessage struct {
	ID    int    `json:"id"`
	Text  string `json:"text"`
	Error bool   `json:"error"` // Text says what failed
}

// workerMessage is a message from a worker: a call, or the end of the script.
type workerMessage struct {
	Call *call    `json:"call,omitempty"`
	End  *outcome `json:"end,omitempty"`
}

// call is a script's call of a method. Arguments is a JSON object.
type call struct {
	ID        int             `json:"id"`
	Method    string          `json:"method"`
	Arguments json.RawMessage `json:"arguments"`
}

// outcome is the outcome of a script.
type outcome struct {
	Output string `json:"output"` // what the script printed and returned
	Error  string `json:"error"`  // why the script failed, and in which line; "" if it did not fail
}

// maxMessage limits one message from a worker, in bytes: a call with its arguments, or the output
// in JSON.
const maxMessage = 8 << 20
