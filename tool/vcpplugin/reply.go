package vcpplugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

// reply is the object that a plug-in prints.
type reply struct {
	Status string          `json:"status"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	// Some plug-ins write Message in place of Error or Result. ForModel is an additional text for
	// the model.
	Message  json.RawMessage `json:"message"`
	ForModel json.RawMessage `json:"messageForAI"`
}

// valid reports whether the object has the status of a reply.
func (r *reply) valid() bool { return r.Status == "success" || r.Status == "error" }

// ReplyError is the error for a plug-in that reported an error.
type ReplyError struct {
	Message string // without the secrets of config.env and of passed variables
}

func (e *ReplyError) Error() string { return e.Message }

// NoReplyError is the error for a plug-in that printed no JSON object with a status.
type NoReplyError struct {
	State   string // how the program ended, such as "exit status 1"
	Printed string // the end of what the program printed, without secrets as in ReplyError
}

func (e *NoReplyError) Error() string { return e.In("en") }

// In returns the text in a language: "zh" is Chinese, any other is English.
func (e *NoReplyError) In(language string) string {
	if e.Printed == "" {
		return say(language, `the plug-in printed no JSON object with "status" (%s)`, e.State)
	}
	return say(language, `the plug-in printed no JSON object with "status" (%s): %s`, e.State, e.Printed)
}

// findReply returns the last JSON object with a status in the output of a plug-in, and ignores all
// other output. It prefers an object at the beginning of a line to an object within a line.
func findReply(printed []byte) (found reply, ok bool) {
	s := search{printed, maxWork(printed)}
	for end := len(printed); end > 0 && s.work > 0; {
		line := bytes.LastIndexByte(printed[:end-1], '\n') + 1
		if r, _, isReply := s.objectAt(line); isReply {
			return r, true
		}
		end = line
	}
	s.work = maxWork(printed)
	for i := 0; i < len(printed) && s.work > 0; {
		next := bytes.IndexByte(printed[i:], '{')
		if next < 0 {
			break
		}
		i += next
		r, length, isReply := s.objectAt(i)
		if isReply {
			found, ok = r, true
		}
		i += max(length, 1)
	}
	return found, ok
}

// maxWork limits how many bytes a search for a reply examines. Hostile output could otherwise make
// the search quadratic.
func maxWork(printed []byte) int { return 8*len(printed) + 1<<16 }

// search is the search for a reply.
type search struct {
	printed []byte
	work    int // how many more bytes may be examined
}

// objectAt reads the JSON object that begins at i. length is 0 if no object with members begins
// there. isReply reports whether the object is a reply.
func (s *search) objectAt(i int) (r reply, length int, isReply bool) {
	rest := s.printed[i:]
	if len(rest) == 0 || rest[0] != '{' {
		return r, 0, false
	}
	// A look at the next bytes costs less than a decoder.
	if inner := bytes.TrimLeft(rest[1:min(len(rest), 100)], " \t\r\n"); len(inner) > 0 && inner[0] != '"' {
		return r, 0, false
	}
	d := json.NewDecoder(bytes.NewReader(rest))
	var raw json.RawMessage
	err := d.Decode(&raw)
	examined := max(int(d.InputOffset()), 512) // creating a decoder has a cost, too
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		examined = max(examined, int(syntax.Offset))
	} else if err != nil {
		examined = len(rest)
	}
	s.work -= examined
	if err != nil {
		return r, 0, false
	}
	isReply = json.Unmarshal(raw, &r) == nil && r.valid()
	return r, len(raw), isReply
}

// output returns the result or the error in the reply.
func (r *reply) output(p *plugin, language string) (tool.Output, error) {
	if r.Status == "error" {
		message := say(language, "the plug-in failed without a message")
		for _, field := range []json.RawMessage{r.Error, r.Message, r.Result} {
			if s := strings.TrimSpace(orderedjson.NonNullText(field)); s != "" {
				message = p.mask(s)
				break
			}
		}
		return tool.Output{}, &ReplyError{message}
	}
	result := r.Result
	if result == nil {
		result = r.Message
	}
	inner := result
	if s := orderedjson.PlainText(result); strings.HasPrefix(strings.TrimSpace(s), "{") && json.Valid([]byte(s)) {
		inner = json.RawMessage(s) // a text that contains an object in JSON
	}
	out, ok := contentOutput(inner, language)
	if !ok {
		out.Text = orderedjson.NonNullText(result)
	}
	if s := orderedjson.NonNullText(r.ForModel); s != "" && s != out.Text {
		out.Text = strings.TrimPrefix(out.Text+"\n", "\n") + s
	}
	return out, nil
}
