package chat

import (
	"context"
	"encoding/json"
	"time"
)

// Store keeps the metadata and the entries of conversations. Entries are appended and do not
// change. A Store is safe for concurrent use, also by several processes if they can share the
// storage. MemoryStore and package chat/sqlitestore implement Store, and package storetest checks
// an implementation.
//
// Entries form a tree: each names the entry that it follows, its parent. A path from an entry back
// to the beginning is one version of the conversation. Two entries with the same parent begin two
// branches. The tip of a conversation is the entry after which it continues.
//
// Only the holder of a lease changes entries and tip. A store needs no clock: times come from its
// callers. Safety does not depend on these times: each lease has a number, its fence, and a store
// refuses a change under a fence that is not the newest.
//
// A conversation, an entry or a lease that a method returns belongs to the caller. The errors are
// ErrNoConversation, ErrConversationExists, ErrNoEntry, *LeaseError, *InvalidError, the cause of
// ctx's end, and *StoreError if the storage fails; each may be wrapped. A method that returns an
// error has changed nothing. The exception is a *StoreError whose Problem is ProblemIO: then it may
// be unknown whether the change was made.
type Store interface {
	// Create adds a conversation without entries. The store uses the ID, Title, Owner, Tags,
	// Created and Imported of m.
	Create(ctx context.Context, m Metadata) error
	// Metadata returns the metadata of a conversation.
	Metadata(ctx context.Context, id string) (Metadata, error)
	// ChangeMetadata changes title, owner or tags. It needs no lease and does not set Updated.
	ChangeMetadata(ctx context.Context, id string, change MetadataChange) error
	// List returns a page of conversations in descending order of Updated, and then of ID. next is
	// the ListOptions.Page of the next page; "" means the end.
	List(ctx context.Context, o ListOptions) (list []Metadata, next string, err error)

	// Acquire leases a conversation to one holder. If another lease is in force (Lease.InForce), it
	// returns a *LeaseError, unless r.Over is the fence of that lease. The new lease's fence is
	// higher than that of each earlier lease in the store, of any conversation.
	Acquire(ctx context.Context, id string, r LeaseRequest) (Lease, error)
	// Renew changes the times of the lease with l's fence to those of l. If another lease was given
	// since, or the lease was released, it returns a *LeaseError.
	Renew(ctx context.Context, l Lease) error
	// Release ends a lease. It is not an error if the lease has ended or been lost, or if the
	// conversation is gone.
	Release(ctx context.Context, l Lease) error

	// Append adds entries. The first one follows the entry with the number parent, or begins a new
	// path if parent is 0. Each other entry follows the one before it. The store gives them the
	// next numbers and ignores their Seq and Parent. It returns the number of the last entry, which
	// becomes the tip. All entries are appended or none. When Append returns, a store that is not
	// in memory has written them to the disk. Without entries, Append checks the lease and the
	// parent, and returns the tip.
	//
	// The end of ctx prevents an Append that has not begun. It does not interrupt one that has
	// begun.
	Append(ctx context.Context, l Lease, parent int64, entries ...Entry) (last int64, err error)
	// SetTip makes an entry the tip: the conversation continues after it. If seq is 0, it continues
	// from the beginning, before all entries.
	SetTip(ctx context.Context, l Lease, seq int64) error
	// Delete removes the conversation with all that belongs to it, the lease included.
	Delete(ctx context.Context, l Lease) error

	// Path returns a page of a path, newest entry first. from is the number of the first entry of
	// the page, and limit the largest number of entries. The next page begins with the Parent of
	// the last entry of this page; if that is 0, there is no next page. If from is 0, Path returns
	// no entries. Its work is in proportion to what it returns.
	Path(ctx context.Context, id string, from int64, limit int) ([]Entry, error)
	// Entries returns a page of the entries of all branches, in ascending order of Seq. The page
	// begins with the first Seq that is greater than after. limit is the largest number of entries.
	// An empty page means the end.
	Entries(ctx context.Context, id string, after int64, limit int) ([]Entry, error)
	// Branches returns a page of the entries that end branches: those that no other entry follows.
	// The newest comes first. The page begins with the last Seq that is not greater than from.
	// limit is the largest number of entries. An empty page means the end.
	Branches(ctx context.Context, id string, from int64, limit int) ([]Entry, error)

	// Search returns a page of entries whose Text contains each word of the query as a part,
	// regardless of letter case. The entries that were appended last come first. Words are
	// separated by white space. next is as in List.
	Search(ctx context.Context, o SearchOptions) (list []Match, next string, err error)
}

