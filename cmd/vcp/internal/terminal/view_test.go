package terminal

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestViewShowsEvents(t *testing.T) {
	tests := []struct {
		name   string
		events []engine.Event
		want   string
	}{
		{
			"text is shown as it comes",
			[]engine.Event{textEvent("a"), textEvent(" b\n"), textEvent("\n"), textEvent("c")},
			"a b\n\nc\n",
		},
		{
			"each reply begins on its own line",
			[]engine.Event{textEvent("one"), endOfReply, textEvent("two"), endOfReply},
			"one\n\ntwo\n",
		},
		{
			"blank lines around the text are omitted",
			[]engine.Event{textEvent("\n\n"), textEvent("a\n"), textEvent("\n")},
			"a\n",
		},
		{
			"blanks at the start of the first line stay",
			[]engine.Event{textEvent("\n  \n"), textEvent("  "), textEvent("  a")},
			"    a\n",
		},
		{
			"a reply that begins with a call is a paragraph of its own",
			[]engine.Event{
				requested("1", "mail", "bob"), textEvent("Then I look on."),
				started("1", "mail", `{}`), done("1", "mail", "A"), endOfReply,
				started("2", "a", `{}`), done("2", "a", "B"),
			},
			"[tool] mail ... ok, 1.5ms: A\n\nThen I look on.\n\n[tool] a ... ok, 1.5ms: B\n",
		},
		{
			"a call is a line between paragraphs",
			[]engine.Event{
				textEvent("Look:\n\n"), started("1", "t_m", `{"b":"x","a":[1, 2]}`), done("1", "t_m", "one\ntwo\n"),
				textEvent("\nSo."),
			},
			"Look:\n\n[tool] t_m b=\"x\" a=[1,2] ... ok, 1.5ms: one (and 1 more line)\n\nSo.\n",
		},
		{
			"a call whose line has ended gets its outcome in another line",
			[]engine.Event{started("1", "a", `{}`), started("2", "b", `{}`), done("2", "b", "B"), done("1", "a", "")},
			"[tool] a ... \n[tool] b ... ok, 1.5ms: B\n[tool] a ... ok, 1.5ms\n",
		},
		{
			"secrets are not shown",
			[]engine.Event{started("1", "a", `{"token":"hush"}`), done("1", "a", "A")},
			"[tool] a token=\"[secret]\" ... ok, 1.5ms: A\n",
		},
		{
			"files are named",
			[]engine.Event{doneWith(nil, tool.File{
				Name: "plot\x1b.png", MediaType: "image/png", Data: make([]byte, 12_345),
			})},
			"[tool] a ... ok, 1.5ms: A\n[file] plot\\x1b.png (image/png, 12.3 kB)\n",
		},
		{"details are for programs", []engine.Event{doneWith(map[string]int{"n": 1})}, "[tool] a ... ok, 1.5ms: A\n"},
		{
			"text after a request waits for its result",
			[]engine.Event{
				textEvent("I send it.\n"), requested("1", "mail", "bob"),
				textEvent("\nThe e-mail "), textEvent("has been sent."),
				failed("1", "mail", "execution_failed", "no such person"), endOfReply,
				textEvent("It failed."),
			},
			"I send it.\n\n[tool] mail to=\"bob\" ... execution_failed: no such person\n\n" +
				"The e-mail has been sent.\n\nIt failed.\n",
		},
		{
			"text after a request that nothing runs is shown",
			[]engine.Event{textEvent("a"), requested("1", "mail", "bob"), textEvent("b")},
			"ab\n",
		},
		{
			"a note breaks no line and comes once in a reply",
			[]engine.Event{
				textEvent("one "), noticed("odd"), textEvent("line"), noticed("odd"), noticed("even"), endOfReply,
				textEvent("next"), noticed("odd"), endOfReply,
			},
			"one line\n\n[note] odd\n[note] even\n\nnext\n\n[note] odd\n",
		},
		{
			"a note comes before the calls of its reply",
			[]engine.Event{textEvent("text"), noticed("odd"), started("1", "a", `{}`), done("1", "a", "A")},
			"text\n\n[note] odd\n[tool] a ... ok, 1.5ms: A\n",
		},
		{
			"a failed call shows its arguments on a line of its own",
			[]engine.Event{
				started("1", "a", `{"v":1,"token":"hush"}`), started("2", "b", `{}`),
				failed("1", "a", "timeout", "late"), done("2", "b", "B"),
			},
			"[tool] a v=1 token=\"[secret]\" ... \n[tool] b ... \n" +
				"[tool] a v=1 token=\"[secret]\" ... timeout: late\n[tool] b ... ok, 1.5ms: B\n",
		},
		{
			"an excerpt shows the size of the whole",
			[]engine.Event{excerpted()},
			"[tool] a ... ok, 1.5ms: one (32.0 kB; the model reads an excerpt of it)\n",
		},
		{
			"a summary shows the size of the whole",
			[]engine.Event{summarized()},
			"[tool] a ... ok, 1.5ms: one (32.0 kB; the model reads a summary of it)\n",
		},
		{
			"progress continues the line of its call",
			[]engine.Event{
				started("1", "a", `{"v":1}`), progress("1", "half\x07 way"), progress("1", "all"), done("1", "a", "A"),
			},
			"[tool] a v=1 ... \n[tool] ... half\\a way\n[tool] ... all\n[tool] ... ok, 1.5ms: A\n",
		},
		{
			"progress names its call if another line came between them",
			[]engine.Event{
				started("1", "a", `{}`), started("2", "b", `{}`),
				progress("1", "half"), progress("2", "half"), done("1", "a", "A"), done("2", "b", "B"),
			},
			"[tool] a ... \n[tool] b ... \n[tool] a ... half\n[tool] b ... half\n" +
				"[tool] a ... ok, 1.5ms: A\n[tool] b ... ok, 1.5ms: B\n",
		},
		{
			"a refused call has a line too",
			[]engine.Event{
				failed("1", "nothing", "tool_not_found", "no such tool"), failed("2", "", "malformed_request", "what?"),
			},
			"[tool] nothing ... tool_not_found: no such tool\n[tool] (unnamed) ... malformed_request: what?\n",
		},
		{
			"a request that cannot be read is reported by its result",
			[]engine.Event{unread("odd"), failed("1", "", "malformed_request", "what?"), endOfReply},
			"[tool] (unnamed) ... malformed_request: what?\n",
		},
		{
			"a request that cannot be read and gets no result is reported by its note",
			[]engine.Event{unread("odd"), endOfReply},
			"[note] odd\n",
		},
		{
			"an error does not repeat its type",
			[]engine.Event{failed("1", "a", "invalid_arguments", "invalid arguments: n: missing, expected integer")},
			"[tool] a ... invalid_arguments: n: missing, expected integer\n",
		},
		{
			"an error in Chinese does not repeat its type",
			[]engine.Event{failed("1", "a", "invalid_arguments", "参数无效：n：缺少，要求 integer")},
			"[tool] a ... invalid_arguments: n：缺少，要求 integer\n",
		},
		{
			"long values and results are truncated",
			[]engine.Event{
				started("1", "a", `{"v":"`+strings.Repeat("ü", 70)+`"}`), done("1", "a", strings.Repeat("é", 90)),
			},
			"[tool] a v=\"" + strings.Repeat("ü", 60) + "…\" ... ok, 1.5ms: " + strings.Repeat("é", 80) + "…\n",
		},
		{
			"foreign text cannot steer the terminal or forge a line",
			[]engine.Event{
				textEvent("\x1b[2Ja\u009bb\u0007\r\n"), started("1", "a\n[tool] b", `{"v":"\u001b[31m\nx\u202e\"y\\","\n":1}`),
				done("1", "a", "\x1b]0;t\x07"),
			},
			"[2Jab\n\n[tool] a\\n[tool] b v=\"\\x1b[31m\\nx\\u202e\\\"y\\\\\" \\n=1 ... ok, 1.5ms: \\x1b]0;t\\a\n",
		},
		{
			"foreign text cannot change the order in which it is read",
			[]engine.Event{textEvent("a\u202eb\u2066c\u061c")},
			"abc\n",
		},
		{
			"the model's words keep the variants of emoji, and joiners; the line of a call escapes them",
			[]engine.Event{
				textEvent("❤\ufe0f 👩\u200d👧"), started("1", "a", `{"v":"rm\u3164\ufe0f"}`), done("1", "a", ""),
			},
			"❤\ufe0f 👩\u200d👧\n\n[tool] a v=\"rm\\u3164\\ufe0f\" ... ok, 1.5ms\n",
		},
		{
			"reasoning and text are paragraphs of their own",
			[]engine.Event{
				{Kind: engine.EventReasoning, Text: "One.\nTwo."},
				textEvent("Three."),
				{Kind: engine.EventReasoning, Text: "Four."},
			},
			"[reasoning] One.\nTwo.\n\nThree.\n\n[reasoning] Four.\n",
		},
		{
			"a failure of the protocol is reported",
			[]engine.Event{{Kind: engine.EventProtocolError, Err: errors.New("it broke")}},
			"[note] the reply could not be read, and nothing in it runs: it broke\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			v := NewView(&out, "en")
			v.forPerson = true
			v.Arguments = func(q *protocol.ToolRequest) string {
				return " " + q.Arguments[0].Name + "=" + quoted(q.Arguments[0].Value)
			}
			for _, e := range tt.events {
				v.Show(e)
			}
			require.NoError(t, v.End())
			require.Equal(t, tt.want, out.String())
		})
	}
}

