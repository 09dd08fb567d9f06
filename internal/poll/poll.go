// Package poll notices changes of files by reading their metadata at intervals, which works on
// every file system.
package poll

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Changes calls stamp once per interval, and changed whenever stamp returns another text than the
// last one, until ctx ends. last is the stamp that was taken before the files were first read, so
// that no change is missed. All calls are made on the caller's goroutine.
func Changes(ctx context.Context, interval time.Duration, last string, stamp func() string, changed func()) {
	t := time.NewTicker(interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if now := stamp(); now != last {
			last = now
			changed()
		}
	}
}

// Stamp returns a text that changes when a file does: its mode, size and modification time, or the
// error of os.Stat.
func Stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
}
