package chat_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// A value that is assigned to a name such as "password" is not stored, whether or not the request
// ran. The same holds for the example of a correct request that the model is shown.
func TestPasswordsAreNotStored(t *testing.T) {
	const password = "hunter2xyz"
	const schema = `{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}},` +
		`"required":["user","password"]}`
	run := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: "ok"}, nil }
	login, err := tool.Raw("login", "logs in", json.RawMessage(schema), run, tool.AgentCallable())
	require.NoError(t, err)
	request := func(p protocol.Protocol) string {
		return requesttest.Text(t, p, "t_login", "user", "ann", "password", password)
	}
	inVCP, inHermes, inCoder := request(vcp.Protocol{}), request(hermes.Protocol{}), request(qwencoder.Protocol{})
	inMarkers := func(text string) string { return "<<<[TOOL_REQUEST]>>>\n" + text + "\n<<<[END_TOOL_REQUEST]>>>" }
	const userTag = "<parameter=user>"
	for name, text := range map[string]string{
		"VCP":                       inVCP,
		"VCP in a fence":            "Example:\n```\n" + inVCP + "\n```\n",
		"VCP, a duplicate":          strings.Replace(inVCP, "user:", "password:「始」other1234「末」,\nuser:", 1),
		"VCP, a bare value":         strings.Replace(inVCP, "「始」ann「末」", "ann", 1),
		"VCP, escaped":              vcp.Protocol{}.Neutralize(inVCP),
		"VCP, an object":            inMarkers("{\"tool_name\": \"t_login\", \"password\": \"" + password + "\",}"),
		"VCP, wrong arguments":      block(t, "t_login", "arguments", `{"user":"ann","password":"`+password+`"}`),
		"VCP, a code call":          inMarkers("t_login(user=\"ann\", password=\"" + password + "\")"),
		"VCP, over a limit":         strings.Repeat(block(t, "t_echo", "text", "x"), scan.MaxBlocks) + inVCP + inVCP,
		"VCP, no such method":       block(t, "t_nope", "password", password),
		"Hermes":                    inHermes,
		"Hermes, a duplicate":       strings.Replace(inHermes, `"user"`, `"user": "x", "user"`, 1),
		"Qwen-Coder":                inCoder,
		"Qwen-Coder, a duplicate":   strings.Replace(inCoder, userTag, userTag+"\nx\n</parameter>\n"+userTag, 1),
		"Qwen-Coder, without lines": strings.ReplaceAll(inCoder, "\n", ""),
		"a code call":               "t_login(user=\"ann\", password=\"" + password + "\")",
	} {
		for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
			t.Run(name+" under "+p.ID(), func(t *testing.T) {
				m := &script{replies: []reply{says(text), says("Done."), says("Done.")}}
				store := chat.NewMemoryStore()
				c := newInStore(t, store, engineWith(t, m, func(o *engine.Options) {
					o.Protocols, o.Config.Protocol = []protocol.Protocol{p}, p.ID()
				}, login))
				collect(t, c.Send(t.Context(), "Go on."))
				assert.NotContains(t, storedText(t, store, "a"), password)
			})
		}
	}
}

// chosenByVCP are the members of an entry whose values only vcp chooses.
var chosenByVCP = map[string]bool{
	"Kind": true, "Time": true, "RequestID": true, "Digest": true, "Role": true, "Origin": true, "Form": true,
	"Risk": true, "Status": true, "Decision": true, "DecidedBy": true, "Verdict": true, "Approved": true,
	"Stop": true, "Limit": true,
}

// fill puts a secret into each string below v, except those that only vcp chooses. depth limits how
// deep it looks.
func fill(v reflect.Value, secret string, depth int) {
	if !v.CanSet() || depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x " + secret)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), secret, depth-1)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(map[string]any{"is " + secret: []string{secret}}))
		}
	case reflect.Slice:
		switch {
		case v.Type() == reflect.TypeFor[json.RawMessage]():
			v.SetBytes(fmt.Appendf(nil, `{"is %s":[%q]}`, secret, secret))
		case v.Type().Elem().Kind() == reflect.Uint8:
			v.SetBytes([]byte("x " + secret))
		default:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(v.Index(0), secret, depth-1)
			fill(v.Index(1), secret, depth-1)
		}
	case reflect.Map:
		if v.Type() == reflect.TypeFor[map[string]string]() {
			v.Set(reflect.ValueOf(map[string]string{secret: secret}))
		}
	case reflect.Struct:
		ofExecutor := v.Type().PkgPath() == reflect.TypeFor[executor.Request]().PkgPath()
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if !chosenByVCP[name] && !(ofExecutor && name == "ID") { // the ID of a request is vcp's own
				fill(v.Field(i), secret, depth-1)
			}
		}
	default:
	}
}

