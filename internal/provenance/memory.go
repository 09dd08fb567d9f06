// Package provenance finds out where the words of a call came from. A Memory keeps the foreign text
// that a model has read, and the words of the user and of the application. It tells whether a
// request of the model occurs in foreign text, and which values of a call occur only there.
//
// A request occurs in foreign text in any of three cases:
//
//   - The text contains a request for the same method with the same arguments, or with one equal
//     value that is not too common. The text is read at level greedy, in each protocol of the
//     session and in the forms that models are trained on. It is read with and without escapes and
//     invisible characters. Two texts in a row that contain one half of a request each count as one
//     text.
//   - The text contains 80 % of the shingles of an argument, whatever the other arguments are, and
//     it or the text before or after it names the method. Values of fewer than 16 bytes have no
//     shingles. Values alone prove nothing, because a model may pass on what it has read. Neither
//     does a name within a value.
//   - The text names the method, and contains 80 % of the shingles of the request as one of the
//     protocols writes it.
//
// Memory and work are limited: see MaxForeign. The work grows with the length of the texts and of
// the requests.
package provenance

import (
	"hash/maphash"
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

	// maxPairs limits the pairs of texts that are known to be in a row. If there are more, some are
	// read again.
	maxPairs = 16 << 10

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
	// Resolve returns a request as it is run: with the full name of its method, and all values in
	// its arguments. ok is false for a request that names no method. nil means that requests are
	// taken as they are written.
	Resolve func(protocol.ToolRequest) (resolved protocol.ToolRequest, ok bool)
	// Calls returns the full names of the methods that the method of a full name may call, such as
	// one that runs scripts. Such a name in a request and in a foreign text counts as the name of
	// the method. It is called while the Memory is locked; nil means that no method calls others.
	Calls func(fullName string) []string
}

// resolve returns a request as it is run if it names a method, and otherwise as it is written.
func (o *Options) resolve(req protocol.ToolRequest) (resolved protocol.ToolRequest, ok bool) {
	if o.Resolve != nil {
		if resolved, ok = o.Resolve(req); ok {
			return resolved, true
		}
	}
	return req, false
}

// Memory is what one session remembers. It is safe for concurrent use.
type Memory struct {
	options Options

	mu       sync.Mutex
	seed     maphash.Seed
	foreign  []*page // oldest first
	bytes    int     // of the foreign texts
	known    map[uint64]bool
	pairs    map[uint64]bool // of texts that were in a row
	lastHash uint64          // of the newest text
	// waiting are foreign texts that no page contains yet. They are read when a call is checked, so
	// that a conversation without calls costs no work.
	waiting      []foreignText
	waitingBytes int
	tail         string // the last maxJoin bytes of the texts on pages
	foldedTail   []byte // the last bytes of these texts, folded: up to reach
	lastText     int    // the number of the last text on a page
	names        knownNames
	name         []byte // a buffer for a folded name

	trusted      []string // oldest first
	trustedBytes int
	trustedKnown map[uint64]bool
	live         *page // what the user wrote in this turn; nil if that is not known
	liveWords    string
	liveHash     uint64
	liveFolded   []byte
	liveSpaced   []byte // liveWords as foldWords returns them; nil until they are needed
	folded       []byte // a buffer for folded text
}

// foreignText is a text, or a part of a long one.
type foreignText struct {
	source protocol.Source
	text   string
	calls  []protocol.ToolRequest // that the text contains as data
	hash   uint64
	// pair is the hash of the text and the one before it, and isNewPair tells whether they were not
	// in a row before. isKnown tells that the text itself was read before.
	pair               uint64
	isNewPair, isKnown bool
}

// A part of a foreign text is what a page keeps of it. A text longer than a page has several parts.
type part struct {
	source protocol.Source
	folded []byte
	text   int    // the number of the text; the next text has the next number
	hash   uint64 // of the text
}

// A page contains foreign texts in a row, and an index of the shingles and requests in them. All of
// a page is removed at once.
type page struct {
	parts    []part
	bytes    int
	capacity int
	shingles filter
	requests keySet // a request counts for the last part of its text
}

func newPage(capacity int) *page { return &page{capacity: capacity, shingles: newFilter(capacity)} }

// New returns an empty Memory.
func New(o Options) *Memory {
	return &Memory{options: o, seed: maphash.MakeSeed(), known: map[uint64]bool{}, pairs: map[uint64]bool{}, trustedKnown: map[uint64]bool{}}
}

// AddForeign remembers a foreign text, and the calls that it contains as data. A text that is
// remembered already is not added again, but a request may begin in the text before it.
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

// keepEnds keeps of a known text what a request with the text before or after it may contain. It
// reports whether nothing else is to be done.
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
	if !last.isKnown || last.isNewPair {
		t.text = lastBytes("", t.text)
		return false
	}
	m.waitingBytes -= size(last.text)
	last.text = lastBytes(last.text, t.text)
	m.waitingBytes += size(last.text)
	return true
}

// textOverhead is how many bytes a text counts in addition to its own, for its entries in a list
// and in a map.
const textOverhead = 128

func size(words string) int { return len(words) + textOverhead }

func (m *Memory) hashOf(words string, calls []protocol.ToolRequest) uint64 {
	if len(calls) == 0 {
		return maphash.String(m.seed, words)
	}
	var h maphash.Hash
	h.SetSeed(m.seed)
	_, _ = h.WriteString(words)
	for i := range calls {
		_, _ = h.WriteString("\x00" + spelling(&calls[i]))
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
	h := maphash.String(m.seed, words)
	if m.trustedKnown[h] {
		return
	}
	m.trustedKnown[h] = true
	m.trusted = append(m.trusted, words)
	m.trustedBytes += size(words)
	for m.trustedBytes > MaxTrusted+textOverhead {
		old := m.trusted[0]
		m.trusted = m.trusted[1:]
		m.trustedBytes -= size(old)
		delete(m.trustedKnown, maphash.String(m.seed, old))
	}
}

// SetLive sets what the user wrote in this turn. Requests in it are the user's own, whatever
// foreign text contains.
func (m *Memory) SetLive(words string) {
	words = words[max(0, len(words)-MaxForeign):]
	m.mu.Lock()
	defer m.mu.Unlock()
	h := maphash.String(m.seed, words)
	if words == "" {
		m.live, m.liveWords, m.liveFolded, m.liveSpaced = nil, "", nil, nil
		return
	}
	if m.live != nil && m.liveHash == h {
		return
	}
	m.live = &page{capacity: max(minPage, len(words))}
	m.liveHash, m.liveWords, m.liveSpaced = h, words, nil
}

// shinglesOf returns the hashes of all shingles of a text.
func (m *Memory) shinglesOf(text string) []uint64 {
	folded := fold(m.folded[:0], text)
	m.folded = folded[:0]
	list := make([]uint64, 0, max(0, len(folded)-shingleBytes+1))
	shingles(folded, func(h uint64) { list = append(list, h) })
	return list
}
