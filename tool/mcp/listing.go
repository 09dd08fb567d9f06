package mcp

import (
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const methodListTools = "tools/list"

// listing keeps the schemas of tools as the server wrote them, in the order of their members:
// models write arguments in the order of the schema. The SDK decodes a schema into maps, which lose
// the order. A listing is safe for concurrent use.
type listing struct {
	mu      sync.Mutex
	pending map[jsonrpc.ID]bool        // requests for a list that have no response yet
	schemas map[string]json.RawMessage // by the tool's name
}

// forget drops all schemas. It is called before a request for a list.
func (l *listing) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending, l.schemas = map[jsonrpc.ID]bool{}, map[string]json.RawMessage{}
}

// sent records m as pending if it is a request for a list.
func (l *listing) sent(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == methodListTools {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.pending[r.ID] = true
	}
}

// received keeps the schemas of a message, if it is the response to a pending request.
func (l *listing) received(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.pending[r.ID] {
		return
	}
	delete(l.pending, r.ID)
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	if json.Unmarshal(r.Result, &list) != nil {
		return // the SDK reports the error
	}
	for _, t := range list.Tools {
		l.schemas[t.Name] = t.InputSchema
	}
}

// schema returns the schema of a tool as the server wrote it, or nil if it is not known.
func (l *listing) schema(name string) json.RawMessage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.schemas[name]
}
