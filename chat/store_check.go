package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// The exported functions in this file check the arguments of a Store. Each implementation should
// call them, so that all implementations refuse the same values.

// maxKind limits Entry.Kind, in bytes.
const maxKind = 64

// CheckedMetadata returns the metadata that Store.Create stores for m: valid values with sorted
// tags, and 0 in the fields that the store counts itself. If m.Created is zero, Created is the
// current time. The error is an *InvalidError.
func CheckedMetadata(m Metadata) (Metadata, error) {
	if m.Created.IsZero() {
		m.Created = time.Now()
	}
	m.Created = storedTime(m.Created)
	switch {
	case m.ID == "":
		return Metadata{}, &InvalidError{"metadata.id", `""`, "a name of the conversation"}
	case m.Imported < 0:
		number := strconv.FormatInt(m.Imported, 10)
		return Metadata{}, &InvalidError{"metadata.imported", number, "the number of an entry, or 0"}
	case !isStoredTime(m.Created):
		return Metadata{}, &InvalidError{"metadata.created", m.Created.String(), "a time of the years 1 to 9999"}
	}
	if err := checkText("metadata.id", m.ID, MaxIDBytes); err != nil {
		return Metadata{}, err
	}
	change, err := CheckedChange(MetadataChange{Title: &m.Title, Owner: &m.Owner, Tags: &m.Tags})
	if err != nil {
		return Metadata{}, err
	}
	return Metadata{
		ID: m.ID, Title: m.Title, Owner: m.Owner, Tags: *change.Tags,
		Created: m.Created, Updated: m.Created, Imported: m.Imported,
	}, nil
}

// CheckedChange returns a valid change, with sorted tags. The error is an *InvalidError.
func CheckedChange(c MetadataChange) (MetadataChange, error) {
	if c.Title != nil {
		if err := checkText("metadata.title", *c.Title, MaxTitleBytes); err != nil {
			return c, err
		}
	}
	if c.Owner != nil {
		if err := checkText("metadata.owner", *c.Owner, MaxIDBytes); err != nil {
			return c, err
		}
	}
	if c.Tags == nil {
		return c, nil
	}
	tags := slices.Compact(slices.Sorted(slices.Values(*c.Tags)))
	if len(tags) > MaxTags {
		return c, &InvalidError{
			"metadata.tags", fmt.Sprintf("a list of %d tags", len(tags)), fmt.Sprintf("at most %d", MaxTags),
		}
	}
	for i, tag := range tags {
		field := fmt.Sprintf("metadata.tags[%d]", i)
		if tag == "" {
			return c, &InvalidError{field, `""`, "a word"}
		}
		if err := checkText(field, tag, MaxIDBytes); err != nil {
			return c, err
		}
	}
	c.Tags = &tags
	return c, nil
}

// CheckedEntries returns copies of entries as a Store keeps them. first becomes the Seq of the
// first copy, and parent its Parent; each other copy follows the one before it. size is the length
// of their data and text in bytes. The error is an *InvalidError.
func CheckedEntries(entries []Entry, parent, first int64) (list []Entry, size int64, err error) {
	list = slices.Clone(entries)
	for i := range list {
		e := &list[i]
		field := func(name string) string { return fmt.Sprintf("entries[%d].%s", i, name) }
		e.Time = storedTime(e.Time)
		switch {
		case !isWord(e.Kind):
			allowed := fmt.Sprintf("a word of at most %d bytes", maxKind)
			return nil, 0, &InvalidError{field("kind"), shortQuote(e.Kind), allowed}
		case !isStoredTime(e.Time):
			return nil, 0, &InvalidError{field("time"), e.Time.String(), "a time of the years 1 to 9999"}
		case !json.Valid(e.Data) || !utf8.Valid(e.Data):
			return nil, 0, &InvalidError{field("data"), shortQuote(string(e.Data)), "JSON in UTF-8"}
		case !utf8.ValidString(e.Text):
			return nil, 0, &InvalidError{field("text"), shortQuote(e.Text), "text in UTF-8"}
		}
		if size += int64(len(e.Data) + len(e.Text)); size > MaxAppendBytes {
			value := fmt.Sprintf("at least %d bytes of data and text", size)
			allowed := fmt.Sprintf("at most %d bytes in one Append", MaxAppendBytes)
			return nil, 0, &InvalidError{"entries", value, allowed}
		}
		e.Data = slices.Clone(e.Data)
		e.Seq, e.Parent = first+int64(i), parent
		parent = e.Seq
	}
	return list, size, nil
}

