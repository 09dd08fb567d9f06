package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// secretSpellings are the ways in which models write a request for t_login with the secret argument
// pin.
func secretSpellings(t testing.TB, pin string) map[string]string {
	request := func(p protocol.Protocol) string {
		return requesttest.Text(t, p, "t_login", "user", "ann", "pin", pin)
	}
	inVCP, inHermes, inCoder := request(vcp.Protocol{}), request(hermes.Protocol{}), request(qwencoder.Protocol{})
	object := `{"name": "t_login", "arguments": {"user": "ann", "pin": "` + pin + `"}}`
	escaped, err := json.Marshal(object)
	require.NoError(t, err)
	return map[string]string{
		"VCP":                         inVCP,
		"VCP, a duplicate":            strings.Replace(inVCP, "user:", "user:「始」x「末」,\nuser:", 1),
		"VCP, a bare value":           strings.Replace(inVCP, "「始」"+pin+"「末」", pin, 1),
		"VCP, a wrong name":           strings.Replace(inVCP, "pin:", "p1n:", 1),
		"VCP, a wrong method":         strings.Replace(inVCP, "t_login", "t_logon", 1),
		"VCP without its start":       strings.Replace(inVCP, "<<<[TOOL_REQUEST]>>>\n", "", 1),
		"VCP without its end":         strings.Replace(inVCP, "<<<[END_TOOL_REQUEST]>>>", "", 1),
		"VCP, escaped":                vcp.Protocol{}.Neutralize(inVCP),
		"VCP, escaped twice":          vcp.Protocol{}.Neutralize(vcp.Protocol{}.Neutralize(inVCP)),
		"VCP, more text in the block": strings.Replace(inVCP, "\nuser", "\nnote: the pin is "+pin+"\nuser", 1),
		"VCP, a code call":            "<<<[TOOL_REQUEST]>>>\nt_login(user=\"ann\", pin=\"" + pin + "\")\n<<<[END_TOOL_REQUEST]>>>",
		"VCP, an object":              "<<<[TOOL_REQUEST]>>>\n" + object + "\n<<<[END_TOOL_REQUEST]>>>",
		"VCP, a call as the name":     strings.Replace(inVCP, "t_login", "t_login(pin="+pin+")", 1),
		"VCP, a value as the command": strings.Replace(inVCP, "user:", "command:「始」login pin="+pin+"「末」,\nuser:", 1),
		"Hermes":                      inHermes,
		"Hermes, a call as the name":  strings.Replace(inHermes, "t_login", "t_login(pin="+pin+")", 1),
		"Hermes, a duplicate":         strings.Replace(inHermes, `"user"`, `"user": "x", "user"`, 1),
		"Hermes, a lost brace":        strings.Replace(inHermes, "}}", "}", 1),
		"Hermes, escaped":             hermes.Protocol{}.Neutralize(inHermes),
		"Hermes, a wrong method":      strings.Replace(inHermes, "t_login", "t_logon", 1),
		"Qwen-Coder":                  inCoder,
		"Qwen-Coder, a duplicate": strings.Replace(inCoder, "<parameter=user>",
			"<parameter=user>\nx\n</parameter>\n<parameter=user>", 1),
		"Qwen-Coder, without its end": strings.Replace(inCoder, "</parameter>\n</function>\n</tool_call>", "", 1),
		"Qwen-Coder, escaped":         qwencoder.Protocol{}.Neutralize(inCoder),
		"invoke": "<function_calls>\n<invoke name=\"t_login\">\n<parameter name=\"pin\">" + pin +
			"</parameter>\n</invoke>\n</function_calls>",
		"an object":                 object,
		"an object, a wrong name":   strings.Replace(object, `"pin"`, `"p1n"`, 1),
		"an object, a wrong method": strings.NewReplacer("t_login", "t_logon", `"pin"`, `"p1n"`).Replace(object),
		"an object of many lines":   "{\n\n\"name\": \"t_login\",\n\n\"arguments\": {\n\n\"pin\": \"" + pin + "\"\n}}",
		"an object in a string":     string(escaped),
		"an object with escapes":    strings.Replace(object, `"pin"`, `"\u0070in"`, 1),
		"a list":                    `["t_login", "ann", "` + pin + `"]`,
		"a member in an array":      `{"pin": ["` + pin + `"]}`,
		"an API's object": `{"type": "function", "function": {"name": "t_login", ` +
			`"arguments": "{\"user\": \"ann\", \"pin\": \"` + pin + `\"}"}}`,
		"fenced JSON":               "```json\n" + object + "\n```",
		"a code call":               `t_login(user="ann", pin="` + pin + `")`,
		"a code call of many lines": "t_login(\n    user='ann',\n\n    pin='" + pin + "',\n)",
		"a code call by position":   `t_login("ann", "` + pin + `")`,
		"a code call in a fence":    "```python\nlogin = 1\n\nprint(t_login(\"ann\", \"" + pin + "\"))\n```",
		"a command":                 "t_login --user ann --pin " + pin,
		"an address":                "https://host/t_login?user=ann&pin=" + pin,
		"a tag":                     "<t_login><user>ann</user><pin>" + pin + "</pin></t_login>",
		"a tag of many lines":       "<t_login>\n<user>ann</user>\n\n<p1n>\n\n" + pin + "\n</p1n>\n</t_login>",
		"an attribute":              `<call tool="t_login" user="ann" pin="` + pin + `"/>`,
		"ReAct":                     "Action: t_login\nAction Input: {\"user\": \"ann\", \"pin\": \"" + pin + "\"}",
		"ReAct with blank lines":    "Action: t_login\n\nAction Input: ann, " + pin,
		"YAML":                      "tool: t_login\nuser: ann\npin: " + pin,
		"a block of YAML":           "pin: |\n  " + pin + "\n",
		"Chinese":                   "工具：t_login\n用户：ann\npin：" + pin,
		"a table":                   "| user | ann |\n| pin | " + pin + " |",
		"wide characters":           "｛“pin”：“" + pin + "”｝",
		"another case":              `{"PIN": "` + pin + `"}`,
	}
}

