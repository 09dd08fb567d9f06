package chat

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"
)

// The format of exported conversations. docs/conversations.md describes it.
const (
	exportFormat  = "vcp-conversation"
	exportVersion = 1
)

// exportHeader is the beginning of an exported conversation.
type exportHeader struct {
	Format       string    `json:"format"`
	Version      int       `json:"version"`
	Exported     time.Time `json:"exported"`
	Conversation Metadata  `json:"conversation"`
}

// Export writes a conversation with all its branches as JSON, one entry per line. Import reads that
// JSON. Export reads the entries in pages and keeps only one page in memory.
func Export(ctx context.Context, w io.Writer, s Store, id string) error {
	m, err := finishedMetadata(ctx, s, id)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	head, err := encode(exportHeader{Format: exportFormat, Version: exportVersion, Exported: now(), Conversation: m})
	if err != nil {
		return err
	}
	// The entries are the last member of the same object.
	fmt.Fprintf(out, `%s,"entries":[`, head[:len(head)-1])
	written := int64(0) // how many entries are written; also the Seq of the last one
	for written < m.Entries {
		page, err := s.Entries(ctx, id, written, int(min(m.Entries-written, MaxPage)))
		if err != nil {
			return err
		}
		if len(page) == 0 {
			err := fmt.Errorf("only %d of %d entries can be read", written, m.Entries)
			return &StoreError{Problem: ProblemCorrupt, Name: id, Err: err}
		}
		for i := range page {
			e := &page[i]
			e.Text = "" // Data contains the text
			line, err := encode(e)
			if err != nil {
				return err
			}
			separator := ",\n"
			if written == 0 {
				separator = "\n"
			}
			if _, err := fmt.Fprintf(out, "%s%s", separator, line); err != nil {
				return err
			}
			written = e.Seq
		}
	}
	fmt.Fprint(out, "\n]}\n")
	return out.Flush()
}
