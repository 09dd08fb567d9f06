package engine_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// vcpForm writes requests in the VCP dialect, hermesForm as JSON between tags, and coderForm as
// tags around raw text. The interface form describes their methods.
type vcpForm struct{}

func (vcpForm) protocol() protocol.Protocol { return vcp.Protocol{} }

func (vcpForm) separator() string { return ",\n" }

func (vcpForm) otherCall(f *writtenField) string {
	return ",\ncommand9:「始」b「末」,\ntext9:「始」long「末」" + f.close
}

func (vcpForm) closeWrongly(field string) string {
	if strings.HasSuffix(field, "「末」") {
		return strings.TrimSuffix(field, "「末」") + "「末ESCAPE」"
	}
	return field[:strings.LastIndex(field, "「末")] + "「末」"
}

func (f vcpForm) field(name, value string) string { return f.tagged(name, value, "") }

// tagged writes a field with the given ESCAPE tag in its marks. If tag is "" and the value needs a
// tag, it chooses one.
func (vcpForm) tagged(name, value, tag string) string {
	if tag == "" && (strings.ContainsAny(value, "「」始末[") || strings.TrimSpace(value) != value) {
		tag = "ESCAPE:k" + strconv.Itoa(len(value))
	}
	return name + ":「始" + tag + "」" + value + "「末" + tag + "」"
}

func (f vcpForm) block(w *writtenReply, rnd *rand.Rand, calls []writtenCall) {
	b := writtenBlock{start: len(w.text)}
	w.text += "<<<[TOOL_REQUEST]>>>"
	const end = "\n<<<[END_TOOL_REQUEST]>>>"
	separators := []string{",\n", "\n", ", ", ","}
	separator := separators[rnd.IntN(len(separators))]
	add := func(name, value, method string, argument bool, call int) {
		if len(b.fields) == 0 {
			w.text += "\n"
		} else {
			w.text += separator
		}
		start := len(w.text)
		tag := ""
		if argument && rnd.IntN(4) == 0 {
			tag = []string{"ESCAPE", "ESCAPE:t1", "ESCAPE:k_" + strconv.Itoa(len(b.fields))}[rnd.IntN(3)]
			if tag == "ESCAPE" && strings.ContainsAny(value, "「<") {
				tag = "" // f.tagged chooses another tag if the value needs one
			}
		}
		w.text += f.tagged(name, value, tag)
		valueAt := start + strings.Index(w.text[start:], "」") + len("」")
		b.fields = append(b.fields, writtenField{start, valueAt, len(w.text), name, method, argument, call, end})
	}
	switch {
	case len(calls) > 1:
		add("tool_name", "t", calls[0].method, false, 0)
		for i, c := range calls {
			n := strconv.Itoa(i + 1)
			add("command"+n, c.method, c.method, false, i)
			for _, a := range c.arguments {
				add(a.name+n, a.value, c.method, true, i)
			}
		}
	default:
		c := calls[0]
		if inTwoFields := rnd.IntN(4) == 0 && c.method != "run"; inTwoFields {
			add("tool_name", "t", c.method, false, 0)
			add("command", c.method, c.method, false, 0)
		} else {
			add("tool_name", "t_"+c.method, c.method, false, 0)
		}
		if rnd.IntN(4) == 0 {
			add("request_id", "mine"+strconv.Itoa(len(w.text)), c.method, false, 0)
		}
		for _, a := range c.arguments {
			add(a.name, a.value, c.method, true, 0)
		}
	}
	w.text += end
	b.end = len(w.text)
	w.blocks = append(w.blocks, b)
}

type hermesForm struct{}

func (hermesForm) protocol() protocol.Protocol { return hermes.Protocol{} }

func (hermesForm) separator() string { return ", " }

func (hermesForm) otherCall(f *writtenField) string {
	end := "\n</tool_call>"
	if strings.Contains(f.close, "]") {
		end = "]" + end
	}
	endOfCall := f.close[:strings.IndexAny(f.close+"\n", "]\n")]
	return endOfCall + `, {"name": "t_b", "arguments": {"text": "long"}}` + end
}

