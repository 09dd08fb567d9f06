package engine

import (
	"log/slog"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// requestsOf returns the requests of a reply: those that may run, and unreadable or incomplete
// ones, whose Err is set. id returns the engine's id of the request with the given ordinal. v is
// the view of the session.
func (s *settings) requestsOf(v *view, reply *parser.Reply, id func(ordinal string) string) []executor.Request {
	var list []executor.Request
	for i := range reply.Requests {
		q := &reply.Requests[i]
		if isQuoted(q) {
			continue
		}
		req := executor.Request{ID: id(q.ID), ToolRequest: q.ToolRequest}
		if q.Status != parser.StatusReady {
			req.Err = s.requestError(v, q)
		}
		list = append(list, req)
	}
	for i, n := range reply.Notices {
		if n.Code == parser.NoticeMalformedRequest {
			list = append(list, executor.Request{
				ID:  id(noticeOrdinal(i)),
				Err: &scan.RequestError{Code: scan.CodeNoFields, Message: phraseOutsideBlock.in(s.language())},
			})
		}
	}
	assignResultIDs(list)
	return list
}

// isQuoted reports whether a request does not run because of its place, such as code or reasoning.
func isQuoted(q *parser.Request) bool {
	return q.Status == parser.StatusQuoted || q.Status == parser.StatusReasoning
}

// requestError returns the error of a request that cannot run. If the protocol knows where in the
// request the error is, the message says so. The error repeats nothing of a request that may
// contain a secret argument.
func (s *settings) requestError(v *view, q *parser.Request) *scan.RequestError {
	e := s.placedError(q)
	if m := newMasker(v, s.protocol); m.active() && !m.lacksSecrets(&q.ToolRequest) {
		message := e.Message
		// The message may quote a part of the request with its white space collapsed.
		written := []string{q.RawBlock, strings.Join(strings.Fields(q.RawBlock), " ")}
		if secrets.Cover(written, &message); message != e.Message {
			e = &scan.RequestError{Code: e.Code, Message: message}
		}
	}
	return e
}

// placedError returns the error of a request with the place of the error, if the protocol knows it.
func (s *settings) placedError(q *parser.Request) *scan.RequestError {
	if q.Err == nil {
		return &scan.RequestError{Code: scan.CodeUnclosedBlock, Message: phraseReplyEnded.in(s.language())}
	}
	e := s.inLanguage(q.Err)
	diagnoser, ok := s.protocol.(protocol.Diagnoser)
	if !ok || len(q.RawBlock) > maxDiagnosed {
		return e
	}
	if place := diagnoser.Diagnose(e.Code, q.RawBlock, s.discovery.Prompt); place != "" {
		e = &scan.RequestError{Code: e.Code, Message: joinSentences(s.language(), place, text.Sentence(e.Message))}
	}
	return e
}

// maxDiagnosed limits the length of a request in which the place of the error is searched for, in
// bytes.
const maxDiagnosed = 64 << 10

// inLanguage returns the error of a request in the language of the prompt. In English that is the
// parser's own error, whose message may name the field.
func (s *settings) inLanguage(e *scan.RequestError) *scan.RequestError {
	switch {
	case s.language() != "zh":
		return e
	case e.Code == scan.CodeTruncated:
		return errTruncated(s.language())
	case e.Code == scan.CodeBadArguments:
		return &scan.RequestError{Code: e.Code, Message: phraseBadArguments.in(s.language())}
	}
	return &scan.RequestError{Code: e.Code, Message: s.protocol.ErrorMessage(e.Code, s.discovery.Prompt)}
}

// errTruncated returns the error of a request that is whole, but in a reply that is not complete.
func errTruncated(language string) *scan.RequestError {
	return &scan.RequestError{Code: scan.CodeTruncated, Message: phraseTruncated.in(language)}
}

// markIncomplete marks the requests that could run as incomplete, with the error err. A nil err
// means that the reply was truncated in the request itself.
func markIncomplete(list []parser.Request, err *scan.RequestError) {
	for i := range list {
		if list[i].Status == parser.StatusReady {
			list[i].Status, list[i].Err = parser.StatusIncomplete, err
		}
	}
}

// settleReply marks all requests that could run as incomplete if the reply is not complete.
func settleReply(reply *parser.Reply, language string) {
	if !reply.Finish.Complete() {
		markIncomplete(reply.Requests, errTruncated(language))
	}
}

// readRequests returns the requests in a text that is not a reply. It returns none if the protocol
// fails.
func readRequests(p protocol.Protocol, text string) (list []protocol.ToolRequest) {
	reply, err := parser.ParseToolRequests(p, text, parser.Options{
		Tolerance: scan.Safe, Finish: protocol.FinishStop, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil
	}
	for _, q := range reply.Ready() {
		list = append(list, q.ToolRequest)
	}
	return list
}
