package main

import (
	"fmt"
	"os"

	"github.com/vcpgo/vcp/executor"

	"github.com/vcpgo/vcp/internal/document"
)

// openPrivate opens a regular file that only its owner can read, with the flags of os.OpenFile, and
// creates it if it does not exist. An existing file is restricted to its owner, or refused.
// openPrivate never blocks: it refuses pipes and devices.
func openPrivate(path string, flags int) (*os.File, error) {
	f, err := document.OpenFile(path, flags|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	// Opening an existing file does not change its mode.
	info, err := f.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		if err = f.Chmod(0o600); err != nil {
			err = fmt.Errorf("others may read it or write to it; give it the mode 600, or move it away: %w", err)
		}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// openAudit returns a writer that appends records of calls to the regular file at path; nil if path
// is "". Only its owner can read the file. It refuses devices, also /dev/null.
func openAudit(path string) (executor.AuditFunc, func(), error) {
	if path == "" {
		return nil, func() {}, nil
	}
	f, err := openPrivate(path, os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return nil, nil, fmt.Errorf("--audit cannot be opened: %w", err)
	}
	// A record that could not be written was reported when that failed.
	return executor.AuditJSON(f), func() { _ = f.Close() }, nil
}