// isWord reports whether s can be an Entry.Kind.
func isWord(s string) bool {
	// ReplacementChar is also what a byte that is not UTF-8 is decoded as.
	bad := func(r rune) bool { return r < ' ' || unicode.IsSpace(r) || r == unicode.ReplacementChar }
	return s != "" && len(s) <= maxKind && !strings.ContainsFunc(s, bad)
}

// CheckedLease returns a lease with its times as a Store keeps them. It returns an *InvalidError if
// a time or the holder is not valid.
func CheckedLease(l Lease) (Lease, error) {
	l.From, l.Until = storedTime(l.From), storedTime(l.Until)
	switch {
	case l.Holder == "":
		return l, &InvalidError{"lease.holder", `""`, "the name of the holder"}
	case !isStoredTime(l.From):
		return l, &InvalidError{"lease.from", l.From.String(), "a time of the years 1 to 9999"}
	case !isStoredTime(l.Until) || !l.Until.After(l.From):
		return l, &InvalidError{"lease.until", l.Until.String(), "a time after lease.from, of the years 1 to 9999"}
	}
	return l, checkText("lease.holder", l.Holder, MaxIDBytes)
}

// PageLimit returns the largest number of items in a page, for the limit that a caller passed.
func PageLimit(limit int) int {
	if limit < 1 || limit > MaxPage {
		return MaxPage
	}
	return limit
}

// maxQueryWords limits the words of a query, and maxQueryBytes its length in bytes.
const (
	maxQueryWords = 32
	maxQueryBytes = 4096
)

// SearchWords returns the words of a query, each as SearchText returns it. White space and NUL
// separate words. An entry matches if SearchText of its Text contains each word. The error is an
// *InvalidError.
func SearchWords(query string) ([]string, error) {
	words := strings.FieldsFunc(SearchText(query), func(r rune) bool { return r == 0 || unicode.IsSpace(r) })
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) == 0 || len(words) > maxQueryWords || len(query) > maxQueryBytes || !utf8.ValidString(query) {
		return nil, &InvalidError{
			"search.query", shortQuote(query),
			fmt.Sprintf("from 1 to %d words in UTF-8, at most %d bytes", maxQueryWords, maxQueryBytes),
		}
	}
	return words, nil
}

// SearchText returns text without differences of letter case, for the comparison in a search.
func SearchText(text string) string {
	return strings.Map(func(r rune) rune {
		// Of letters that differ only in case, the one with the least code point stands for all.
		// Its lower case is returned.
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return unicode.ToLower(least)
	}, text)
}

// checkText returns an *InvalidError unless value is UTF-8 without NUL and has at most limit bytes.
func checkText(field, value string, limit int) error {
	if len(value) > limit || !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		return &InvalidError{field, shortQuote(value), fmt.Sprintf("text in UTF-8 of at most %d bytes without NUL", limit)}
	}
	return nil
}

// shortQuote quotes a value, or the beginning of a long one.
func shortQuote(s string) string {
	const maxBytes = 60
	if len(s) <= maxBytes {
		return strconv.Quote(s)
	}
	begin := text.Prefix(s, maxBytes)
	return fmt.Sprintf("%q and %d bytes more", begin, len(s)-len(begin))
}

// storedTime returns a time as stores keep it.
func storedTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// isStoredTime reports whether stores take the time t. They refuse the zero time, because it means
// a missing time.
func isStoredTime(t time.Time) bool { return !t.IsZero() && t.Year() >= 1 && t.Year() <= 9999 }
