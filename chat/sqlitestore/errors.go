package sqlitestore

import (
	"database/sql"
	"errors"
	"io/fs"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/vcpgo/vcp/chat"
)

// isDocumented reports whether err is one of the errors that chat.Store documents.
func isDocumented(err error) bool {
	for _, own := range []error{chat.ErrNoConversation, chat.ErrConversationExists, chat.ErrNoEntry} {
		if errors.Is(err, own) {
			return true
		}
	}
	return errors.As(err, new(*chat.LeaseError)) || errors.As(err, new(*chat.InvalidError)) ||
		errors.As(err, new(*chat.StoreError))
}

// storeError returns err as a *chat.StoreError of the store with that name.
func storeError(name string, err error) error {
	e := &chat.StoreError{Problem: chat.ProblemIO, Name: name, Err: err}
	var failed *sqlite.Error
	switch {
	case errors.As(err, &failed):
		e.Problem = problemOf(failed.Code())
	// The error of a closed sql.DB has neither a type nor a name.
	case errors.Is(err, sql.ErrConnDone) || strings.HasPrefix(err.Error(), "sql: database is closed"):
		e.Problem = chat.ProblemClosed
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, errNotRegular):
		e.Problem = chat.ProblemAccess
	case errors.Is(err, errForeignFile), errors.Is(err, errDamaged):
		e.Problem = chat.ProblemCorrupt
	case errors.As(err, new(*newerVersionError)):
		e.Problem = chat.ProblemVersion
	}
	e.Advice = advice[e.Problem]
	if errors.Is(err, errForeignFile) {
		e.Advice = "choose another file"
	}
	return e
}

// problemOf classifies a result code of SQLite.
func problemOf(code int) chat.StoreProblem {
	switch code & 0xff { // the primary result code, without what an extended one adds
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return chat.ProblemCorrupt
	case sqlite3.SQLITE_READONLY:
		return chat.ProblemReadOnly
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return chat.ProblemLocked
	case sqlite3.SQLITE_FULL:
		return chat.ProblemFull
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return chat.ProblemAccess
	}
	return chat.ProblemIO
}

// advice says what a person can do about a problem.
var advice = map[chat.StoreProblem]string{
	chat.ProblemCorrupt:  "move the file away to begin a new store; the program sqlite3 can recover much of it with .recover",
	chat.ProblemReadOnly: "make the file and its directory writable, or choose another file",
	chat.ProblemLocked:   "another process writes to the file; end that process, or try again",
	chat.ProblemFull:     "make room, or raise the limit, and try again; what is stored can be read",
	chat.ProblemVersion:  "use the newer version of the program, or another file",
	chat.ProblemAccess:   "choose a regular file in a directory that exists and that you may write to",
}
