package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// applicationID marks a file of SQLite as a store of conversations, in its header: "vcps".
const applicationID = 0x76637073

// migrations are the steps to the current version of the tables. The step at index i leads from
// version i to i+1. A step that was released never changes; a new version adds a step. Version 0 is
// a new file.
var migrations = []string{`
-- The fence of the newest lease of all.
CREATE TABLE store (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	fence INTEGER NOT NULL
) STRICT;
INSERT INTO store VALUES (1, 0);

-- Times are microseconds since 1970. A lease without holder was released.
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
`}

var (
	errForeignFile = errors.New("it is a database of another program")
	errDamaged     = errors.New("it has lost a part of a conversation")
)

// newerVersionError is a file of a newer version of the program.
type newerVersionError struct{ found, known int }

func (e *newerVersionError) Error() string {
	return fmt.Sprintf("its tables have version %d, and this program knows the versions up to %d", e.found, e.known)
}

// migrate brings the tables to the current version.
func (s *Store) migrate(ctx context.Context, readOnly bool) error {
	current := false
	err := s.view(ctx, func(tx *sql.Tx) error {
		version, _, err := versionOf(tx)
		current = version == len(migrations)
		return err
	})
	if err != nil || current {
		return err
	}
	if readOnly {
		return errors.New("its tables have an older version; open it once with the right to write")
	}
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		version, isNew, err := versionOf(tx) // another process may have migrated the file meanwhile
		if err != nil {
			return err
		}
		if isNew {
			if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
				return err
			}
		}
		for ; version < len(migrations); version++ {
			if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
				return fmt.Errorf("the step to version %d of its tables failed: %w", version+1, err)
			}
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
}

// versionOf returns the version of the tables, and whether the file is new.
func versionOf(tx *sql.Tx) (version int, isNew bool, err error) {
	var id, tables int
	err = tx.QueryRow("SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) "+
		"FROM pragma_application_id, pragma_user_version").Scan(&id, &version, &tables)
	switch {
	case err != nil:
		return 0, false, err
	case id == 0 && version == 0 && tables == 0:
		return 0, true, nil
	case id != applicationID:
		return 0, false, errForeignFile
	case version > len(migrations):
		return 0, false, &newerVersionError{version, len(migrations)}
	case version < 1:
		return 0, false, errDamaged
	}
	return version, false, nil
}
