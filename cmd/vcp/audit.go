package main

import (
	"fmt"
	"os"

	"github.com/vcpgo/vcp/executor"
)

// openAudit returns what appends records of calls to the regular file at path; nothing if path is "". The file is for its owner alone: it
// tells what was done. It refuses devices, also /dev/null, which keeps no record.
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