func TestAFailureIsAParagraphAfterText(t *testing.T) {
	var out strings.Builder
	v := NewView(&out, "en")
	v.Show(textEvent("Half of"))
	require.NoError(t, v.End())
	v.Failure("stopped")
	v.Blank()
	v.Show(textEvent("Next."))
	require.NoError(t, v.End())
	require.Equal(t, "Half of\n\n[error] stopped\n\nNext.\n", out.String())
}

func TestViewShowsChinese(t *testing.T) {
	var out strings.Builder
	v := NewView(&out, "zh")
	for _, e := range []engine.Event{
		started("1", "t_m", `{"a":1}`), done("1", "t_m", "one\ntwo\n"),
		started("2", "t_m", `{}`), failed("2", "t_m", "timeout", "late"),
		{
			Kind:   engine.EventNotice,
			Notice: &parser.Notice{Code: parser.NoticeUnrunRequest, Message: "request 1 was not run"},
		},
		{Kind: engine.EventDropped},
		excerpted(),
		doneWith(nil, tool.File{Name: "a.png", MediaType: "image/png", Data: make([]byte, 12)}),
		{Kind: engine.EventProtocolError, Err: errors.New("it broke")},
	} {
		v.Show(e)
	}
	v.NotRun("t_m", " a=1")
	v.Failure("没有答案")
	require.NoError(t, v.End())
	require.Equal(t, `[工具] t_m a=1 ... 成功，1.5ms：one（另有 1 行）
[工具] t_m ... timeout：late
[提示] 写在代码、引用或思考内容中的请求没有执行
[提示] 已略去模型编造的工具结果
[工具] a ... 成功，1.5ms：one（32.0 kB；模型读到其中的节选）
[工具] a ... 成功，1.5ms：A
[文件] a.png（image/png，12 字节）
[提示] 回复无法读取，其中的内容都不会执行：it broke
[工具] t_m a=1 ... 未执行：当前为 manual 模式
[错误] 没有答案
`, out.String())
}
