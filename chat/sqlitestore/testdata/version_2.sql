-- A store of version 1 with one conversation.
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

PRAGMA application_id = 0x76637073;
PRAGMA user_version = 2;
UPDATE store SET fence = 7;
INSERT INTO conversations (number, id, title, owner, created, updated, imported, tip, entries, bytes, fence, lease_holder, lease_from, lease_until)
VALUES (1, 'trip', '上海 trip', 'ann', 1772366400123456, 1772366460000000, 0, 3, 3, 62, 7, 'a process that is gone', 1772366400000000, 1772366430000000);
INSERT INTO tags VALUES ('work', 1), ('go', 1);
INSERT INTO entries (number, conversation, seq, parent, kind, time, text, folded, data) VALUES
	(1, 1, 1, 0, 'user', 1772366400123456, 'A Hotel?', 'a hotel?', '{"text":"A Hotel?"}'),
	(2, 1, 2, 1, 'reply', 1772366450000000, '在上海', '在上海', '"..."'),
	(3, 1, 3, 1, 'end', 1772366460000000, '', '', '{"stop":"done"}');
INSERT INTO search (rowid, folded) VALUES (1, 'a hotel?'), (2, '在上海');
INSERT INTO branches VALUES (1, 2), (1, 3);
