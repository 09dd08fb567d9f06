// Package poll notices changes of files by reading their metadata at intervals, which works on
// every file system.
package poll

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Watch calls read at once, and again after each change, until ctx ends. It notices a change when
// stamp returns another text than before. It calls stamp before the first call of read, so that it
// misses no change, and then once per interval. All calls are made on the caller's goroutine.
func Watch(ctx context.Context, interval time.Duration, stamp func() string, read func()) {
	last := stamp()
	read()
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
			read()
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
