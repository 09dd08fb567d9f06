package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/executor"
)

// The id of a request is the number of the reply, a dot, an ordinal, and a suffix, as in
// "3.1-k2m4q7xz3bna". The ordinal distinguishes the requests of the reply. The suffix begins with
// suffixMark and differs from that of every other session. The model reads only what is before the
// suffix.
const (
	suffixMark    = "-"
	suffixLetters = 12 // of the base32 alphabet, in lower case: 60 random bits
)

// shortID returns the part of a request's id that the model reads: the id without its suffix. No
// two requests of the model in one conversation have the same short ID. An id that the application
// chose has no suffix, and is returned as it is.
func shortID(id string) string {
	short, rest, _ := strings.Cut(id, suffixMark)
	suffix, _, _ := strings.Cut(rest, ".") // CallWithin adds a dot and a number to an id
	notBase32 := func(r rune) bool { return !('a' <= r && r <= 'z' || '2' <= r && r <= '7') }
	number, _, hasOrdinal := strings.Cut(short, ".")
	_, err := strconv.Atoi(number)
	if len(suffix) == suffixLetters && !strings.ContainsFunc(suffix, notBase32) && hasOrdinal && err == nil {
		return short
	}
	return id
}

// MaxReplies is how many replies a session may begin in its life. After that Run and ProcessCycle
// fail with ErrMaxReplies. No conversation is that long, and an int of 32 bits can count the
// replies.
const MaxReplies = 1 << 30

// ErrMaxReplies reports that a session has begun MaxReplies replies and can begin no more.
var ErrMaxReplies = fmt.Errorf(
	"engine: the session has begun %d replies, the maximum; continue in a new session", MaxReplies)

// requestID returns the engine's id of a request. number is the number of the reply in its session.
// suffix is that of the session and begins with suffixMark.
func requestID(number int, ordinal, suffix string) string {
	return strconv.Itoa(number) + "." + ordinal + suffix
}

// noticeOrdinal returns the ordinal of a request that the parser reports only in a notice. i is the
// index of the notice.
func noticeOrdinal(i int) string { return "n" + strconv.Itoa(i+1) }

// assignResultIDs sets ReadID and ResultID of each request. ReadID is the engine's id without its
// suffix. ResultID, which names the result for the model, is the model's own label if the label is
// unique and usable, else ReadID.
func assignResultIDs(list []executor.Request) {
	taken := map[string]int{}
	for i := range list {
		r := &list[i]
		r.ReadID = shortID(r.ID)
		r.ResultID = r.ReadID
		taken[r.ReadID]++
		taken[r.Label]++
	}
	for i := range list {
		r := &list[i]
		if usableLabel(r.Label) && taken[r.Label] == 1 {
			r.ResultID = r.Label
		}
	}
}

// maxLabel limits a label that is repeated to the model, in bytes.
const maxLabel = 64

// usableLabel reports whether a label of the model can name a result. It can if it is neither empty
// nor too long, contains no control characters, and has no white space at its ends.
func usableLabel(label string) bool {
	return label != "" && len(label) <= maxLabel && strings.TrimSpace(label) == label &&
		!strings.ContainsFunc(label, unicode.IsControl)
}
