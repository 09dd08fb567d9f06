// Package provenance finds out where the words of a call came from. A Memory keeps the foreign text
// that a model has read, such as results of tools. It also keeps the words of the user and of the
// application. It reports whether foreign text contains a request of the model, and which values of
// a call only foreign text contains.
//
// Foreign text contains a request in any of three cases:
//
//   - The text contains a request for the same method with the same arguments, or with one equal
//     value that is longer than a few bytes. The text is read with the tolerance scan.Greedy, in
//     each protocol of the session and in the forms that models are trained on. It is read with and
//     without escapes and invisible characters. If a request begins in one text and ends in the
//     next, the two count as one text.
//   - The text contains 80 % of the shingles (strings of 16 bytes) of one argument. The text itself,
//     or the text before or after it, names the method. The other arguments may be anything. Values
//     of fewer than 16 bytes have no shingles. Values alone prove nothing, because a model may pass on
//     what it has read. A name within a value proves nothing either.
//   - The text names the method, and contains 80 % of the shingles of the request as one of the
//     protocols writes it.
//
// Memory and work are limited: see MaxForeign. The work grows with the length of the texts and of
// the requests.
package provenance

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/protocol"
)

const (
	// MaxForeign limits the foreign text that a Memory keeps, in bytes. The oldest text is removed
	// first. A text that is longer than the limit loses its beginning. The index of the text takes
	// up to six times as much memory in addition.
	MaxForeign = 1 << 20
	// MaxTrusted limits the words of the user and of the application that are kept, in bytes. The
	// oldest are removed first.
	MaxTrusted = 256 << 10

	// maxPairs limits the remembered pairs of consecutive texts. If there are more, the memory
	// forgets all pairs, and may examine some again.
	maxPairs = 16 << 10

	// minPage and maxPage are the least and the largest capacity of a page, in bytes. Each new page
	// has twice the capacity of the page before it, so that a short conversation needs little
	// memory.
	minPage = 1 << 10
	maxPage = 64 << 10
)

// Options set up a Memory.
type Options struct {
	// Protocols read requests in foreign text.
	Protocols []protocol.Protocol
	// Identify returns a text that is the same for requests that mean the same call; ok is false
	// for a request that means no call. It is called while the Memory is locked.
	Identify func(protocol.ToolRequest) (id string, ok bool)
	// Resolve returns a request as it is run. The tool's name is the full name of the method, and a
	// command that does not name the method is among the arguments. ok is false for a request that
	// names no method. Resolve is called while the Memory is locked; nil means that requests are
	// compared as they are written.
	Resolve func(protocol.ToolRequest) (resolved protocol.ToolRequest, ok bool)
	// Calls returns the full names of the methods that the method fullName may call, for example if
	// it runs scripts. If both a request and a foreign text contain one of these names, the text
	// counts as naming the method of the request. It is called while the Memory is locked; nil
	// means that no method calls others.
	Calls func(fullName string) []string
}

// resolve returns a request as it is run if it names a method. Otherwise it returns the request as
// it is written, and ok is false.
func (o *Options) resolve(req protocol.ToolRequest) (resolved protocol.ToolRequest, ok bool) {
	if o.Resolve != nil {
		if resolved, ok = o.Resolve(req); ok {
			return resolved, true
		}
	}
	return req, false
}

// Memory keeps what the model of one session has read, within limits. It is safe for concurrent
// use.
type Memory struct {
	options Options

	mu       sync.Mutex
	seed     maphash.Seed
	foreign  []*page         // oldest first
	bytes    int             // of the parts on all pages
	known    map[uint64]bool // hashes of the texts that are remembered
	pairs    map[uint64]bool // hashes of consecutive texts: foreignText.pair
	lastHash uint64          // of the newest text
	// waiting are foreign texts that no page contains yet. They are read when a call is checked, so
	// that a conversation without calls costs no work.
	waiting      []foreignText
	waitingBytes int
	tail         string // the last maxJoin bytes of the texts on pages
	foldedTail   []byte // the last bytes of these texts, folded; at most reach
	lastText     int    // the number of the last text on a page
	names        knownNames
	name         []byte // a buffer for a folded name

	trusted      []string // oldest first
	trustedBytes int
	live         *page  // the index of liveWords; nil if there are none
	liveWords    string // what the user wrote in this turn, as text
	liveFolded   []byte // liveWords in folded form
	liveSpaced   []byte // liveWords as foldWords returns them; nil until they are needed
	folded       []byte // a buffer for folded text
}

// foreignText is a foreign text that waits. It has only a part of the text if the rest is known.
type foreignText struct {
	source protocol.Source
	text   string
	calls  []protocol.ToolRequest // that came with the text as data; see AddForeign
	hash   uint64
	// pair is the hash of the text and the one before it. isNewPair reports that the memory did not
	// remember the pair, and isKnown that it remembered the text itself.
	pair               uint64
	isNewPair, isKnown bool
}

// A part is a foreign text, or a section of it, on one page. A text longer than a page has several
// parts.
type part struct {
	source protocol.Source
	folded []byte
	text   int    // the number of the text; the next text has the next number
	hash   uint64 // of the text
}

