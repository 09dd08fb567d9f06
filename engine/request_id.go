package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
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

// requestsOf returns what the reply with that number requests: requests that may run, and
// unreadable ones that get an error as their result. The suffix is that of the session.
func requestsOf(reply *parser.Reply, number int, suffix string, p protocol.Protocol, o protocol.PromptOptions) []executor.Request {
	var list []executor.Request
	for _, q := range reply.Requests {
		req := executor.Request{ID: requestID(number, q.ID, suffix), ToolRequest: q.ToolRequest}
		switch q.Status {
		case parser.StatusReady:
		case parser.StatusInvalid, parser.StatusIncomplete:
			if req.Err = diagnosed(&q, p, o); req.Err == nil {
				req.Err = &scan.RequestError{Code: scan.CodeUnclosedBlock, Message: "The reply ended within the request."}
			}
		default:
			continue
		}
		list = append(list, req)
	}
	for i, n := range reply.Notices {
		if n.Code == parser.NoticeMalformedRequest {
			list = append(list, executor.Request{
				ID: requestID(number, noticeOrdinal(i), suffix), Err: &scan.RequestError{Code: scan.CodeNoFields, Message: n.Message},
			})
		}
	}
	assignResultIDs(list)
	return list
}

// diagnosed returns the error of a request, with its place if the protocol knows it.
func diagnosed(q *parser.Request, p protocol.Protocol, o protocol.PromptOptions) *scan.RequestError {
	diagnoser, ok := p.(protocol.Diagnoser)
	if !ok || q.Err == nil || len(q.RawBlock) > maxDiagnosed {
		return q.Err
	}
	place := diagnoser.Diagnose(q.Err.Code, q.RawBlock, o)
	if place == "" {
		return q.Err
	}
	return &scan.RequestError{Code: q.Err.Code, Message: joinSentences(o.Language, place, q.Err.Message)}
}

// maxDiagnosed limits a request that is examined once more, in bytes.
const maxDiagnosed = 64 << 10

// noticeOrdinal is the ordinal of a request that only a notice reports, by the index of the notice.
func noticeOrdinal(i int) string { return "n" + strconv.Itoa(i+1) }

// errTruncated returns the error of a whole request in a reply that is not complete.
func errTruncated() *scan.RequestError {
	return &scan.RequestError{
		Code: scan.CodeTruncated, Message: "The reply was truncated and was not completed.",
	}
}

// assignResultIDs gives each request the id of its result: the model's own label if it is unique,
// else the engine's id without its suffix.
func assignResultIDs(list []executor.Request) {
	labelled := false
	for i := range list {
		list[i].ReadID = shortID(list[i].ID)
		list[i].RequestID = list[i].ReadID
		labelled = labelled || list[i].Label != ""
	}
	if !labelled {
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
