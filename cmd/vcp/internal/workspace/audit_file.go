package workspace

import (
	"os"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/document"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// OpenAudit returns a function that appends records of calls to the regular file at path, and one
// that closes the file. If path is "", the first function is nil. Only the owner of the file can
// read it. OpenAudit refuses devices, also /dev/null.
func OpenAudit(path string) (executor.AuditFunc, func(), error) {
	if path == "" {
		return nil, func() {}, nil
	}
	f, err := document.OpenPrivate(path, os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return nil, nil, cli.Message("--audit cannot be opened: %v", err)
	}
	// Close has no failure to report, because each record was written at once.
	return executor.AuditJSON(f), func() { _ = f.Close() }, nil
}
