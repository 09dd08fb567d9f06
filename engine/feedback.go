package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// phraseID names a sentence that the engine adds to results.
type phraseID uint8

const (
	phraseNoTools phraseID = iota
	phraseContinue
	phraseFabricated
	phraseNotRun
	phraseRepeated
	phraseCorrectForm
	phraseOmitted
)

// phrases has the languages of protocol.PromptOptions.
var phrases = [...]struct{ en, zh string }{
	phraseNoTools: {
		"Tools are no longer available: the requests that one answer may make are used up. Write no more tool requests; they " +
			"would not be run. Answer the user now from the results that you have, and say what is missing.",
		"工具已不可用：本次回答可用的工具调用次数已经用完。不要再写工具请求，写了也不会执行。请根据已有的结果直接回答用户，并说明还缺什么。",
	},
	phraseContinue: {
		"Your reply was truncated in a tool request, and what you had begun after the last whole field is lost. Continue exactly where your " +
			"reply ends above: write the next field from its beginning, then the rest of the request with its end. Repeat nothing, explain nothing.",
		"你的回复在一个工具请求中被截断，最后一个完整字段之后的内容已丢失。请严格从上面回复的结尾处继续：从头写出下一个字段，再写完请求的其余部分及其结束标记。不要重复，不要解释。",
	},
	phraseFabricated: {
		"You wrote the result of a tool yourself. Only tools return results, so everything from there on was dropped, and nothing was run. " +
			"If you need a tool, write the request and stop there; else answer without its result.",
		"你自己编写了工具结果。结果只能由工具给出，因此从那里开始的内容已被丢弃，也没有执行任何工具。如果需要工具，请写出请求后停止；否则请直接回答。",
	},
	phraseNotRun: {
		"A remark on your reply: ", "关于你的回复：",
	},
	phraseRepeated: {
		"You made the same calls as before and got the same results. Making them again will change nothing and ends this answer: do something " +
			"else, or answer from what you have.",
		"你重复了与上次相同的调用，得到了相同的结果。再次重复不会有任何变化，并会结束本次回答：请换一种做法，或根据已有的结果回答。",
	},
	phraseCorrectForm: {
		"The correct form of a request:", "请求的正确写法：",
	},
	phraseOmitted: {
		"[%d earlier messages of this conversation are omitted.]", "[本对话较早的 %d 条消息已省略。]",
	},
}

func phrase(language string, id phraseID) string {
	if language == "zh" {
		return phrases[id].zh
	}
	return phrases[id].en
}

func (r *run) language() string { return r.settings.discovery.Prompt.Language }

// needsFeedback reports whether the model must be told something about a reply without requests. It
// fabricated a result, or it wrote requests that did not run and nothing that a person would see.
func (t *Turn) needsFeedback() bool {
	return len(t.Requests) == 0 && (len(t.Reply.Dropped) > 0 || strings.TrimSpace(t.Reply.Text.String()) == "" && t.notRun() != nil)
}

// notRun returns the notices of requests that did not run because of their place.
func (t *Turn) notRun() (list []string) {
	for _, n := range t.Reply.Notices {
		if n.Code == parser.NoticeUnrunRequest {
			list = append(list, n.Message)
		}
	}
	return list
}

// addFeedback adds to the results what else the model must know. A note may repeat what the model
// wrote, so it is data: the gate neutralizes it.
func (r *run) addFeedback(turn *Turn, again bool) {
	var notes []string
	add := func(id phraseID, more string) { notes = append(notes, phrase(r.language(), id)+more) }
	if turn.needsFeedback() && len(turn.Reply.Dropped) > 0 {
		add(phraseFabricated, "")
	}
	for _, message := range turn.notRun() {
		add(phraseNotRun, message)
	}
	for _, n := range turn.Reply.Notices {
		// After a limit the model cannot write them later.
		if n.Code == parser.NoticeUnreadRequests && r.limit == "" {
			notes = append(notes, n.Message)
		}
	}
	if again {
		add(phraseRepeated, "")
	}
	examples := r.correctExamples(turn)
	if len(notes) == 0 && len(examples) == 0 {
		return
	}
	if turn.ResultMessage == nil {
		turn.ResultMessage = &protocol.Message{Role: protocol.RoleUser}
	}
	m := turn.ResultMessage
	m.Origin, m.Content, m.Examples = protocol.OriginEngine, strings.Join(notes, "\n\n"), examples
}

