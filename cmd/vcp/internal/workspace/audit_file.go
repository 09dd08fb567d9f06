package workspace

import (
	"os"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/document"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// OpenAudit returns a writer that appends records of calls to the regular file at path, or nil if
// path is "". Only its owner can read the file. It refuses devices, also /dev/null.
func OpenAudit(path string) (executor.AuditFunc, func(), error) {
	if path == "" {
		return nil, func() {}, nil
	}
	f, err := document.OpenPrivate(path, os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return nil, nil, cli.Message("--audit cannot be opened: %v", err)
	}
	// Each record is written at once, and a failure was reported then.
	return executor.AuditJSON(f), func() { _ = f.Close() }, nil
}
