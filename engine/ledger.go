package engine

import "github.com/vcpgo/vcp/parser"

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
		l.entries = append(l.entries, entry{e.Kind, e.RequestID, name, len(e.Data)})
	}
	l.at = len(l.entries)
	return true
}

// joins reports whether the event is of the same kind and about the same thing.
func (t *entry) joins(e *parser.Event) bool {
	return t.kind == e.Kind && t.request == e.RequestID && t.name == string(e.Name)
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