// Limits of what a store takes.
const (
	// MaxIDBytes limits the id of a conversation, its owner, a tag and a holder, in bytes.
	MaxIDBytes = 512
	// MaxTitleBytes limits a title, in bytes.
	MaxTitleBytes = 4096
	// MaxTags limits the tags of a conversation.
	MaxTags = 100
	// MaxAppendBytes limits the data and text of one Append, in bytes.
	MaxAppendBytes = 256 << 20
	// MaxPage is the largest number of items in a page. A higher limit, or a limit below 1, means
	// MaxPage.
	MaxPage = 1000
	// MaxPageBytes limits the data and text of a page, in bytes. The page ends with the entry that
	// reaches this limit, even if its limit of entries is not reached.
	MaxPageBytes = 8 << 20
)

// Metadata describes a conversation. Text in it is UTF-8.
type Metadata struct {
	// ID names the conversation in its store. It is not empty.
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	// Owner is the user to whom the conversation belongs, as the application names users.
	Owner string `json:"owner,omitempty"`
	// Tags are words of the application, sorted and without duplicates.
	Tags []string `json:"tags,omitempty"`
	// Created and Updated are in UTC, with whole microseconds. Updated is the latest of Created and
	// the Time of each entry.
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	// Imported is the number of the last entry that was imported, or 0 if none was. The text of
	// that entry and of those before it is foreign, and their requests never run. Imported is set
	// when the import begins; see Unfinished.
	Imported int64 `json:"imported,omitempty"`

	// Tip is the number of the entry that the conversation continues after; 0 is the beginning,
	// before all entries.
	Tip int64 `json:"tip"`
	// Entries is the number of entries in all branches, and the number of the newest.
	Entries int64 `json:"entries"`
	// Bytes is the size of the data and text of all entries.
	Bytes int64 `json:"bytes"`
	// Fence is the fence of the newest lease, or 0 before the first lease. As long as Fence is the
	// same, only the holder of that lease can have changed the entries and the tip.
	Fence int64 `json:"-"`
}

// Unfinished reports whether the conversation is an import that has not ended: it has fewer entries
// than Imported says. A store lists such a conversation, but it cannot be opened, read or exported:
// the error is ErrNoConversation. If the process that imports it has ended, a new conversation or
// an import with the same ID replaces it, and Prune deletes it.
func (m *Metadata) Unfinished() bool { return m.Entries < m.Imported }

// MetadataChange is a change of metadata. A nil field changes nothing.
type MetadataChange struct {
	Title, Owner *string
	Tags         *[]string
}

// Entry is one step of a conversation: a message or what a turn did. A store does not interpret
// Data.
type Entry struct {
	// Seq is the number of the entry in its conversation, from 1 without gaps.
	Seq int64 `json:"seq"`
	// Parent is the number of the entry that this one follows, or 0 if it follows none. It is lower
	// than the entry's own number.
	Parent int64 `json:"parent"`
	// Kind says what Data is. It is a word of at most 64 bytes.
	Kind string `json:"kind"`
	// Time is in UTC, with whole microseconds, of the years 1 to 9999.
	Time time.Time `json:"time"`
	// Data is JSON in UTF-8.
	Data json.RawMessage `json:"data"`
	// Text is what Search looks through, in UTF-8. It may be "".
	Text string `json:"text,omitempty"`
}

// ListOptions choose the conversations of List.
type ListOptions struct {
	// Owner and Tag restrict the list to the conversations of an owner, and to those with a tag; ""
	// does not restrict it.
	Owner, Tag string
	// Unowned restricts the list to the conversations without an owner, if Owner is "".
	Unowned bool
	// Limit is the largest number of items in the page; see MaxPage.
	Limit int
	// Page is what List returned as next; "" is the first page.
	Page string
}

// SearchOptions choose the entries of Search.
type SearchOptions struct {
	// Query has one or more words.
	Query string
	// Owner restricts the search to the conversations of an owner, and ConversationID to one
	// conversation; "" does not restrict it.
	Owner, ConversationID string
	// Limit is the largest number of items in the page; see MaxPage.
	Limit int
	// Page is what Search returned as next; "" is the first page.
	Page string
}

// Match is an entry that Search found, without its Data, and the conversation of the entry.
type Match struct {
	ConversationID string `json:"conversation"`
	Title          string `json:"title,omitempty"`
	Entry          Entry  `json:"entry"`
}
