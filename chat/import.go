package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/vcpgo/vcp/internal/jsonerror"
	"github.com/vcpgo/vcp/internal/secrets"
)

// ImportOptions set up Import.
type ImportOptions struct {
	// ID is the ID in the store; "" means the ID of the exported conversation.
	ID string
	// Owner is the owner in the store. Import ignores the owner in the export.
	Owner string
	// Secrets are texts to mask, such as those of engine.Engine.Secrets. Texts in the form of
	// a secret are masked, too.
	Secrets []string
	// MaxBytes limits what is read; 0 or less means 256 MiB.
	MaxBytes int64
}

const defaultImportBytes = 256 << 20

// ImportError says which part of an export Import cannot read.
type ImportError struct {
	Part   string // such as "version" or "entries[7]"
	Reason string
	Err    error // may be nil
}

// Error names the part and what is wrong with it.
func (e *ImportError) Error() string {
	text := fmt.Sprintf("chat: exported conversation: %s %s", e.Part, e.Reason)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *ImportError) Unwrap() error { return e.Err }

// Import reads a conversation that Export has written, adds it to the store s, and returns its
// metadata. The whole conversation is foreign (Metadata.Imported): its text is neutralized for the
// model, and nothing in it runs, not even by Resume. If r cannot be read to its end, nothing is
// added. Until the last entry is stored, the conversation is unfinished (Metadata.Unfinished). If
// the process ends before that, the conversation can never be opened. The tip is set after the last
// entry is stored. If the process ends between the two steps, the conversation continues after its
// last entry. The error is an *ImportError or one of the store.
func Import(ctx context.Context, s Store, r io.Reader, o ImportOptions) (Metadata, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultImportBytes
	}
	limited := &limitedReader{in: r, left: o.MaxBytes}
	in := &importer{store: s, decoder: json.NewDecoder(limited), options: o, filter: secrets.NewFilter(o.Secrets)}
	m, err := in.run(ctx)
	var bad *ImportError
	if errors.As(err, &bad) && limited.exceeded {
		bad.Reason, bad.Err = fmt.Sprintf("is beyond the limit of %d bytes", o.MaxBytes), nil
	}
	return m, err
}

// limitedReader reads from in, up to a limit.
type limitedReader struct {
	in       io.Reader
	left     int64 // number of bytes up to the limit
	exceeded bool  // a byte after the limit was needed
}

// Read reads the next bytes before the limit. If a byte comes after the limit, Read returns
// io.ErrUnexpectedEOF.
func (l *limitedReader) Read(b []byte) (int, error) {
	if l.left > 0 {
		n, err := l.in.Read(b[:min(int64(len(b)), l.left)])
		l.left -= int64(n)
		return n, err
	}
	n, err := io.ReadFull(l.in, make([]byte, 1))
	if n > 0 {
		l.exceeded, err = true, io.ErrUnexpectedEOF
	}
	return 0, err
}

type importer struct {
	store   Store
	decoder *json.Decoder
	options ImportOptions
	filter  *secrets.Filter

	meta   Metadata
	now    time.Time
	lease  Lease   // Fence is 0 until the conversation is in the store
	seen   int64   // number of entries read
	last   int64   // the number of the last entry in the store
	batch  []Entry // entries that are not in the store yet
	parent int64   // the parent of the first entry of batch
	bytes  int     // the length of the data of batch

	lost func(error) // ends the import because its lease is lost
	stop func()      // ends the renewal of the lease
}

