package mcp

import (
	"bytes"
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
	streams []*stream                  // copies of HTTP responses that the method schema has not decoded yet
}

// forget drops all schemas. It is called before a request for a list.
func (l *listing) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending, l.schemas, l.streams = map[jsonrpc.ID]bool{}, map[string]json.RawMessage{}, nil
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
	if l.pending[r.ID] {
		delete(l.pending, r.ID)
		l.keep(r.Result)
	}
}

// keep stores the schemas of a result. The caller holds the lock.
func (l *listing) keep(result json.RawMessage) {
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	if json.Unmarshal(result, &list) != nil {
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
	for _, s := range l.streams {
		s.mu.Lock()
		for _, message := range s.messages() {
			if r, ok := message.(*jsonrpc.Response); ok {
				l.keep(r.Result)
			}
		}
		s.mu.Unlock()
	}
	l.streams = nil
	return l.schemas[name]
}

// stream is a copy of the body of a response over HTTP.
type stream struct {
	events bool // the body is text/event-stream; otherwise it is one message

	mu   sync.Mutex
	body []byte
	full bool // the rest of the response is not copied
}

// newStream returns a writer that gets a copy of the body of a response with a list.
func (l *listing) newStream(events bool) *stream {
	s := &stream{events: events}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams = append(l.streams, s)
	return s
}

// Write implements io.Writer. It ignores p and all that follows if the copy would exceed
// maxMessage.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full = s.full || len(s.body)+len(p) > maxMessage; !s.full {
		s.body = append(s.body, p...)
	}
	return len(p), nil
}

// messages decodes the body. It ignores a message that is not whole yet. The caller holds the lock.
func (s *stream) messages() (list []jsonrpc.Message) {
	parts := [][]byte{s.body}
	if s.events {
		parts = nil
		body := bytes.ReplaceAll(s.body, []byte("\r\n"), []byte("\n"))
		for event := range bytes.SplitSeq(body, []byte("\n\n")) {
			var data [][]byte
			for line := range bytes.Lines(event) {
				if rest, ok := bytes.CutPrefix(bytes.TrimRight(line, "\n"), []byte("data:")); ok {
					data = append(data, bytes.TrimPrefix(rest, []byte(" ")))
				}
			}
			parts = append(parts, bytes.Join(data, []byte("\n")))
		}
	}
	for _, part := range parts {
		list = append(list, decodeMessages(bytes.TrimSpace(part))...)
	}
	return list
}
