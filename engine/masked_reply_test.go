package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// recordedReply returns the first reply in a journal of a session whose model writes text.
func recordedReply(t testing.TB, text string) *engine.RecordedReply {
	t.Helper()
	j := &memoryJournal{}
	const maxRequests = 64
	run(t, loginSession(t, vcp.Protocol{}, maxRequests, j, says(text), says("Done."), says("Done.")), question)
	for _, e := range j.entries(t, -1) {
		if e.Reply != nil {
			return e.Reply
		}
	}
	require.Fail(t, "no reply is recorded")
	return nil
}

func TestTextWithoutSecretsStaysInTheJournal(t *testing.T) {
	echo := block(t, "t_echo", "text", "pin", "note", "t_login")
	for _, text := range []string{
		"I can log in with t_login if you give me the pin.",
		"- `t_login`: logs in\n- `t_echo`: repeats a text, such as `pin`",
		"The pin is missing. Please type your pin, and then I will log in.",
		"Pins and spinning: the opinion (see the first page) is \"good\".",
		"```go\nfor _, login := range logins {\n\tfmt.Println(login)\n}\n```",
		"他说：“你好”。请输入密码。「引用」",
		echo,
		"First this.\n\n" + echo + "\n" + echo + "\n\nThen that.",
		"An example:\n```\n" + echo + "\n```\nDone.",
	} {
		assert.Equal(t, text, recordedReply(t, text).Message.Content)
	}
}

func TestTheRestOfAReplyStaysInTheJournal(t *testing.T) {
	login := block(t, "t_login", "user", "ann", "pin", "tangerine")
	for _, tt := range []struct{ name, text, want string }{
		{
			"a request that runs keeps its other arguments", "I use tangerine.\n\n" + login + "Thanks.",
			"I use [secret].\n\n" + block(t, "t_login", "user", "ann", "pin", "[secret]") + "Thanks.",
		},
		{
			"a secret of one byte is masked only in its request",
			"I add 1.\n\n" + block(t, "t_login", "user", "ann", "pin", "1"),
			"I add 1.\n\n" + block(t, "t_login", "user", "ann", "pin", "[secret]"),
		},
		{
			"the paragraph of a code call is masked",
			"I log in.\n\nLike t_login(\"ann\", \"tangerine\").\n\nDone.",
			"I log in.\n\n[secret]\n\nDone.",
		},
		{
			"of a name and a value, the value is masked",
			"I log in.\n\nThe pin: tangerine\n\nDone.",
			"I log in.\n\nThe pin:[secret]\n\nDone.",
		},
		{
			"a request in a fence is masked",
			"Like this:\n```\n" + login + "\n```\nDone.",
			"Like this:\n```\n[secret]\n```\nDone.",
		},
		{
			"of a name and a value in a fence, the value is masked",
			"Like this:\n```\npin: tangerine\n```\nDone.",
			"Like this:\n```\npin:[secret]\n```\nDone.",
		},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, recordedReply(t, tt.text).Message.Content) })
	}
}

func TestASecretInALabelIsNotInTheJournal(t *testing.T) {
	for _, label := range []string{"tangerine", "login tangerine", `pin="tangerine"`, strings.Repeat("a long label with tangerine", 9)} {
		t.Run(label, func(t *testing.T) {
			j := &memoryJournal{}
			request := block(t, "t_login", "label", label, "user", "ann", "pin", "tangerine")
			run(t, loginSession(t, vcp.Protocol{}, 1, j, says(request), says("Done.")), question)
			for _, text := range j.appends {
				require.NotContains(t, string(text), "tangerine")
			}
			for _, e := range j.entries(t, -1) {
				if e.Result != nil {
					require.Equal(t, "1.1", e.Result.ResultID)
				}
			}
		})
	}
}