func (in *importer) run(ctx context.Context) (m Metadata, err error) {
	in.now = now()
	if err := in.header(); err != nil {
		return m, err
	}
	cleanup := context.WithoutCancel(ctx) // even a canceled import deletes its conversation or ends its lease
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	in.lost, in.stop = cancel, func() {}
	defer func() { in.stop() }() // even if the reader or the store panics
	err = in.entries(ctx)
	if err == nil && in.meta.Tip != in.last {
		err = in.store.SetTip(ctx, in.lease, in.meta.Tip)
	}
	if in.lease.Fence == 0 {
		return m, err
	}
	in.stop()
	if err != nil {
		return m, errors.Join(err, in.store.Delete(cleanup, in.lease))
	}
	if err := in.store.Release(cleanup, in.lease); err != nil {
		return m, err
	}
	return in.store.Metadata(cleanup, in.meta.ID)
}

// begin adds the conversation to the store and leases it.
func (in *importer) begin(ctx context.Context) error {
	if err := createConversation(ctx, in.store, in.meta); err != nil {
		return err
	}
	// If ctx has ended meanwhile, the lease is needed to delete the conversation.
	uncanceled := context.WithoutCancel(ctx)
	lease, err := leaseChecked(uncanceled, in.store, in.meta.ID, func(m *Metadata) error {
		// Another process may have replaced the conversation by one of its own.
		if m.Imported != in.meta.Imported || m.Entries != 0 || m.Owner != in.meta.Owner ||
			!m.Created.Equal(in.meta.Created) {
			return fmt.Errorf("chat: conversation %q: %w", m.ID, ErrChanged)
		}
		return nil
	})
	if err != nil {
		return err
	}
	in.lease, in.stop = lease, keepLease(ctx, in.store, lease, in.lost)
	return nil
}

// header reads the members before the entries, in their fixed order, and sets in.meta.
func (in *importer) header() error {
	if err := in.delimiter('{', "the file"); err != nil {
		return err
	}
	var h exportHeader
	for _, member := range []struct {
		name string
		into any
	}{
		{"format", &h.Format},
		{"version", &h.Version},
		{"exported", &h.Exported},
		{"conversation", &h.Conversation},
		{"entries", nil},
	} {
		switch token, err := in.decoder.Token(); {
		case err != nil:
			return &ImportError{member.name, "is missing", err}
		case token != member.name:
			return &ImportError{member.name, fmt.Sprintf("is missing; %.40q is in its place", fmt.Sprint(token)), nil}
		case member.into == nil:
		default:
			if err := in.decoder.Decode(member.into); err != nil {
				return &ImportError{member.name, "cannot be read", jsonerror.Explain(err)}
			}
		}
		switch {
		case member.name == "format" && h.Format != exportFormat:
			return &ImportError{"format", fmt.Sprintf("is %.40q; allowed is %q", h.Format, exportFormat), nil}
		case member.name == "version" && h.Version != exportVersion:
			reason := fmt.Sprintf("is %d; this program reads version %d", h.Version, exportVersion)
			return &ImportError{"version", reason, nil}
		}
	}
	given := h.Conversation
	if given.Entries < 0 || given.Tip < 0 || given.Tip > given.Entries {
		reason := fmt.Sprintf("has %d entries and the tip %d; allowed is a tip from 0 to the number of entries",
			given.Entries, given.Tip)
		return &ImportError{"conversation", reason, nil}
	}
	var err error
	in.meta, err = CheckedMetadata(Metadata{
		ID: cmp.Or(in.options.ID, given.ID), Owner: in.options.Owner,
		Title: in.filter.Text(given.Title), Tags: maskedTexts(given.Tags, in.filter),
		Created: in.past(given.Created), Imported: given.Entries,
	})
	in.meta.Tip, in.meta.Entries = given.Tip, given.Entries
	return err
}

// past returns t, or the time of the import if t is later.
func (in *importer) past(t time.Time) time.Time {
	if t.After(in.now) {
		return in.now
	}
	return t
}

// delimiter reads a delimiter. part is the part of the export that an error names.
func (in *importer) delimiter(want json.Delim, part string) error {
	if token, err := in.decoder.Token(); err != nil || token != want {
		return &ImportError{part, fmt.Sprintf("lacks a %q", want.String()), err}
	}
	return nil
}
