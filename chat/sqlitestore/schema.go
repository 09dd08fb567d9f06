package sqlitestore

import (
	"errors"
	"fmt"
)

// applicationID is the number in the header of a SQLite file that marks it as a store of
// conversations: "vcps" in ASCII.
const applicationID = 0x76637073

// version1 is the SQL that creates the tables of version 1.
const version1 = `
-- fence is the number of the newest lease in all conversations. Each new lease has a higher one.
CREATE TABLE store (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	fence INTEGER NOT NULL
) STRICT;
INSERT INTO store VALUES (1, 0);

-- Times are microseconds since 1970. lease_holder is NULL if there was no lease yet, or the newest was released.
CREATE TABLE conversations (
	number INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	title TEXT NOT NULL,
	owner TEXT NOT NULL,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	imported INTEGER NOT NULL,
	tip INTEGER NOT NULL DEFAULT 0,
	entries INTEGER NOT NULL DEFAULT 0,
	bytes INTEGER NOT NULL DEFAULT 0,
	fence INTEGER NOT NULL DEFAULT 0,
	lease_holder TEXT,
	lease_from INTEGER NOT NULL DEFAULT 0,
	lease_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX conversations_by_time ON conversations (updated, id);
CREATE INDEX conversations_by_owner ON conversations (owner, updated, id);

CREATE TABLE tags (
	tag TEXT NOT NULL,
	conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
	PRIMARY KEY (tag, conversation)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_conversation ON tags (conversation);

-- number is the order of appending. folded is text without differences of letter case.
CREATE TABLE entries (
	number INTEGER PRIMARY KEY,
	conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
	seq INTEGER NOT NULL,
	parent INTEGER NOT NULL,
	kind TEXT NOT NULL,
	time INTEGER NOT NULL,
	text TEXT NOT NULL,
	folded TEXT NOT NULL,
	data TEXT NOT NULL,
	UNIQUE (conversation, seq)
) STRICT;

-- The entries that no other entry follows.
CREATE TABLE branches (
	conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
	seq INTEGER NOT NULL,
	PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE search USING fts5 (
	folded, content = 'entries', content_rowid = 'number', tokenize = 'trigram case_sensitive 1', columnsize = 0
);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
`

var (
	errForeignFile = errors.New("it is a database of another program")
	errDamaged     = errors.New("it has lost a part of a conversation")
)

// newerVersionError says that a newer version of the program wrote the file.
type newerVersionError struct{ found, known int }

func (e *newerVersionError) Error() string {
	return fmt.Sprintf("its tables have version %d, and this program knows the versions up to %d", e.found, e.known)
}