// A known secret is masked in every string of an entry that code outside of vcp can set.
func TestAKnownSecretIsInNoMemberOfAnEntry(t *testing.T) {
	e := keyedEngine(t, nil, nil, fn(t, "echo", func(context.Context, in) (string, error) { return "", nil }))
	for _, secret := range []string{modelKey, toolKey} {
		var entry engine.Entry
		fill(reflect.ValueOf(&entry).Elem(), secret, 12)
		entry.Kind = engine.EntryReply
		data, err := json.Marshal(&entry)
		require.NoError(t, err)
		require.Greater(t, strings.Count(string(data), secret), 80, "the secret is in many members")
		var read engine.Entry
		require.NoError(t, json.Unmarshal(data, &read), string(data))
		masked := chat.MaskEntry(e, chat.Entry{Kind: string(entry.Kind), Data: data, Text: secret})
		assert.Equal(t, "x [secret]", masked.Text)
		for _, spelling := range []string{secret, base64.StdEncoding.EncodeToString([]byte("x " + secret))} {
			if before, _, found := strings.Cut(string(masked.Data), spelling); found {
				assert.Fail(t, "the secret is in the entry", before[max(0, len(before)-200):])
			}
		}
		require.NoError(t, json.Unmarshal(masked.Data, &read), "the entry can still be read")
	}
}

func TestAKnownSecretIsMaskedInFilesOfAnyEncoding(t *testing.T) {
	// utf16Of writes each UTF-16 unit as two bytes: the unit shifted right by firstShift bits, and
	// then by secondShift bits.
	utf16Of := func(text string, firstShift, secondShift int) (data []byte) {
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			data = append(data, byte(unit>>firstShift), byte(unit>>secondShift))
		}
		return data
	}
	for _, tt := range []struct{ name, data, want string }{
		{"UTF-8", "Schlüssel;" + toolKey + ";", "Schlüssel;[secret];"},
		{"Latin-1", "Schl\xfcssel;" + toolKey + ";\xfc", "Schl\xfcssel;[secret];\xfc"},
		{"UTF-16, low bytes first", string(utf16Of("ü;"+toolKey+";", 0, 8)), string(utf16Of("ü;[secret];", 0, 8))},
		{"UTF-16, high bytes first", string(utf16Of("ü;"+toolKey+";", 8, 0)), string(utf16Of("ü;[secret];", 8, 0))},
		{"other data", "\x00\x01;" + toolKey + ";\xff", "\x00\x01;[secret];\xff"},
		{"other data without a secret", "\x00\x01password=hunter2\xff", "\x00\x01password=hunter2\xff"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := tool.File{Name: "a", MediaType: "text/plain; charset=" + toolKey, Data: []byte(tt.data)}
			run := func(context.Context, *tool.Call) (tool.Output, error) {
				return tool.Output{Text: "ok", Files: []tool.File{file}}, nil
			}
			show, err := tool.Raw("show", "does show", json.RawMessage(`{"type":"object"}`), run, tool.AgentCallable())
			require.NoError(t, err)
			store := chat.NewMemoryStore()
			replies := []reply{says(block(t, "t_show")), ends(protocol.FinishReason(modelKey), "Done.")}
			e := keyedEngine(t, replies, nil, show)
			require.NoError(t, collect(t, newInStore(t, store, e).Send(t.Context(), "Go.")).err)
			all := storedText(t, store, "a")
			assert.NotContains(t, all, toolKey)
			assert.NotContains(t, all, modelKey)
			files := reopened(t, store, e).History()[2].Outcomes[0].Files
			require.Len(t, files, 1)
			assert.Equal(t, tt.want, string(files[0].Data))
			assert.Equal(t, "text/plain; charset=[secret]", files[0].MediaType)
		})
	}
}
