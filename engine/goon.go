package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// maxContinued is how often the model is asked to go on with one reply that was cut at the token limit in a request.
const maxContinued = 2

// A torn request is the one that a reply was cut in. A batch is several at one place.
type torn struct {
	requests []parser.Request
	cut      parser.Cut
	between  string // what stands between the last whole field and what was begun behind it
	begun    bool   // something was
}

// torn returns the request that the reply was cut in at the token limit; nil where there is none that could be gone on with.
func (d *reader) torn() *torn {
	if !d.finished || d.finish != protocol.FinishLength || d.madeUp {
		return nil
	}
	reading := d.run.settings.reading
	reading.Finish = d.finish
	reply, err := parser.ParseToolRequests(d.run.settings.protocol, string(d.raw), reading)
	if err != nil || len(reply.Requests) == 0 {
		return nil
	}
	// A request that has nothing whole to go on from is better written anew.
	q := &reply.Requests[len(reply.Requests)-1]
	if q.Status != protocol.StatusIncomplete || q.Cut == nil || q.Cut.At <= q.Span.Start {
		return nil
	}
	t := &torn{requests: standingAt(reply.Requests, q.Span.Start), cut: *q.Cut}
	rest := string(d.raw[q.Cut.At:])
	begun := strings.TrimLeft(rest, blanks+",")
	t.between = rest[:len(rest)-len(begun)]
	t.begun = startsField(strings.TrimLeft(begun, "*`'>-# ")) // its name may be decorated
	return t
}

// standingAt returns the requests of the block that begins there.
func standingAt(list []parser.Request, start int) []parser.Request {
	elsewhere := func(q parser.Request) bool { return q.Span.Start != start }
	i := slices.IndexFunc(list, func(q parser.Request) bool { return !elsewhere(q) })
	if i < 0 {
		return nil
	}
	list = list[i:]
	if n := slices.IndexFunc(list, elsewhere); n >= 0 {
		list = list[:n]
	}
	return list
}

// startsField reports whether a text may begin with the name of a field, bare or in quotation marks.
func startsField(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return c == '_' || c == '"' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// goOn has the model go on with the reply from the end of the last whole field, and reads both as one text. What has been told of the
// first part is not told again; the value that was begun is taken back.
func (d *reader) goOn(req ModelRequest, t *torn) error {
	r := d.run
	first := &t.requests[0]
	if d.ledger.takeBack(first.ID, t.cut.Argument) {
		r.emit(Event{Kind: EventArgumentVoided, RequestID: d.requestID(first.ID), Name: t.cut.Argument})
	}
	whole := string(d.raw[:t.cut.At])
	if err := d.begin(); err != nil {
		return err
	}
	d.finished, d.finish = false, protocol.FinishUnknown
	d.ledger.replay()
	d.feed(whole)

	req.Messages = append(slices.Clip(req.Messages),
		protocol.Message{Role: protocol.RoleAssistant, Content: whole},
		protocol.Message{Role: protocol.RoleUser, Content: phrase(r.language(), phraseGoOn)})
	d.joint = newJoint(whole, first.Span.Start, t.between)
	err := d.stream(req)
	d.feed(d.joint.end())
	return err
}

// join settles what became of a request that was written in parts: it may run only if its end was written, and with what it was cut
// in. Where the model has begun anew instead of going on, what it has written twice is left out.
func (r *run) join(turn *Turn, t *torn) {
	list := turn.Reply.Requests
	start := t.requests[0].Span.Start
	now := standingAt(list, start)
	at := 0
	for at < len(list) && list[at].Span.Start < start {
		at++
	}
	switch {
	case len(now) == 0, now[0].Status == protocol.StatusInvalid:
		turn.leaveOutRepeated(at, at+len(now))
	case now[0].Status == protocol.StatusReady:
		if now[0].Cut != nil || !r.mended(t, now) {
			for i := range now {
				now[i].Status = protocol.StatusIncomplete
			}
		}
	}
}

// mended reports whether a request that has been gone on with holds what it was cut in.
func (r *run) mended(t *torn, now []parser.Request) bool {
	lacked := t.cut.Argument
	bare := lacked
	if len(now) > 1 { // the arguments of a batch are numbered
		bare = strings.TrimRight(lacked, "0123456789")
	}
	takes := r.settings.reading.TakesArgument
	for i := range now {
		var was parser.Request
		if i < len(t.requests) {
			was = t.requests[i]
		}
		gained := func(name string) bool { return names(now[i].Arguments, name) && !names(was.Arguments, name) }
		command, label := now[i].Command != was.Command, now[i].Label != was.Label
		switch {
		case lacked == "":
			if !t.begun || command || label || now[i].ToolName != was.ToolName || len(now[i].Arguments) > len(was.Arguments) {
				return true
			}
		case gained(lacked), gained(bare):
			return true
		case command && strings.EqualFold(strings.TrimRight(lacked, "0123456789"), "command"):
			return true
		case label && !takes(now[i].ToolName, lacked):
			return true
		}
	}
	return false
}

func names(list []protocol.Argument, name string) bool {
	return slices.ContainsFunc(list, func(a protocol.Argument) bool { return a.Name == name })
}

// leaveOutRepeated is for a model that has begun anew behind the torn request at list[from:to]: of the requests before that, those are
// left out which it has written once more, and the torn one where it has written that as a whole.
func (t *Turn) leaveOutRepeated(from, to int) {
	list := t.Reply.Requests
	before, torn, after := list[:from:from], list[from:to], list[to:]
	kept := slices.Clone(before)
	rewritten := len(torn) > 0 && slices.ContainsFunc(after, func(q parser.Request) bool {
		return q.Status == protocol.StatusReady && q.ToolName == torn[0].ToolName && q.Command == torn[0].Command
	})
	if rewritten {
		t.anew = append(t.anew, torn[0].Span)
	} else {
		kept = append(kept, torn...)
	}
	for _, q := range after {
		same := func(b parser.Request) bool {
			return q.Status == protocol.StatusReady && b.Status == q.Status && b.ToolName == q.ToolName && b.Command == q.Command &&
				slices.Equal(b.Arguments, q.Arguments)
		}
		if i := slices.IndexFunc(before, same); i >= 0 {
			before = slices.Delete(slices.Clone(before), i, i+1) // each counts for one
			t.anew = append(t.anew, q.Span)
			continue
		}
		kept = append(kept, q)
	}
	t.Reply.Requests = kept
}