// TestNoSpellingOfASecretIsInTheJournal checks that the journal contains no value of a secret
// argument, in any of many spellings of the request and at several places of the reply, with each
// protocol.
func TestNoSpellingOfASecretIsInTheJournal(t *testing.T) {
	for _, pin := range []string{"tangerine", "鑫"} { // the second is too short to be masked wherever it occurs
		for name, text := range secretSpellings(t, pin) {
			for place, first := range map[string]reply{
				"alone":                  says(text),
				"with text around it":    says("I will log in.\n\n" + text + "\n\nThat should do."),
				"in a fence":             says("Like this:\n```\n" + text + "\n```\nDone."),
				"in a blockquote":        says("> " + strings.ReplaceAll(text, "\n", "\n> ")),
				"in a definition":        says("<<<[TOOL_DEFINITION]>>>\n" + text + "\n<<<[END_TOOL_DEFINITION]>>>"),
				"in reasoning":           says("<think>" + text + "</think>Hello."),
				"in separate reasoning":  {deltas: append([]engine.Delta{{Reasoning: text}}, says("Hello.").deltas...)},
				"beside another request": says(block(t, "t_echo", "text", "x") + "\n" + text),
				"after the last request": says(strings.Repeat(block(t, "t_echo", "text", "x"), 3) + text),
				"after a fabricated result": says(block(t, "t_echo", "text", "x") +
					"\n<<<[TOOL_RESULT]>>>\nresult:「始」x「末」\n<<<[END_TOOL_RESULT]>>>\n" + text),
				"in a truncated reply": unfinished(text),
			} {
				if testing.Short() && pin != "tangerine" && place != "alone" {
					continue // -short tries the short secret at one place only
				}
				for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
					j := &memoryJournal{}
					run(t, loginSession(t, p, 2, j, first, says("Done."), says("Done.")), question)
					require.NotEmpty(t, j.appends)
					for _, entry := range j.appends {
						if at := bytes.Index(entry, []byte(pin)); at >= 0 {
							assert.Fail(t, "the secret is recorded", "%s, %s, %s: %s", name, place, p.ID(),
								entry[max(0, at-150):at])
						}
					}
				}
			}
		}
	}
}

// loginSession returns a session that has the method t_login with the secret argument pin. requests
// is how many requests of a reply it reads.
func loginSession(t testing.TB, p protocol.Protocol, requests int, j engine.Journal, replies ...reply) *engine.Session {
	t.Helper()
	return loginSessionOf(t, p, requests, j, &script{replies: replies})
}

// loginSessionOf returns the session of loginSession for any model.
func loginSessionOf(t testing.TB, p protocol.Protocol, requests int, j engine.Journal, m engine.Model) *engine.Session {
	t.Helper()
	schema := `{"type":"object","properties":{"user":{"type":"string"},"pin":{"type":"string"}},"required":["user","pin"]}`
	login, err := tool.Raw("login", "logs in", json.RawMessage(schema), nop,
		tool.AgentCallable(), tool.SecretParameters("pin"))
	require.NoError(t, err)
	e := newEngine(t, registry(t, login), m, func(o *engine.Options) {
		o.Protocols, o.Config.Protocol, o.Config.MaxRequests = []protocol.Protocol{p}, p.ID(), requests
	})
	return e.OpenSession(engine.SessionOptions{ID: "test", Journal: j})
}

