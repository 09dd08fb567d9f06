package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vcpgo/vcp/chat"
)

// metadataColumns are the columns that scanMetadata reads.
const metadataColumns = `c.number, c.id, c.title, c.owner, c.created, c.updated, c.imported, c.tip, c.entries, c.bytes, c.fence,
	(SELECT group_concat(tag, char(0)) FROM (SELECT tag FROM tags WHERE conversation = c.number ORDER BY tag))`

// A row is a *sql.Row or *sql.Rows.
type row interface{ Scan(into ...any) error }

// scanMetadata reads the metadata of a conversation, and number, the key of its row.
func scanMetadata(r row) (m chat.Metadata, number int64, err error) {
	var created, updated int64
	var tags sql.NullString
	err = r.Scan(&number, &m.ID, &m.Title, &m.Owner, &created, &updated, &m.Imported, &m.Tip, &m.Entries, &m.Bytes,
		&m.Fence, &tags)
	m.Created, m.Updated = fromMicros(created), fromMicros(updated)
	if tags.Valid {
		m.Tags = strings.Split(tags.String, "\x00") // no tag contains NUL
	}
	return m, number, err
}

func fromMicros(t int64) time.Time { return time.UnixMicro(t).UTC() }

// find returns the metadata of a conversation, and number, the key of its row.
func find(ctx context.Context, tx *sql.Tx, id string) (chat.Metadata, int64, error) {
	m, number, err := scanMetadata(tx.QueryRowContext(ctx, "SELECT "+metadataColumns+" FROM conversations c WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("chat: conversation %.100q: %w", id, chat.ErrNoConversation)
	}
	return m, number, err
}

// Create adds a conversation, as chat.Store says.
func (s *Store) Create(ctx context.Context, m chat.Metadata) error {
	m, err := chat.CheckedMetadata(m)
	if err != nil {
		return err
	}
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `INSERT INTO conversations (id, title, owner, created, updated, imported) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, m.ID, m.Title, m.Owner, m.Created.UnixMicro(), m.Updated.UnixMicro(), m.Imported)
		if err != nil {
			return err
		}
		switch n, err := done.RowsAffected(); {
		case err != nil:
			return err
		case n == 0:
			return fmt.Errorf("chat: conversation %q: %w", m.ID, chat.ErrConversationExists)
		}
		number, err := done.LastInsertId()
		if err != nil {
			return err
		}
		return setTags(ctx, tx, number, m.Tags)
	})
}

func setTags(ctx context.Context, tx *sql.Tx, number int64, tags []string) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM tags WHERE conversation = ?", number); err != nil {
		return err
	}
	for _, tag := range tags {
		if _, err := tx.ExecContext(ctx, "INSERT INTO tags (tag, conversation) VALUES (?, ?)", tag, number); err != nil {
			return err
		}
	}
	return nil
}

// Metadata returns the metadata of a conversation, as chat.Store says.
func (s *Store) Metadata(ctx context.Context, id string) (m chat.Metadata, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		m, _, err = find(ctx, tx, id)
		return err
	})
	return m, err
}

// ChangeMetadata changes title, owner or tags, as chat.Store says.
func (s *Store) ChangeMetadata(ctx context.Context, id string, change chat.MetadataChange) error {
	change, err := chat.CheckedChange(change)
	if err != nil {
		return err
	}
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, number, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE conversations SET title = coalesce(?, title), owner = coalesce(?, owner) WHERE number = ?",
			change.Title, change.Owner, number)
		if err != nil || change.Tags == nil {
			return err
		}
		return setTags(ctx, tx, number, *change.Tags)
	})
}

// List returns a page of conversations, as chat.Store says.
func (s *Store) List(ctx context.Context, o chat.ListOptions) (list []chat.Metadata, next string, err error) {
	var where []string
	var args []any
	if o.Owner != "" || o.Unowned {
		where, args = append(where, "c.owner = ?"), append(args, o.Owner)
	}
	if o.Tag != "" {
		where, args = append(where, "EXISTS (SELECT 1 FROM tags WHERE tag = ? AND conversation = c.number)"), append(args, o.Tag)
	}
	if o.Page != "" {
		updated, id, _ := strings.Cut(o.Page, " ")
		micros, err := strconv.ParseInt(updated, 10, 64)
		if err != nil {
			return nil, "", &chat.InvalidError{
				Field: "list.page", Value: fmt.Sprintf("%.60q", o.Page),
				Allowed: "what List returned as next",
			}
		}
		where, args = append(where, "(c.updated, c.id) < (?, ?)"), append(args, micros, id)
	}
	query := "SELECT " + metadataColumns + " FROM conversations c"
	if where != nil {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	limit := chat.PageLimit(o.Limit)
	query += " ORDER BY c.updated DESC, c.id DESC LIMIT " + strconv.Itoa(limit+1)
	err = s.view(ctx, func(tx *sql.Tx) error {
		return each(ctx, tx, query, args, func(rows *sql.Rows) (bool, error) {
			m, _, err := scanMetadata(rows)
			list = append(list, m)
			return true, err
		})
	})
	if err != nil {
		return nil, "", err
	}
	if len(list) > limit {
		list = list[:limit]
		last := list[limit-1]
		next = strconv.FormatInt(last.Updated.UnixMicro(), 10) + " " + last.ID
	}
	return list, next, nil
}
