package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/executor"
)

// The id of a request is the number of the reply, a dot, an ordinal, and a suffix that no other
// session has. The model reads only what is before the mark.
const (
	idMark        = "-"
	suffixLetters = 12 // 60 random bits
)

// shortID returns the part of a request's id that the model reads. It is unique in what the model
// is shown.
func shortID(id string) string {
	short, _, _ := strings.Cut(id, idMark)
	return short
}

// MaxReplies is how many replies a session may begin in its life. After that Run and ProcessCycle
// fail with ErrMaxReplies.
const MaxReplies = 1 << 30

// ErrMaxReplies is the error of a session that has begun MaxReplies replies.
var ErrMaxReplies = fmt.Errorf("engine: the session has begun %d replies, the maximum; continue in a new session", MaxReplies)

// requestID returns the engine's id of a request in the reply with that number.
func requestID(number int, ordinal, suffix string) string {
	return strconv.Itoa(number) + "." + ordinal + suffix
}

// noticeOrdinal is the ordinal of a request that only a notice reports, by the index of the notice.
func noticeOrdinal(i int) string { return "n" + strconv.Itoa(i+1) }

// assignResultIDs gives each request the id of its result: the model's own label if it is unique,
// else the engine's id without its suffix.
func assignResultIDs(list []executor.Request) {
	labeled := false
	for i := range list {
		list[i].ReadID = shortID(list[i].ID)
		list[i].RequestID = list[i].ReadID
		labeled = labeled || list[i].Label != ""
	}
	if !labeled {
		return
	}
	taken := make(map[string]int, 2*len(list))
	for i := range list {
		taken[list[i].ReadID]++
		taken[list[i].Label]++
	}
	for i := range list {
		r := &list[i]
		if usableLabel(r.Label) && taken[r.Label] == 1 {
			r.RequestID = r.Label
		}
	}
}

// maxLabel limits a label that is repeated to the model, in bytes.
const maxLabel = 64

func usableLabel(label string) bool {
	return label != "" && len(label) <= maxLabel && strings.TrimSpace(label) == label && !strings.ContainsFunc(label, unicode.IsControl)
}