// TestMaskingAReplyTakesLinearWork checks that the work of masking grows about in proportion to the
// length of the reply, whatever the reply contains.
func TestMaskingAReplyTakesLinearWork(t *testing.T) {
	for name, unit := range map[string]func(i int) string{
		"requests": func(i int) string {
			return block(t, "t_login", "user", "ann", "pin", fmt.Sprint("tangerine-", i))
		},
		"short secrets":  func(i int) string { return block(t, "t_login", "user", "ann", "pin", fmt.Sprint(i)) },
		"wrong requests": func(i int) string { return block(t, "t_login", "p1n", fmt.Sprint("tangerine-", i)) + "x" },
		"requests of another protocol": func(i int) string {
			return fmt.Sprintf("<tool_call>{\"name\": \"t_login\", \"pin\": \"%d\"}</tool_call>\n\n", i)
		},
		"names":           func(int) string { return "pin pin: x\n\n" },
		"open quotes":     func(int) string { return "pin: \" pin='" },
		"open brackets":   func(int) string { return "pin: { t_login([" },
		"open tags":       func(int) string { return "<pin> <t_login> " },
		"open marks":      func(int) string { return "<tool_call> 「始」" },
		"closing marks":   func(int) string { return "</tool_call> 「末」\n\n" },
		"fences":          func(int) string { return "```\npin\n```\n" },
		"values":          func(i int) string { return fmt.Sprintf("pin=%d ", i) },
		"blank lines":     func(int) string { return "pin:\n\n\n\n" },
		"escaped escapes": func(int) string { return `\\\\\\\\u0070in:` },
	} {
		t.Run(name, func(t *testing.T) {
			cost := func(requests, size int) int {
				var b strings.Builder
				for i := range requests {
					b.WriteString(unit(i))
				}
				for b.Len() < size {
					b.WriteString("word ")
				}
				m := scriptOf(b.String(), "Done.", "Done.")
				s := loginSessionOf(t, vcp.Protocol{}, 1000, &memoryJournal{}, m)
				return work.Count(func() { run(t, s, question) })
			}
			few, many := cost(20, 1<<17), cost(60, 1<<17)
			assert.Less(t, many, few*3/2, "more requests in a reply of the same length")
			short, long := cost(40, 1<<15), cost(160, 1<<17)
			assert.Less(t, long, 5*short, "four times as long a reply")
		})
	}
}

// TestNoSecretOfACallInPartsIsInTheJournal truncates a reply anywhere and continues it, and makes
// right and wrong native calls. The journal must contain no value of a secret argument.
func TestNoSecretOfACallInPartsIsInTheJournal(t *testing.T) {
	const pin = "tangerine"
	check := func(t *testing.T, j *memoryJournal) {
		t.Helper()
		for _, entry := range j.appends {
			for _, half := range []string{pin[:len(pin)/2], pin[len(pin)/2:]} {
				if at := bytes.Index(entry, []byte(half)); at >= 0 {
					assert.Fail(t, "a part of the secret is recorded", string(entry[max(0, at-200):at]))
				}
			}
		}
		assert.NotEmpty(t, j.appends)
	}
	for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
		text := requesttest.Text(t, p, "t_login", "user", "ann", "pin", pin)
		t.Run("continued under "+p.ID(), func(t *testing.T) {
			for at := 1; at < len(text); at++ {
				j := &memoryJournal{}
				first, second := truncatedReply(text[:at]), says(text[at:])
				run(t, loginSession(t, p, 2, j, first, second, says("Done."), says("Done.")), question)
				check(t, j)
			}
		})
	}
	for name, c := range map[string]protocol.ToolCall{
		"right":                 call("1", "t_login", `{"user":"ann","pin":"`+pin+`"}`),
		"not JSON":              call("1", "t_login", `{"user":"ann","pin":"`+pin+`"`),
		"an array":              call("1", "t_login", `["ann","`+pin+`"]`),
		"a string":              call("1", "t_login", `"`+pin+`"`),
		"a duplicate":           call("1", "t_login", `{"pin":"`+pin+`","pin":"x","user":"ann"}`),
		"a wrong name":          call("1", "t_login", `{"user":"ann","p1n":"`+pin+`"}`),
		"a wrong method":        call("1", "t_logon", `{"user":"ann","pin":"`+pin+`"}`),
		"a name that is a call": call("1", "t_login(pin="+pin+")", `{}`),
		"another method":        call("1", "t_echo", `{"text":"x"}`),
	} {
		t.Run("native, "+name, func(t *testing.T) {
			for _, text := range []string{"", "t_login(pin=\"" + pin + "\")"} {
				j := &memoryJournal{}
				m := &native{script: script{replies: []reply{calling(text, c), says("Done."), says("Done.")}}}
				run(t, loginSessionOf(t, vcp.Protocol{}, 2, j, m), question)
				check(t, j)
			}
		})
	}
}

func TestASecretInALabelIsMaskedIfTheApplicationRunsTheRequest(t *testing.T) {
	const pin = "tangerine"
	j := &memoryJournal{}
	s := loginSession(t, vcp.Protocol{}, 2, j)
	results := s.Execute(t.Context(), []executor.Request{{ID: "1.1-app", ToolRequest: protocol.ToolRequest{
		ToolName: "t_login", Label: "login " + pin,
		Arguments: []protocol.Argument{{Name: "user", Value: "ann"}, {Name: "pin", Value: pin}},
	}}})
	require.Equal(t, protocol.StatusSuccess, results[0].Status)
	require.NotEmpty(t, j.appends)
	for _, entry := range j.appends {
		require.NotContains(t, string(entry), pin)
	}
}