// A page contains consecutive foreign texts, and an index of the shingles and requests in them. A
// page is removed as a whole.
type page struct {
	parts    []part
	bytes    int // of all parts, with textOverhead for each
	capacity int // the limit of bytes
	shingles filter
	requests keySet // a request belongs to the last part of its text
}

func newPage(capacity int) *page { return &page{capacity: capacity, shingles: newFilter(capacity)} }

// New returns an empty Memory.
func New(o Options) *Memory {
	return &Memory{
		options: o, seed: maphash.MakeSeed(), known: map[uint64]bool{}, pairs: map[uint64]bool{},
	}
}

// AddForeign remembers a foreign text, and calls that came with it as data, such as the native
// calls of a foreign message. A text that is remembered already is not added again. Only requests
// that begin in the text before it, or end in the text after it, are added.
func (m *Memory) AddForeign(source protocol.Source, words string, calls ...protocol.ToolRequest) {
	if words == "" && len(calls) == 0 {
		return
	}
	if len(words) > MaxForeign {
		words = words[len(words)-MaxForeign:]
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	t := foreignText{source: source, text: words, calls: calls, hash: m.hashOf(words, calls)}
	t.pair = maphash.Comparable(m.seed, [2]uint64{m.lastHash, t.hash})
	t.isKnown, t.isNewPair, m.lastHash = m.known[t.hash], !m.pairs[t.pair], t.hash
	if len(m.pairs) == maxPairs {
		clear(m.pairs)
	}
	m.known[t.hash], m.pairs[t.pair] = true, true
	if t.isKnown && m.keepEnds(&t) {
		return
	}
	m.waiting = append(m.waiting, t)
	m.waitingBytes += size(t.text)
	for m.waitingBytes > MaxForeign && len(m.waiting) > 1 {
		old := &m.waiting[0]
		m.waitingBytes -= size(old.text)
		if !old.isKnown {
			delete(m.known, old.hash)
		}
		if old.isNewPair {
			delete(m.pairs, old.pair)
		}
		m.waiting = m.waiting[1:]
	}
}

// keepEnds shortens a known text to its ends, because a request may begin in the text before it or
// end in the text after it. If the pair is known, too, only the end of t is needed. keepEnds then
// tries to append this end to m.tail or to the last waiting text, and reports whether it did, so
// that t need not wait.
func (m *Memory) keepEnds(t *foreignText) (done bool) {
	n := len(m.waiting)
	switch {
	case t.isNewPair:
		if len(t.text) > 2*maxJoin {
			t.text = t.text[:maxJoin] + t.text[len(t.text)-maxJoin:]
		}
		return false
	case n == 0:
		m.tail = lastBytes(m.tail, t.text)
		return true
	}
	last := &m.waiting[n-1]
	if !last.isKnown || last.isNewPair { // last is more than the end of a text, so it must not change
		t.text = lastBytes("", t.text)
		return false
	}
	m.waitingBytes -= size(last.text)
	last.text = lastBytes(last.text, t.text)
	m.waitingBytes += size(last.text)
	return true
}

// textOverhead is added to the length of each text, in bytes, for its entries in a list and a map.
const textOverhead = 128

// size returns what a text counts towards the limits, in bytes.
func size(words string) int { return len(words) + textOverhead }

// hashOf returns the hash of a text and of the calls that came with it.
func (m *Memory) hashOf(words string, calls []protocol.ToolRequest) uint64 {
	var h maphash.Hash
	h.SetSeed(m.seed)
	_, _ = h.WriteString(words)
	for i := range calls {
		_, _ = h.WriteString("\x00" + canonicalRequest(&calls[i]))
	}
	return h.Sum64()
}

// AddTrusted remembers words of the user or of the application.
func (m *Memory) AddTrusted(words string) {
	if words == "" {
		return
	}
	words = words[max(0, len(words)-MaxTrusted):]
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.Contains(m.trusted, words) {
		return
	}
	m.trusted = append(m.trusted, words)
	m.trustedBytes += size(words)
	for m.trustedBytes > MaxTrusted+textOverhead { // one text of MaxTrusted bytes is kept
		m.trustedBytes -= size(m.trusted[0])
		m.trusted = m.trusted[1:]
	}
}

// SetLive sets what the user wrote in this turn, and keeps the last MaxForeign bytes of it. Copied
// does not report requests that these words contain, even if foreign text contains them too.
func (m *Memory) SetLive(words string) {
	words = words[max(0, len(words)-MaxForeign):]
	m.mu.Lock()
	defer m.mu.Unlock()
	if words == m.liveWords {
		return
	}
	m.live, m.liveWords, m.liveFolded, m.liveSpaced = nil, words, nil, nil
	if words != "" {
		m.live = &page{capacity: max(minPage, len(words))}
	}
}

// shinglesOf returns the hashes of all shingles of a text.
func (m *Memory) shinglesOf(text string) []uint64 {
	folded := fold(m.folded[:0], text)
	m.folded = folded[:0]
	list := make([]uint64, 0, max(0, len(folded)-shingleBytes+1))
	shingles(folded, func(h uint64) { list = append(list, h) })
	return list
}
