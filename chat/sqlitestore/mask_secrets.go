package sqlitestore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"github.com/vcpgo/vcp/chat"
)

// maskSecrets is the step to version 2. It masks what has the form of a secret in the texts that
// earlier versions of the program stored.
func maskSecrets(ctx context.Context, tx *sql.Tx) error {
	for _, step := range []func(context.Context, *sql.Tx) error{maskTitles, maskTags, maskEntries} {
		if err := step(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

func maskTitles(ctx context.Context, tx *sql.Tx) error {
	titles := map[int64]string{} // the changed ones, by the number of the conversation
	err := each(ctx, tx, "SELECT number, title FROM conversations", nil, func(rows *sql.Rows) (bool, error) {
		var number int64
		var title string
		err := rows.Scan(&number, &title)
		if masked := chat.MaskSecrets(nil, title); masked != title {
			titles[number] = masked
		}
		return true, err
	})
	for number, title := range titles {
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE conversations SET title = ? WHERE number = ?", title, number)
		}
	}
	return err
}

func maskTags(ctx context.Context, tx *sql.Tx) error {
	tags := map[string]string{} // the changed ones
	err := each(ctx, tx, "SELECT DISTINCT tag FROM tags", nil, func(rows *sql.Rows) (bool, error) {
		var tag string
		err := rows.Scan(&tag)
		if masked := chat.MaskSecrets(nil, tag); masked != tag {
			tags[tag] = masked
		}
		return true, err
	})
	for tag, masked := range tags {
		if err == nil { // two tags of a conversation may have become the same
			_, err = tx.ExecContext(ctx, `INSERT OR IGNORE INTO tags (tag, conversation)
				SELECT ?, conversation FROM tags WHERE tag = ?`, masked, tag)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM tags WHERE tag = ?", tag)
		}
	}
	return err
}

// maskEntries masks the entries. It reads one at a time, because all of them may not fit into
// memory.
func maskEntries(ctx context.Context, tx *sql.Tx) error {
	for number := int64(0); ; {
		var e chat.Entry
		var conversation, at int64
		var folded string
		err := tx.QueryRowContext(ctx, `SELECT number, conversation, seq, kind, time, text, folded, data FROM entries
			WHERE number > ? ORDER BY number LIMIT 1`, number).
			Scan(&number, &conversation, &e.Seq, &e.Kind, &at, &e.Text, &folded, (*[]byte)(&e.Data))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		e.Time = fromMicros(at)
		masked := chat.MaskEntry(nil, e)
		if masked.Text == e.Text && bytes.Equal(masked.Data, e.Data) {
			continue
		}
		for _, statement := range []struct {
			text string
			args []any
		}{
			{"INSERT INTO search (search, rowid, folded) SELECT 'delete', ?, ? WHERE ? <> ''", []any{number, folded, folded}},
			{
				"UPDATE entries SET text = ?, folded = ?, data = ? WHERE number = ?",
				[]any{masked.Text, searchable(masked.Text), string(masked.Data), number},
			},
			{"INSERT INTO search (rowid, folded) SELECT number, folded FROM entries WHERE number = ? AND folded <> ''", []any{number}},
			{
				"UPDATE conversations SET bytes = bytes + ? WHERE number = ?",
				[]any{len(masked.Text) + len(masked.Data) - len(e.Text) - len(e.Data), conversation},
			},
		} {
			if _, err := tx.ExecContext(ctx, statement.text, statement.args...); err != nil {
				return err
			}
		}
	}
}
