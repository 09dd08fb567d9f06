package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage limits one message of a server, in bytes.
const maxMessage = 16 << 20

// errLongMessage is the error for a message of more than maxMessage bytes.
var errLongMessage = errorf("the server sent a message of more than %d MiB", maxMessage>>20)

// readLine returns the next line without the white space around it. At the end of the input the
// error is io.EOF, possibly together with a last line that has no line break.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(piece) > maxMessage {
			return nil, errLongMessage
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// decodeMessages returns the messages of a line, which has one message or a batch of messages. It
// returns nil if the line is something else.
func decodeMessages(line []byte) []jsonrpc.Message {
	parts := []json.RawMessage{line}
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '[':
		if json.Unmarshal(line, &parts) != nil {
			return nil
		}
	case line[0] != '{':
		return nil
	}
	var messages []jsonrpc.Message
	for _, part := range parts {
		m, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			return nil
		}
		messages = append(messages, m)
	}
	return messages
}
