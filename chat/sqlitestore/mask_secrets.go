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
	err := maskTexts(ctx, tx, "SELECT number, title FROM conversations",
		"UPDATE conversations SET title = ?2 WHERE number = ?1")
	if err == nil { // two tags of a conversation may become the same
		err = maskTexts(ctx, tx, "SELECT DISTINCT tag, tag FROM tags",
			`INSERT OR IGNORE INTO tags (tag, conversation) SELECT ?2, conversation FROM tags WHERE tag = ?1;
			DELETE FROM tags WHERE tag = ?1`)
	}
	if err == nil {
		err = maskEntries(ctx, tx)
	}
	return err
}

// maskTexts executes change for each text that query selects and that contains a secret. query also
// selects the key of each text. The parameters of change are the key and the masked text.
func maskTexts(ctx context.Context, tx *sql.Tx, query, change string) error {
	var changes [][]any // the parameters of change
	err := each(ctx, tx, query, nil, func(rows *sql.Rows) (bool, error) {
		var key any
		var text string
		err := rows.Scan(&key, &text)
		if masked := chat.MaskSecrets(nil, text); masked != text {
			changes = append(changes, []any{key, masked})
		}
		return true, err
	})
	for _, parameters := range changes {
		if err == nil {
			_, err = tx.ExecContext(ctx, change, parameters...)
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
			// FTS5 removes a row from the index if 'delete' is inserted into the column that has
			// the name of the table.
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
