package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// migrations are the steps to the current version of a file. The step at index i leads from version
// i to i+1. A step that was released never changes its effect; a new version adds a step. Version 0
// is a new file.
var migrations = []migration{statements(version1), maskSecrets}

// A migration is one step. It runs in the transaction of all steps.
type migration func(context.Context, *sql.Tx) error

// statements returns the step that executes SQL.
func statements(text string) migration {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, text)
		return err
	}
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
	err = s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
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
			if err := migrations[version](ctx, tx); err != nil {
				return fmt.Errorf("the step to version %d of its tables failed: %w", version+1, err)
			}
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
	if err == nil {
		s.truncateLog(ctx)
	}
	return err
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
