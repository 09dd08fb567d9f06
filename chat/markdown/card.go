package markdown

import (
	"encoding/json"
	"slices"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// The kinds of cards. They are the titles of cards, which Options.Label can translate.
const (
	cardRequest = "Request"
	cardResult  = "Result"
	cardNotice  = "Notice"
)

// card is what people see of a request, a result or a notice.
type card struct {
	kind   string
	id     string // of the request
	name   string // the method, or the name that the model wrote
	status string // a status that Labels lists, or the code of a notice
	busy   bool   // the model still writes the request
	// arguments are in the order written.
	arguments []argument
	// problem says what is wrong, and advice what to do about it.
	problem, advice string
	raw             string // the request as the model wrote it
	body            string // the text of a result or a notice
	details         string // what a tool returned for people: JSON
	files           []string
}

// argument is an argument of a request, or the part of it that the model has written so far.
type argument struct {
	name  string
	value []byte
}

// The statuses of cards that only this package uses.
const (
	statusWriting = "being written"
	statusDropped = "dropped"
)

// append adds text to the value of the argument that is being written.
func (c *card) append(name string, value []byte) {
	if n := len(c.arguments); n == 0 || c.arguments[n-1].name != name {
		c.arguments = append(c.arguments, argument{name: name})
	}
	open := &c.arguments[len(c.arguments)-1]
	open.value = append(open.value, value...)
}

// void removes the arguments with a name: the parser has withdrawn what it reported of them.
func (c *card) void(name string) {
	c.arguments = slices.DeleteFunc(c.arguments, func(a argument) bool { return a.name == name })
}

// requestCard returns the card of a request that a parser has read.
func requestCard(q *parser.Request) *card {
	c := &card{
		kind: cardRequest, id: q.ID, name: requestName(q.ToolName, q.Command), status: string(q.Status),
		raw: q.RawBlock,
	}
	for _, a := range q.Arguments {
		value := a.Value
		if a.Form == protocol.FormJSON {
			value = orderedjson.PlainText(json.RawMessage(value))
		}
		c.arguments = append(c.arguments, argument{a.Name, []byte(value)})
	}
	if q.Err != nil {
		c.problem = q.Err.Message
	}
	if q.Status == parser.StatusIncomplete && len(q.Fields) > 0 && q.Fields[len(q.Fields)-1].Open {
		f := &q.Fields[len(q.Fields)-1]
		c.arguments = append(c.arguments, argument{f.Name, []byte(f.Value)})
	}
	return c
}

// requestName returns what the model wrote to name a method.
func requestName(toolName, command string) string {
	if command == "" {
		return toolName
	}
	return toolName + " " + command
}

// recordedCard returns the card of a request in the history of a conversation.
func recordedCard(q *chat.ToolCallRequest) *card {
	c := &card{kind: cardRequest, name: requestName(q.ToolName, q.Command), arguments: members(q.Arguments)}
	c.record(q)
	return c
}

// record copies into the card what the history says about the request: its ID, status, method and
// error.
func (c *card) record(q *chat.ToolCallRequest) {
	c.id, c.status = q.RequestID, string(q.Status)
	if q.Method != "" {
		c.name = q.Method
	}
	if q.Err != nil {
		c.problem = q.Err.Message
	}
}

// resultCard returns the card of a result in the history of a conversation.
func resultCard(r *chat.Outcome) *card {
	c := &card{kind: cardResult, id: r.RequestID, name: r.ToolName, status: string(r.Status), advice: r.Suggestion}
	if r.Method != "" {
		c.name = r.Method
	}
	switch {
	case r.Status == protocol.StatusSuccess:
		c.body = r.Result
	case r.ErrorType == "": // as in a result that was read from text
		c.problem = r.Result
	default:
		c.problem = r.ErrorType + ": " + r.Result
	}
	if len(r.Details) > 0 {
		c.details = string(r.Details)
	}
	for i := range r.Files {
		c.files = append(c.files, r.Files[i].Name+" ("+r.Files[i].MediaType+")")
	}
	return c
}

// textResultCard returns the card of a result that a protocol wrote as text.
func textResultCard(r *protocol.ToolResult) *card {
	return resultCard(&chat.Outcome{
		RequestID: r.ResultID, ToolName: r.ToolName, Status: r.Status,
		ErrorType: r.ErrorType, Suggestion: r.Suggestion, Result: r.Result,
	})
}

func noticeCard(code, text string) *card { return &card{kind: cardNotice, status: code, body: text} }

// members returns the members of a JSON object in their order. For any other text it returns one
// argument without a name.
func members(object json.RawMessage) (list []argument) {
	if len(object) == 0 {
		return nil
	}
	all, err := orderedjson.Members(object)
	if err != nil {
		return []argument{{"", object}}
	}
	for _, m := range all {
		list = append(list, argument{m.Name, []byte(orderedjson.PlainText(m.Value))})
	}
	return list
}
