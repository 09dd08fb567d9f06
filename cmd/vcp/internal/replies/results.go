package replies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/vcpgo/vcp/internal/jsonerror"
	"github.com/vcpgo/vcp/protocol"
)

// maxResults limits all lines that vcp results reads, in bytes.
const maxResults = 64 << 20

// ReadResults reads one result from each line, and skips blank lines. Errors contain name, the name
// of the input.
func ReadResults(in io.Reader, name string) ([]protocol.ToolResult, error) {
	var list []protocol.ToolResult
	lines := newLineReader(in)
	for number, size := 1, 0; ; number++ {
		line, err := readLine(lines, nil)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: line %d: %w", name, number, err)
		}
		if size += len(line); size > maxResults {
			return nil, fmt.Errorf("%s is longer than %d MiB, the limit of all results together", name, maxResults>>20)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		result, err := readResult(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, number, err)
		}
		list = append(list, result)
	}
}

// readResult reads one line.
func readResult(line []byte) (protocol.ToolResult, error) {
	var written struct {
		RequestID  string          `json:"requestId"`
		ToolName   string          `json:"toolName"`
		About      string          `json:"about"`
		Status     string          `json:"status"`
		ErrorType  string          `json:"errorType"`
		Suggestion string          `json:"suggestion"`
		Note       string          `json:"note"`
		Result     json.RawMessage `json:"result"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&written); err != nil {
		return protocol.ToolResult{}, jsonerror.Explain(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return protocol.ToolResult{}, errors.New("more follows after the object; write one object per line")
	}
	r := protocol.ToolResult{
		ResultID: written.RequestID, ToolName: written.ToolName, About: written.About, Note: written.Note,
		Status: protocol.ResultStatus(written.Status), ErrorType: written.ErrorType, Suggestion: written.Suggestion,
	}
	switch {
	case written.Result == nil:
		return r, errors.New(`the field "result" is missing`)
	case r.Status == "" && r.ErrorType == "":
		r.Status = protocol.StatusSuccess
	case r.Status == "":
		r.Status = protocol.StatusError
	case r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError:
		return r, fmt.Errorf("status is %q; allowed is success or error", r.Status)
	}
	// A result that is not a string becomes its JSON text, even null, which Unmarshal would read as
	// "".
	if json.Unmarshal(written.Result, &r.Result) != nil || string(written.Result) == "null" {
		r.Result = string(written.Result)
	}
	return r, nil
}
