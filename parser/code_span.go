package parser

import "bytes"

// longRun is the length of a run of backticks from which the run closes no other, in bytes (C9).
const longRun = 64

// ticks records the open runs of backticks on a line. The next run of the same length closes a run.
type ticks struct {
	open    uint64    // bit n: a run of n backticks is open
	order   [16]uint8 // lengths of the open runs, in the order of the line
	n       int8      // how many lengths order contains
	crowded bool      // a run does not fit into open or order: the line counts as code
	run     int       // length of the run being read
	escaped bool      // a backslash precedes that run: its first backtick opens nothing
	slash   bool      // the last byte read is a backslash that escapes the next byte
}

// read counts the backticks of b.
func (t *ticks) read(b []byte) {
	if t.run > 0 && len(b) > 0 && b[0] != '`' {
		t.end()
	}
	for {
		i := bytes.IndexByte(b, '`')
		if i < 0 {
			t.passed(b)
			return
		}
		t.passed(b[:i])
		b = b[i:]
		if t.run == 0 {
			t.escaped = t.slash
		}
		t.slash = false
		for len(b) > 0 && b[0] == '`' {
			t.run++
			b = b[1:]
		}
		if len(b) > 0 {
			t.end()
		}
	}
}

// passed records whether b, which contains no backtick, ends in a backslash that escapes the next
// byte.
func (t *ticks) passed(b []byte) {
	n := len(b) - len(bytes.TrimRight(b, `\`))
	escapesFirst := n == len(b) && t.slash // the backslash before b escapes the first one of b
	t.slash = (n%2 == 1) != escapesFirst
}

// end ends a run of backticks. A run that closes an open one also closes all runs that were opened
// after it.
func (t *ticks) end() {
	run := t.run
	t.run = 0
	if run >= longRun { // open has no bit for it
		t.crowded = true
		return
	}
	if t.open&(1<<run) == 0 {
		if t.escaped {
			run--
		}
		switch {
		case run == 0 || t.open&(1<<run) != 0: // no backtick remains, or a run of this length is open already
		case int(t.n) == len(t.order):
			t.crowded = true
		default:
			t.order[t.n] = uint8(run)
			t.n++
			t.open |= 1 << run
		}
		return
	}
	for {
		t.n--
		last := t.order[t.n]
		t.open &^= 1 << last
		if int(last) == run {
			return
		}
	}
}

// any reports whether a run is open, or t is crowded.
func (t *ticks) any() bool { return t.open != 0 || t.crowded }

// closedBy reports whether a run in b closes one that is open now, or whether t is crowded.
func (t *ticks) closedBy(b []byte) bool {
	if t.crowded {
		return true
	}
	for {
		i := bytes.IndexByte(b, '`')
		if i < 0 {
			return false
		}
		b = b[i:]
		run := runLen(b)
		if run < longRun && t.open&(1<<run) != 0 {
			return true
		}
		b = b[run:]
	}
}
