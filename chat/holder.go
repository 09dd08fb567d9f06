package chat

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
)

// processName names this process as the holder of leases: its host, its number, and a text that no
// other process has, also none with the same number later.
var processName = sync.OnceValue(func() string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	return fmt.Sprintf("process %d on %.200s (%s)", os.Getpid(), strings.ToValidUTF8(strings.ReplaceAll(host, " ", "_"), "_"), rand.Text()[:8])
})

// isGone reports whether the holder of a lease is a process of this host that does not run any
// more. It returns false if it cannot tell.
func isGone(holder string) bool {
	var pid, ownPID int
	var host, ownHost string
	if _, err := fmt.Sscanf(holder, "process %d on %s", &pid, &host); err != nil {
		return false
	}
	if _, err := fmt.Sscanf(processName(), "process %d on %s", &ownPID, &ownHost); err != nil || host != ownHost {
		return false
	}
	if pid == ownPID {
		return holder != processName()
	}
	return processGone(pid)
}
