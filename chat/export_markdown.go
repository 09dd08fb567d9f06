package chat

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// ExportMarkdown writes the current branch of a conversation as Markdown, for people: the text as
// it was written, and calls and results as code. It reads the conversation in pages, and keeps only
// one page and the positions of the pages in memory.
func ExportMarkdown(ctx context.Context, w io.Writer, s Store, id string) error {
	m, err := finishedMetadata(ctx, s, id)
	if err != nil {
		return err
	}
	// Pages are found from the end, and written from the beginning.
	var lastEntries []int64 // the Seq of the last entry of each page
	for last := m.Tip; last > 0; {
		lastEntries = append(lastEntries, last)
		if _, last, err = readParts(ctx, s, id, last, pageMessages); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n\nConversation %s, begun %s, updated %s.\n",
		cmp.Or(text.OneLine(m.Title), "Conversation"), codeSpan(m.ID),
		m.Created.Format(time.RFC3339), m.Updated.Format(time.RFC3339))
	for _, last := range slices.Backward(lastEntries) {
		list, _, err := readMessages(ctx, s, &m, last, pageMessages)
		if err != nil {
			return err
		}
		for i := range list {
			list[i].writeMarkdown(out)
		}
	}
	return out.Flush()
}

// writeMarkdown writes a message. The writer keeps its first error.
func (m *Message) writeMarkdown(w *bufio.Writer) {
	speaker, words := "User", m.Content
	switch {
	case m.Role == protocol.RoleAssistant:
		speaker, words = "Assistant", m.Text
		if m.Incomplete {
			speaker += " (incomplete)"
		}
	case !m.IsFromPerson():
		speaker = "Results"
	}
	if m.Imported {
		speaker += " (imported)"
	}
	fmt.Fprintf(w, "\n## %s, %s\n", speaker, m.Time.Format(time.RFC3339))
	if words = strings.TrimSpace(words); words != "" {
		fmt.Fprintf(w, "\n%s\n", words)
	}
	for i := range m.ToolCallsRequested {
		q := &m.ToolCallsRequested[i]
		fmt.Fprintf(w, "\nRequest of %s, %s:\n", codeSpan(q.ToolName), strings.ReplaceAll(string(q.Status), "_", " "))
		writeFence(w, "json", indented(q.Arguments))
	}
	for i := range m.Outcomes {
		r := &m.Outcomes[i]
		fmt.Fprintf(w, "\nResult of %s, %s:\n", codeSpan(r.ToolName), r.Status)
		writeFence(w, "", r.Result)
		for _, f := range r.Files {
			fmt.Fprintf(w, "\nFile %s, %d bytes.\n", codeSpan(f.Name), len(f.Data))
		}
	}
}

// writeFence writes code as a fenced code block. The fence is longer than each run of backticks in
// the code. info is the info string.
func writeFence(w *bufio.Writer, info, code string) {
	run, longestRun := 0, 0
	for i := range len(code) {
		if run++; code[i] != '`' {
			run = 0
		}
		longestRun = max(longestRun, run)
	}
	fence := strings.Repeat("`", max(3, longestRun+1))
	fmt.Fprintf(w, "\n%s%s\n%s\n%s\n", fence, info, strings.TrimSuffix(code, "\n"), fence)
}

// codeSpan returns a name as a code span on one line, with apostrophes in place of backticks.
func codeSpan(name string) string {
	return "`" + strings.ReplaceAll(text.OneLine(name), "`", "'") + "`"
}

func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
