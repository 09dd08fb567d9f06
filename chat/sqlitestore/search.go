package sqlitestore

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/chat"
)

// searchable returns a text in the form in which it is indexed. NUL is replaced, because SQLite's
// functions treat it as the end of a text.
func searchable(text string) string { return strings.ReplaceAll(chat.SearchText(text), "\x00", " ") }

// minIndexedWord is the length of the shortest word that the index finds, in characters.
const minIndexedWord = 3

// Search returns a page of matches, as chat.Store says. Words of three characters or more are found
// by an index. If all words are shorter, as Chinese words often are, Search reads the texts of
// all entries that the options allow.
func (s *Store) Search(ctx context.Context, o chat.SearchOptions) (list []chat.Match, next string, err error) {
	words, err := chat.SearchWords(o.Query)
	if err != nil {
		return nil, "", err
	}
	var indexed, where []string
	var args []any
	for _, word := range words {
		if utf8.RuneCountInString(word) >= minIndexedWord {
			indexed = append(indexed, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
		} else {
			where, args = append(where, "instr(e.folded, ?) > 0"), append(args, word)
		}
	}
	tables, number := "entries e", "e.number"
	if indexed != nil {
		tables, number = "search JOIN entries e ON e.number = search.rowid", "search.rowid"
		where, args = append(where, "search MATCH ?"), append(args, strings.Join(indexed, " AND "))
	}
	for _, restriction := range []struct{ value, column string }{{o.Owner, "c.owner"}, {o.ConversationID, "c.id"}} {
		if restriction.value != "" {
			where, args = append(where, restriction.column+" = ?"), append(args, restriction.value)
		}
	}
	if o.Page != "" {
		lastNumber, err := strconv.ParseInt(o.Page, 10, 64) // of the page before
		if err != nil {
			return nil, "", &chat.InvalidError{
				Field: "search.page", Value: fmt.Sprintf("%.60q", o.Page),
				Allowed: "what Search returned as next",
			}
		}
		where, args = append(where, number+" < ?"), append(args, lastNumber)
	}
	limit := chat.PageLimit(o.Limit)
	query := fmt.Sprintf(`SELECT e.number, c.id, c.title, e.seq, e.parent, e.kind, e.time, e.text
		FROM %s JOIN conversations c ON c.number = e.conversation WHERE %s ORDER BY %s DESC LIMIT %d`,
		tables, strings.Join(where, " AND "), number, limit+1)
	err = s.view(ctx, func(tx *sql.Tx) error {
		list, next, err = readMatches(ctx, tx, limit, query, args)
		return err
	})
	return list, next, err
}

// readMatches reads a page of matches. The query selects one row more than limit, which shows that
// there is a next page.
func readMatches(
	ctx context.Context, tx *sql.Tx, limit int, query string, args []any,
) (list []chat.Match, next string, err error) {
	bytes, lastNumber := 0, int64(0)
	err = each(ctx, tx, query, args, func(rows *sql.Rows) (bool, error) {
		if len(list) == limit || bytes >= chat.MaxPageBytes {
			next = strconv.FormatInt(lastNumber, 10)
			return false, nil
		}
		var m chat.Match
		var at int64
		err := rows.Scan(&lastNumber, &m.ConversationID, &m.Title, &m.Entry.Seq, &m.Entry.Parent, &m.Entry.Kind, &at,
			&m.Entry.Text)
		m.Entry.Time = fromMicros(at)
		list, bytes = append(list, m), bytes+len(m.Entry.Text)
		return true, err
	})
	return list, next, err
}
