package model

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

var marks = ReasoningForm{Open: "[THINK]", Close: "[/THINK]"}

// separate separates a reply that arrives in pieces.
func separate(f ReasoningForm, finish protocol.FinishReason, pieces ...string) (text, reasoning string) {
	r := newReasoningReader(&f)
	for _, piece := range pieces {
		d := r.read(piece)
		text, reasoning = text+d.Text, reasoning+d.Reasoning
	}
	d := r.end(finish)
	return text + d.Text, reasoning + d.Reasoning
}

func TestReasoningIsSeparatedFromText(t *testing.T) {
	prefilled := ReasoningForm{Prefilled: true}
	both := marks
	both.Prefilled = true
	reasoningRuns := prefilled
	reasoningRuns.Requests = parser.ReasoningRunIfNothingElse
	tests := []struct {
		name            string
		form            ReasoningForm
		reply           string
		text, reasoning string
	}{
		{"a family without marks is unchanged", ReasoningForm{}, "[THINK]a[/THINK]b", "[THINK]a[/THINK]b", ""},
		{"marks become tags that the parser knows", marks, "[THINK]a[/THINK]b", "<think>a</think>b", ""},
		{"blanks before the mark are dropped", marks, "\n [THINK]a[/THINK]\nb", "<think>a</think>\nb", ""},
		{"a mark after other text is text", marks, "x [THINK]a[/THINK]b", "x [THINK]a[/THINK]b", ""},
		{"a second pair is text", marks, "[THINK]a[/THINK]b[THINK]c[/THINK]", "<think>a</think>b[THINK]c[/THINK]", ""},
		{"a mark that is never closed stays open", marks, "[THINK]a [/THI", "<think>a [/THI", ""},
		{"the beginning of a mark is text", marks, "[THI", "[THI", ""},
		{
			"tags that are not the marks of the form stay as they are", marks, "<think>a</think>b",
			"<think>a</think>b", "",
		},
		{"an opening that the template wrote", prefilled, "a</think>b", "b", "a"},
		{"an opening that the template wrote and the model repeated", prefilled, "\n<think>a</think>b", "b", "a"},
		{"a reply without the closing mark is also text", prefilled, "just b", "just b", "just b"},
		{"a later closing is text", prefilled, "a</think>b</think>", "b</think>", "a"},
		{"own marks, the opening one written by the template", both, "a[/THINK]b", "b", "a"},
		{"if requests in reasoning may run, the parser sees everything", reasoningRuns, "a</think>b", "a</think>b", ""},
		{"an empty reply", prefilled, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, reasoning := separate(tt.form, protocol.FinishStop, tt.reply)
			require.Equal(t, tt.text, text)
			require.Equal(t, tt.reasoning, reasoning)
		})
	}
	t.Run("a reply truncated in its reasoning has no text", func(t *testing.T) {
		text, reasoning := separate(prefilled, protocol.FinishLength, "a </thi")
		require.Empty(t, text)
		require.Equal(t, "a </thi", reasoning)
	})
	t.Run("if the server sends reasoning apart, the text has no marks", func(t *testing.T) {
		r := newReasoningReader(&prefilled)
		r.skip()
		require.Equal(t, "b", r.read("b").Text)
	})
	t.Run("white space before separate reasoning is text", func(t *testing.T) {
		r := newReasoningReader(&prefilled)
		require.Empty(t, r.read("\n"))
		require.Equal(t, engine.Delta{Text: "\n"}, r.skip())
		require.Equal(t, engine.Delta{Text: "b"}, r.read("b"))
		require.Empty(t, r.end(protocol.FinishStop))
	})
}

// A law is a property that rapid checks with generated inputs.
func TestLawReasoningIsIndependentOfPieces(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"[THINK]", "[/THINK]", "<think>", "</think>", "[THI", "</", "[", "a", " ",
		"\n", "é",
	})
	rapid.Check(t, func(rt *rapid.T) {
		form := ReasoningForm{Prefilled: rapid.Bool().Draw(rt, "prefilled")}
		if rapid.Bool().Draw(rt, "marks") {
			form.Open, form.Close = marks.Open, marks.Close
		}
		finish := rapid.SampledFrom([]protocol.FinishReason{protocol.FinishStop, protocol.FinishLength}).Draw(rt,
			"finish")
		reply := ""
		for _, p := range rapid.SliceOfN(part, 0, 8).Draw(rt, "reply") {
			reply += p
		}
		var pieces []string
		for rest := reply; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "piece")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		text, reasoning := separate(form, finish, reply)
		joinedText, joinedReasoning := separate(form, finish, pieces...)
		require.Equal(rt, text, joinedText)
		require.Equal(rt, reasoning, joinedReasoning)
	})
}

func TestWhiteSpaceBeforeAMarkIsLimited(t *testing.T) {
	lead := strings.Repeat(" \n", maxLead/2)
	for _, pieces := range [][]string{{lead, "[THINK]a[/THINK]b"}, strings.Split(lead+"[THINK]a[/THINK]b", "")} {
		text, _ := separate(marks, protocol.FinishStop, pieces...)
		require.Equal(t, "<think>a</think>b", text, "the allowed white space is dropped")
		text, _ = separate(marks, protocol.FinishStop, append([]string{" "}, pieces...)...)
		require.Equal(t, " "+lead+"[THINK]a[/THINK]b", text, "after more white space a mark is text")
	}
}

func TestLongReasoningIsNotStored(t *testing.T) {
	piece := strings.Repeat("x", 1<<20)
	r := newReasoningReader(&ReasoningForm{Prefilled: true})
	for range 2 * maxPrefilled / len(piece) {
		require.Equal(t, piece, r.read(piece).Reasoning)
		require.LessOrEqual(t, r.kept.Len(), maxPrefilled)
	}
	require.Empty(t, r.end(protocol.FinishStop).Text)
}
