package engine

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// maxContinued is how often the model is asked to go on with one reply that was cut at the token limit in a request.
const maxContinued = 2

// torn returns the request that the reply was cut in at the token limit; nil where there is none that could be gone on with.
func (d *reader) torn() *parser.Request {
	if !d.finished || d.finish != protocol.FinishLength || d.madeUp {
		return nil
	}
	reading := d.run.settings.reading
	reading.Finish = d.finish
	reply, err := parser.ParseToolRequests(d.run.settings.protocol, string(d.raw), reading)
	if err != nil || len(reply.Requests) == 0 {
		return nil
	}
	// A request that has nothing whole to go on from, at the very start of the reply, is better written anew.
	if q := &reply.Requests[len(reply.Requests)-1]; q.Status == protocol.StatusIncomplete && q.Cut != nil && q.Cut.At > 0 {
		return q
	}
	return nil
}

// goOn has the model go on with the reply from the end of the last whole field, and reads both as one text. What has been told of the
// first part is not told again; the value that was begun is taken back.
func (d *reader) goOn(req ModelRequest, torn *parser.Request) error {
	r := d.run
	if d.ledger.takeBack(torn.ID, torn.Cut.Argument) {
		r.emit(Event{Kind: EventArgumentVoided, RequestID: d.requestID(torn.ID), Name: torn.Cut.Argument})
	}
	whole := string(d.raw[:torn.Cut.At])
	if err := d.begin(); err != nil {
		return err
	}
	d.finished, d.finish = false, protocol.FinishUnknown
	d.ledger.replay()
	d.feed(whole)

	req.Messages = append(slices.Clip(req.Messages),
		protocol.Message{Role: protocol.RoleAssistant, Content: whole},
		protocol.Message{Role: protocol.RoleUser, Content: phrase(r.language(), phraseGoOn)})
	d.joint = newJoint(whole[min(torn.Span.Start, len(whole)):])
	err := d.stream(req)
	if held := d.joint.end(); held != "" {
		d.feed(held)
	}
	return err
}

// join settles what became of a request that was written in parts: it may run only if its end was written, and with the argument
// that it was cut in. One that the model has written anew, as a whole, instead of going on, is left out.
func (t *Turn) join(torn *parser.Request) {
	list := t.Reply.Requests
	i := slices.IndexFunc(list, func(q parser.Request) bool { return q.Span.Start == torn.Span.Start })
	if i < 0 {
		return
	}
	q := &list[i]
	switch q.Status {
	case protocol.StatusReady:
		if lacks := torn.Cut.Argument; q.Cut != nil || lacks != "" && !names(q.Arguments, lacks) {
			q.Status = protocol.StatusIncomplete
		}
	case protocol.StatusInvalid:
		for _, later := range list[i+1:] {
			if later.Status == protocol.StatusReady && later.ToolName == q.ToolName && later.Command == q.Command {
				t.anew = append(t.anew, q.Span)
				t.Reply.Requests = slices.Delete(list, i, i+1)
				return
			}
		}
	default:
	}
}

func names(list []protocol.Argument, name string) bool {
	return slices.ContainsFunc(list, func(a protocol.Argument) bool { return a.Name == name })
}

// A ledger knows what has been told of a reply, so that it is not told again where the beginning of the reply is read once more: the
// events of a text do not depend on how it is cut, but for where adjacent pieces of one kind part.
type ledger struct {
	keeps   bool
	entries []entry
	at      int // entries before it have been read again
	again   int // bytes of entries[at] that have been read again
}

type entry struct {
	kind          parser.EventKind
	request, name string
	bytes         int
}

// enter takes an event, whose Name as text is name, and reports whether it is to be told. Of its Data only what has not been told is left.
func (l *ledger) enter(e *parser.Event, name string) bool {
	if !l.keeps {
		return true
	}
	for l.at < len(l.entries) {
		old := &l.entries[l.at]
		if !old.joins(e) {
			if l.again < old.bytes || old.bytes == 0 {
				l.at = len(l.entries) // not the text of before
				break
			}
			l.at, l.again = l.at+1, 0
			continue
		}
		if len(e.Data) == 0 {
			l.at++
			return false
		}
		n := min(len(e.Data), old.bytes-l.again)
		l.again += n
		if e.Data = e.Data[n:]; len(e.Data) == 0 {
			return false
		}
		l.at = len(l.entries)
	}
	if n := len(l.entries); n > 0 && len(e.Data) > 0 && l.entries[n-1].joins(e) {
		l.entries[n-1].bytes += len(e.Data)
	} else {
		l.entries = append(l.entries, entry{e.Kind, e.Request, name, len(e.Data)})
	}
	l.at = len(l.entries)
	return true
}

// joins reports whether the event is of the same kind and about the same thing.
func (t *entry) joins(e *parser.Event) bool {
	return t.kind == e.Kind && t.request == e.Request && t.name == string(e.Name)
}

// replay begins to read the text again.
func (l *ledger) replay() { l.at, l.again = 0, 0 }

// takeBack forgets the pieces of an argument where they are the last that was told.
func (l *ledger) takeBack(request, name string) bool {
	n := len(l.entries)
	if n == 0 || name == "" {
		return false
	}
	if last := &l.entries[n-1]; last.kind != parser.EventArgumentDelta || last.request != request || last.name != name {
		return false
	}
	l.entries = l.entries[:n-1]
	return true
}

// A joint is where a model goes on with a request. Some models repeat a part of what they have written: where the new text begins with
// the end of the old one, from the start of one of its lines, that is left out.
type joint struct {
	lines []string // what it may repeat, the longest first
	held  strings.Builder
}

// maxRepeated bounds what a model is believed to repeat, in bytes, so that the search for it stays cheap.
const maxRepeated = 16 << 10

func newJoint(written string) joint {
	var j joint
	written = strings.TrimRight(written, " \t\r\n")
	for rest := written; rest != ""; {
		if len(rest) <= maxRepeated {
			j.lines = append(j.lines, rest)
		}
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return j
}

// join takes a piece of the new text and returns what is to be read, as soon as that is known.
func (j *joint) join(text string) string {
	if len(j.lines) == 0 {
		return text
	}
	j.held.WriteString(text)
	held := strings.TrimLeft(j.held.String(), " \t\r\n")
	for _, line := range j.lines {
		switch {
		case strings.HasPrefix(held, line):
			j.lines = nil
			return held[len(line):]
		case strings.HasPrefix(line, held):
			return ""
		}
	}
	j.lines = nil
	return j.held.String()
}

// end returns what is still held when the model has ended.
func (j *joint) end() string {
	if len(j.lines) == 0 {
		return ""
	}
	j.lines = nil
	return j.held.String()
}
