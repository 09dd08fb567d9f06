package executor

import "sync"

// A gate lets callers through to what only a few may use at once. Before each key they stand in line in the order in which they
// came, and whoever wants several keys stands in all of those lines and gets all at once: who holds some never waits for others, so
// nobody waits in a circle. The zero value is ready for use.
type gate struct {
	mu    sync.Mutex
	lines map[any]*line
}

// A line is what a gate knows of one key.
type line struct {
	limit   int
	held    int
	lost    int // held by tickets that are given up, and may never come back
	waiting []*ticket
}

// A claim is a place at one key, which gives out limit places.
type claim struct {
	key   any
	limit int
}

// A ticket is the way of one caller through a gate.
type ticket struct {
	gate   *gate
	claims []claim
	state  ticketState
	ready  func(through bool)
}

type ticketState uint8

const (
	ticketWaiting ticketState = iota
	ticketHeld
	ticketLost
	ticketOver
)

// enter asks for all claims, whose keys differ. Where they are free, the ticket holds them at once. Else ready is called one time
// when it does, or with false when it never will: all places of a key are lost, which enter says by returning nil where it is so
// already. ready is called on the goroutine of whoever made room, and must not wait.
func (g *gate) enter(claims []claim, ready func(through bool)) (t *ticket, through bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lines == nil {
		g.lines = map[any]*line{}
	}
	for _, c := range claims {
		if l := g.lines[c.key]; l != nil && l.lost >= c.limit {
			return nil, false
		}
	}
	t = &ticket{gate: g, claims: claims, ready: ready}
	for _, c := range claims {
		l := g.lines[c.key]
		if l == nil {
			l = &line{}
			g.lines[c.key] = l
		}
		l.limit = c.limit // the newest word on it
		l.waiting = append(l.waiting, t)
	}
	if g.free(t) {
		g.take(t)
		return t, true
	}
	return t, false
}

// leave gives up what the ticket holds or waits for. Leaving twice is leaving once.
func (t *ticket) leave() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	for _, c := range t.claims {
		switch l := g.lines[c.key]; t.state {
		case ticketHeld:
			l.held--
		case ticketLost:
			l.held--
			l.lost--
		}
	}
	was := t.state
	t.state = ticketOver
	var next []*ticket
	if was != ticketOver {
		next = g.pass(t.claims)
	}
	g.mu.Unlock()
	for _, n := range next {
		n.ready(true)
	}
}

// lose marks what a ticket holds as lost until it leaves. Who waits where all places are lost is turned away.
func (t *ticket) lose() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	var away []*ticket
	if t.state == ticketHeld {
		t.state = ticketLost
		for _, c := range t.claims {
			l := g.lines[c.key]
			if l.lost++; l.lost >= l.limit {
				away = append(away, l.turnAway()...)
			}
		}
	}
	var next []*ticket
	for _, a := range away { // they may have stood in the way in other lines
		next = append(next, g.pass(a.claims)...)
	}
	g.mu.Unlock()
	for _, a := range away {
		a.ready(false)
	}
	for _, n := range next {
		n.ready(true)
	}
}

func (l *line) turnAway() (away []*ticket) {
	for _, t := range l.waiting {
		if t.state == ticketWaiting {
			t.state = ticketOver
			away = append(away, t)
		}
	}
	l.waiting = nil
	return away
}

// head returns the first that waits.
func (l *line) head() *ticket {
	for len(l.waiting) > 0 {
		if t := l.waiting[0]; t.state == ticketWaiting {
			return t
		}
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
	}
	return nil
}

// free reports whether a ticket is the first in all of its lines and there is room at each.
func (g *gate) free(t *ticket) bool {
	for _, c := range t.claims {
		if l := g.lines[c.key]; l.held >= l.limit || l.head() != t {
			return false
		}
	}
	return true
}

func (g *gate) take(t *ticket) {
	t.state = ticketHeld
	for _, c := range t.claims {
		l := g.lines[c.key]
		l.held++
		l.head() // takes t out
	}
}

// pass lets through whoever can go now that something has changed at the keys of claims.
func (g *gate) pass(claims []claim) (through []*ticket) {
	for work := claims; len(work) > 0; {
		key := work[0].key
		work = work[1:]
		l := g.lines[key]
		if l == nil {
			continue
		}
		for t := l.head(); t != nil && g.free(t); t = l.head() {
			g.take(t)
			through = append(through, t)
			if len(t.claims) > 1 { // others have come to the front of its other lines
				work = append(work[:len(work):len(work)], t.claims...)
			}
		}
		if l.held == 0 && l.head() == nil {
			delete(g.lines, key)
		}
	}
	return through
}
