package server

import (
	"sync"
	"time"

	"github.com/vcpgo/vcp/chat"
)

// room is the state of a conversation in this process: whether a turn runs, and the events for the
// web pages that watch the conversation. The messages are in the store.
type room struct {
	id  string
	log *eventLog

	turnMu    sync.Mutex // held while a turn begins, the branch changes, or the conversation is opened or deleted
	publishMu sync.Mutex // held by publish

	mu      sync.Mutex
	conv    *chat.Conversation // nil until it is first needed, and after forget
	running bool
	uses    int // requests and streams that use the room now
	lastUse time.Time
	// tip is the number of the last entry whose message was sent to the web pages. stable is the
	// Seq of an earlier message: messages up to that one do not change any more; 0 means that all
	// may change. seen is the number of the event that contains the messages up to tip.
	tip, stable, seen int64
}

// release ends the use of a room that Server.enter has returned.
func (rm *room) release() {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.uses--
	rm.lastUse = time.Now()
}

func (rm *room) isRunning() bool {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	return rm.running
}

func (rm *room) setRunning(running bool) {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.running, rm.lastUse = running, time.Now()
}

// openConversation returns the conversation if it is open in this process; nil otherwise.
func (rm *room) openConversation() *chat.Conversation {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	return rm.conv
}

// forget closes the conversation, so that its next use reads it from the store.
func (rm *room) forget() {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.conv = nil
}

// seenEvent returns the number of the event that contains the messages up to rm.tip, or of the last
// event that the log has dropped since.
func (rm *room) seenEvent() int64 {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	return rm.log.available(rm.seen)
}