func (hermesForm) closeWrongly(field string) string {
	if strings.HasSuffix(field, `"`) {
		return strings.TrimSuffix(field, `"`) + "'"
	}
	return field + "]"
}

func (hermesForm) field(name, value string) string {
	return quote(name) + ": " + hermesValue(name, value)
}

func hermesValue(name, value string) string {
	if types[name] != "" {
		return value
	}
	return quote(value)
}

// quote returns a text as a JSON string, with "<" and ">" as they are.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}

func (f hermesForm) block(w *writtenReply, rnd *rand.Rand, calls []writtenCall) {
	b := writtenBlock{start: len(w.text)}
	w.text += "<tool_call>\n"
	inList := len(calls) > 1 && rnd.IntN(2) == 0
	end := "\n</tool_call>"
	if inList {
		w.text += "["
		end = "]" + end
	}
	onLines := rnd.IntN(3) == 0 // each member is on a line of its own
	space := func(text string) string {
		if onLines {
			return "\n  "
		}
		return text
	}
	for i, c := range calls {
		switch {
		case i > 0 && inList:
			w.text += "," + space(" ")
		case i > 0:
			w.text += "\n"
		}
		add := func(name, value, close string, argument bool) {
			start := len(w.text)
			w.text += quote(name) + ": "
			valueAt := len(w.text)
			w.text += value
			b.fields = append(b.fields, writtenField{
				start, valueAt, len(w.text), name, c.method, argument, i, close + end,
			})
		}
		arguments := func(close string) {
			w.text += `"arguments": {`
			for j, a := range c.arguments {
				if j > 0 {
					w.text += "," + space(" ")
				}
				add(a.name, hermesValue(a.name, a.value), "}"+close, true)
			}
			w.text += "}"
		}
		w.text += "{"
		if argumentsFirst := rnd.IntN(5) == 0; argumentsFirst {
			arguments(`, "name": "t_` + c.method + `"}`)
			w.text += "," + space(" ")
			add("name", `"t_`+c.method+`"`, "}", false)
		} else {
			add("name", `"t_`+c.method+`"`, "}", false)
			w.text += "," + space(" ")
			if rnd.IntN(4) == 0 {
				add("id", `"mine`+strconv.Itoa(len(w.text))+`"`, "}", false)
				w.text += "," + space(" ")
			}
			arguments("}")
		}
		w.text += "}"
	}
	w.text += end
	b.end = len(w.text)
	w.blocks = append(w.blocks, b)
}

type coderForm struct{}

func (coderForm) protocol() protocol.Protocol { return qwencoder.Protocol{} }

func (coderForm) separator() string { return "\n" }

func (coderForm) otherCall(f *writtenField) string {
	return "\n</function>\n<function=t_b>\n<parameter=text>\nlong\n</parameter>" + f.close
}

func (coderForm) closeWrongly(field string) string {
	return strings.TrimSuffix(field, "</parameter>") + "</param>"
}

func (coderForm) field(name, value string) string {
	const start, end = "<tool_call>\n<function=a>\n", "\n</function>\n</tool_call>"
	arguments := []protocol.Argument{{Name: name, Value: value}}
	text, err := qwencoder.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{ToolName: "a", Arguments: arguments}})
	if err != nil {
		panic(err)
	}
	return text[len(start) : len(text)-len(end)]
}

// block writes each call with tags of its own.
func (f coderForm) block(w *writtenReply, _ *rand.Rand, calls []writtenCall) {
	const end = "\n</function>\n</tool_call>"
	for i, c := range calls {
		b := writtenBlock{start: len(w.text)}
		add := func(text string, valueIndex int, name string, argument bool) {
			w.text += "\n"
			start := len(w.text)
			w.text += text
			b.fields = append(b.fields, writtenField{
				start, start + valueIndex, len(w.text), name, c.method, argument, 0, end,
			})
		}
		if i > 0 {
			w.text += "\n"
			b.start++
		}
		w.text += "<tool_call>"
		add("<function=t_"+c.method+">", len("<function="), "function", false)
		for _, a := range c.arguments {
			add(f.field(a.name, a.value), len("<parameter="+a.name+">\n"), a.name, true)
		}
		w.text += end
		b.end = len(w.text)
		w.blocks = append(w.blocks, b)
	}
}
