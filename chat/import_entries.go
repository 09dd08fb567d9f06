package chat

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/jsonerror"
)

// entries reads the entries and what follows them.
func (in *importer) entries(ctx context.Context) error {
	if err := in.delimiter('[', "entries"); err != nil {
		return err
	}
	for in.decoder.More() {
		if err := in.entry(ctx); err != nil {
			return err
		}
	}
	if in.seen != in.meta.Entries {
		reason := fmt.Sprintf("has %d items; the conversation says that there are %d", in.seen, in.meta.Entries)
		return &ImportError{"entries", reason, nil}
	}
	if err := in.delimiter(']', "entries"); err != nil {
		return err
	}
	if err := in.delimiter('}', "the file"); err != nil {
		return err
	}
	if _, err := in.decoder.Token(); !errors.Is(err, io.EOF) {
		return &ImportError{"the file", "has data after its end", nil}
	}
	return in.flush(ctx)
}

const (
	importBatch      = 500     // the most entries of one Append
	importBatchBytes = 4 << 20 // a batch with more data takes no further entry
	// maxImportedReply is the highest number of an imported reply; the other half of the numbers is
	// for replies after the import.
	maxImportedReply = engine.MaxReplies / 2
)

// entry reads one entry into the batch. It first appends the batch to the store if the batch is
// full, or if the new entry does not follow the batch's last entry.
func (in *importer) entry(ctx context.Context) error {
	part := fmt.Sprintf("entries[%d]", in.seen)
	var e Entry
	if err := in.decoder.Decode(&e); err != nil {
		return &ImportError{part, "cannot be read", jsonerror.Explain(err)}
	}
	in.seen++
	if e.Seq != in.seen || e.Seq > in.meta.Entries || e.Parent < 0 || e.Parent >= e.Seq {
		reason := fmt.Sprintf("has the number %d and the parent %d; entries are numbered from 1 without gaps, "+
			"and a parent is an earlier entry or 0", e.Seq, e.Parent)
		return &ImportError{part, reason, nil}
	}
	step, err := readStep(&e)
	if err != nil {
		return &ImportError{part, "cannot be read as an entry of an export", err}
	}
	kept, err := newEntry(&step.entry, in.filter)
	if err != nil {
		return &ImportError{part, "cannot be kept", err}
	}
	kept.Seq, kept.Time = e.Seq, in.past(e.Time)
	if err := in.checkReadable(&kept); err != nil {
		return &ImportError{part, "cannot be read again", err}
	}
	kept.Seq = 0 // the store numbers its entries
	if n := int64(len(in.batch)); n == importBatch || in.bytes > importBatchBytes || e.Parent != in.last+n {
		if err := in.flush(ctx); err != nil {
			return err
		}
		in.parent = e.Parent
	}
	in.batch, in.bytes = append(in.batch, kept), in.bytes+len(kept.Data)
	return nil
}

// checkReadable returns an error if Open could not read the entry, or if no turn could follow it.
// It checks an entry alone: whether Open can read it does not depend on other entries.
func (in *importer) checkReadable(kept *Entry) error {
	s, err := readStep(kept)
	if err != nil {
		return err
	}
	if r := s.entry.Reply; r != nil && r.Number > maxImportedReply {
		return fmt.Errorf("the reply has the number %d; allowed are numbers up to %d, because later replies need higher ones",
			r.Number, maxImportedReply)
	}
	_, err = messagesOf([]step{s}, in.meta.Imported)
	return err
}

// flush appends the batch to the store. The first flush adds the conversation.
func (in *importer) flush(ctx context.Context) error {
	if in.lease.Fence == 0 {
		if err := in.begin(ctx); err != nil {
			return err
		}
	}
	if len(in.batch) == 0 {
		return nil
	}
	last, err := in.store.Append(ctx, in.lease, in.parent, in.batch...)
	in.last, in.batch, in.bytes = last, nil, 0
	in.parent = last
	return err
}