// maxExamples is how many examples one reply gets.
const maxExamples = 3

// correctExamples returns a correct request for each method that the reply requested wrongly. They
// are made of what the method's author wrote, never of what a model or a tool wrote.
func (r *run) correctExamples(turn *Turn) (examples []protocol.ToolRequest) {
	for i := range turn.Results {
		result := &turn.Results[i]
		if result.CallID != "" || !isMistake(result) || len(examples) == maxExamples {
			continue
		}
		req, ok := r.correctRequest(&turn.Requests[i], result)
		if !ok {
			continue
		}
		same := func(e protocol.ToolRequest) bool {
			return e.ToolName == req.ToolName && e.Command == req.Command && slices.Equal(e.Arguments, req.Arguments)
		}
		_, err := r.settings.protocol.FormatToolRequests([]protocol.ToolRequest{req})
		if err == nil && !slices.ContainsFunc(examples, same) {
			examples = append(examples, req)
		}
	}
	return examples
}

// correctRequest returns a request that the model may have meant. ok is false if the model may not
// call it.
func (r *run) correctRequest(req *executor.Request, result *executor.Result) (right protocol.ToolRequest, ok bool) {
	switch result.ErrorType {
	case executor.ErrorNotCallable, executor.ErrorToolDisabled:
		return right, false
	}
	registry := r.session.engine.options.Registry
	if entry, known := registry.Lookup(result.Method); known {
		return r.exampleOf(entry)
	}
	if strings.TrimSpace(req.ToolName) == "" {
		return protocol.ToolRequest{ToolName: "NAME_OF_THE_TOOL", Arguments: []protocol.Argument{{Name: "NAME_OF_AN_ARGUMENT", Value: "its value"}}}, true
	}
	resolution, err := registry.Resolve(req.ToolName, req.Command, r.session.Visible)
	if err == nil {
		return r.exampleOf(resolution.Entry)
	}
	var unknown *tool.NotFoundError
	if errors.As(err, &unknown) && len(unknown.Nearest) > 0 {
		if entry, known := registry.Lookup(unknown.Nearest[0]); known {
			return r.exampleOf(entry)
		}
	}
	return right, false
}

// exampleOf returns a request for the method: its first example, or else one with the required
// arguments. ok is false if the name of an argument contains marks.
func (r *run) exampleOf(entry *tool.Entry) (req protocol.ToolRequest, ok bool) {
	d := entry.Definition()
	if len(d.Examples) > 0 {
		return d.Examples[0], true
	}
	req.ToolName = d.ToolName
	for i, p := range d.Parameters {
		if p.Required || i == 0 && !slices.ContainsFunc(d.Parameters, func(p protocol.Parameter) bool { return p.Required }) {
			if r.containsMarks(p.Name) {
				return req, false
			}
			req.Arguments = append(req.Arguments, r.sampleOf(&p))
		}
	}
	return req, true
}

// containsMarks reports whether a text of a tool contains marks, so that a request must not contain
// it unchanged.
func (r *run) containsMarks(text string) bool { return r.settings.protocol.Neutralize(text) != text }

// sampleOf returns an argument for a parameter, with a value that fits its type.
func (r *run) sampleOf(p *protocol.Parameter) protocol.Argument {
	a := protocol.Argument{Name: p.Name, Form: protocol.FormJSON}
	var value json.RawMessage
	switch {
	case len(p.Enum) > 0:
		value = p.Enum[0]
	case p.Default != nil:
		value = p.Default
	}
	if value != nil {
		if json.Unmarshal(value, &a.Value) == nil {
			a.Form = protocol.FormPlain
		} else {
			a.Value = string(value)
		}
		if !r.containsMarks(a.Value) {
			return a
		}
		a.Form = protocol.FormJSON
	}
	switch p.Type {
	case "integer", "number":
		a.Value = "1"
	case "boolean":
		a.Value = "true"
	case "array":
		a.Value = "[]"
	case "object":
		a.Value = "{}"
	default:
		a.Value, a.Form = "the "+p.Name, protocol.FormPlain
	}
	return a
}
