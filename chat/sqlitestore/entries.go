package sqlitestore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/vcpgo/vcp/chat"
)

// Append adds entries, as chat.Store says.
func (s *Store) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (last int64, err error) {
	err = s.withLease(ctx, l, func(ctx context.Context, tx *sql.Tx, c conversation) error {
		last = c.Tip
		list, size, err := chat.CheckedEntries(entries, parent, c.Entries+1)
		if err != nil {
			return err
		}
		if err := checkEntry(&c, parent); err != nil || len(list) == 0 {
			return err
		}
		updated := list[0].Time
		for i := range list {
			if list[i].Time.After(updated) {
				updated = list[i].Time
			}
			if err := insert(ctx, tx, c.number, &list[i]); err != nil {
				return err
			}
		}
		last = list[len(list)-1].Seq
		if _, err := tx.ExecContext(ctx, "DELETE FROM branches WHERE conversation = ? AND seq = ?", c.number, parent); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO branches (conversation, seq) VALUES (?, ?)", c.number, last); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			"UPDATE conversations SET tip = ?1, entries = ?1, bytes = bytes + ?2, updated = max(updated, ?3) WHERE number = ?4",
			last, size, updated.UnixMicro(), c.number)
		return err
	})
	if err != nil {
		return 0, err
	}
	return last, nil
}

func insert(ctx context.Context, tx *sql.Tx, conversation int64, e *chat.Entry) error {
	folded := searchable(e.Text)
	done, err := tx.ExecContext(ctx,
		"INSERT INTO entries (conversation, seq, parent, kind, time, text, folded, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		conversation, e.Seq, e.Parent, e.Kind, e.Time.UnixMicro(), e.Text, folded, string(e.Data))
	if err != nil || folded == "" {
		return err
	}
	number, err := done.LastInsertId()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO search (rowid, folded) VALUES (?, ?)", number, folded)
	return err
}

const entryColumns = "seq, parent, kind, time, text, data"

func scanEntry(rows *sql.Rows) (e chat.Entry, err error) {
	var at int64
	err = rows.Scan(&e.Seq, &e.Parent, &e.Kind, &at, &e.Text, (*[]byte)(&e.Data))
	e.Time = fromMicros(at)
	return e, err
}

// Path returns a page of a path, as chat.Store says.
func (s *Store) Path(ctx context.Context, id string, from int64, limit int) (list []chat.Entry, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		c, err := find(ctx, tx, id)
		if err == nil {
			err = checkEntry(&c, from)
		}
		if err != nil {
			return err
		}
		page := page{limit: chat.PageLimit(limit)}
		for from > 0 && !page.full() {
			// The parent of most entries has the next lower number, so that one query reads a run
			// of entries. Any other parent begins another run.
			if from, err = page.addRun(ctx, tx, c.number, from); err != nil {
				return err
			}
		}
		list = page.entries
		return nil
	})
	return list, err
}

// A page collects entries until it has limit entries or chat.MaxPageBytes.
type page struct {
	entries []chat.Entry
	limit   int
	bytes   int
}

func (p *page) full() bool { return len(p.entries) == p.limit || p.bytes >= chat.MaxPageBytes }

func (p *page) add(e chat.Entry) {
	p.entries = append(p.entries, e)
	p.bytes += len(e.Data) + len(e.Text)
}

// addRun reads entries into the page in descending order of their numbers, beginning with from. It
// stops at an entry that is not the parent of the entry read before, and returns the parent of the
// last entry in the page.
func (p *page) addRun(ctx context.Context, tx *sql.Tx, conversation, from int64) (int64, error) {
	const query = "SELECT " + entryColumns + " FROM entries WHERE conversation = ? AND seq <= ? ORDER BY seq DESC LIMIT ?"
	oldLen := len(p.entries)
	err := each(ctx, tx, query, []any{conversation, from, p.limit - oldLen}, func(rows *sql.Rows) (bool, error) {
		e, err := scanEntry(rows)
		switch {
		case err != nil:
			return false, err
		case e.Seq != from:
			return false, nil
		case e.Parent >= e.Seq || e.Parent < 0:
			return false, errDamaged
		}
		p.add(e)
		from = e.Parent
		return !p.full(), nil
	})
	if err == nil && len(p.entries) == oldLen {
		err = errDamaged
	}
	return from, err
}

// Entries returns entries in order, as chat.Store says.
func (s *Store) Entries(ctx context.Context, id string, after int64, limit int) ([]chat.Entry, error) {
	return s.query(ctx, id, limit,
		"SELECT "+entryColumns+" FROM entries WHERE conversation = ? AND seq > ? ORDER BY seq LIMIT ?", after)
}

// Branches returns a page of the ends of branches, as chat.Store says.
func (s *Store) Branches(ctx context.Context, id string, from int64, limit int) ([]chat.Entry, error) {
	return s.query(ctx, id, limit, "SELECT "+entryColumns+` FROM branches JOIN entries USING (conversation, seq)
		WHERE conversation = ? AND seq <= ? ORDER BY seq DESC LIMIT ?`, from)
}

// query returns the page of entries that a query selects. The query has parameters for the number
// of the conversation, args and the limit.
func (s *Store) query(
	ctx context.Context, id string, limit int, query string, args ...any,
) (list []chat.Entry, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		c, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		page := page{limit: chat.PageLimit(limit)}
		args := slices.Concat([]any{c.number}, args, []any{page.limit})
		err = each(ctx, tx, query, args, func(rows *sql.Rows) (bool, error) {
			e, err := scanEntry(rows)
			page.add(e)
			return !page.full(), err
		})
		list = page.entries
		return err
	})
	return list, err
}
