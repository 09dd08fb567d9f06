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

// conversation is a row of the table of conversations, and its tags. number is the key of the row.
type conversation struct {
	chat.Metadata
	number int64
	lease  chat.Lease // the newest lease; zero if it was released, or if there was none yet
}

// conversationColumns are the columns that scan reads.
const conversationColumns = `c.number, c.id, c.title, c.owner, c.created, c.updated, c.imported, c.tip, c.entries, c.bytes, c.fence,
	c.lease_holder, c.lease_from, c.lease_until,
	(SELECT group_concat(tag, char(0)) FROM (SELECT tag FROM tags WHERE conversation = c.number ORDER BY tag))`

// A row is a *sql.Row or *sql.Rows.
type row interface{ Scan(into ...any) error }

// scan reads a conversation.
func scan(r row) (c conversation, err error) {
	var created, updated, from, until int64
	var holder, tags sql.NullString
	err = r.Scan(&c.number, &c.ID, &c.Title, &c.Owner, &created, &updated, &c.Imported, &c.Tip, &c.Entries, &c.Bytes,
		&c.Fence, &holder, &from, &until, &tags)
	c.Created, c.Updated = fromMicros(created), fromMicros(updated)
	if tags.Valid {
		c.Tags = strings.Split(tags.String, "\x00") // no tag contains NUL
	}
	if holder.Valid {
		c.lease = chat.Lease{
			ConversationID: c.ID, Holder: holder.String, Fence: c.Fence, From: fromMicros(from), Until: fromMicros(until),
		}
	}
	return c, err
}

func fromMicros(t int64) time.Time { return time.UnixMicro(t).UTC() }

// find returns the conversation with that ID.
func find(ctx context.Context, tx *sql.Tx, id string) (conversation, error) {
	c, err := scan(tx.QueryRowContext(ctx, "SELECT "+conversationColumns+" FROM conversations c WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("chat: conversation %.100q: %w", id, chat.ErrNoConversation)
	}
	return c, err
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
		c, err := find(ctx, tx, id)
		m = c.Metadata
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
		c, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE conversations SET title = coalesce(?, title), owner = coalesce(?, owner) WHERE number = ?",
			change.Title, change.Owner, c.number)
		if err != nil || change.Tags == nil {
			return err
		}
		return setTags(ctx, tx, c.number, *change.Tags)
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
	query := "SELECT " + conversationColumns + " FROM conversations c"
	if where != nil {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	limit := chat.PageLimit(o.Limit)
	query += " ORDER BY c.updated DESC, c.id DESC LIMIT " + strconv.Itoa(limit+1)
	err = s.view(ctx, func(tx *sql.Tx) error {
		return each(ctx, tx, query, args, func(rows *sql.Rows) (bool, error) {
			c, err := scan(rows)
			list = append(list, c.Metadata)
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
