package provenance

import (
	"hash/maphash"
	"log/slog"
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// maxJoin is how many bytes at the end of a text, and at the start of the next, are searched for a
// request that begins in the first text and ends in the second.
const maxJoin = 4 << 10

// maxEscape is the length of the longest escape, in bytes.
const maxEscape = secrets.MaxEntity

// keysOf returns the keys of the requests in a foreign text, and of those that begin in the text
// before it. A key is a hash by which two requests are compared: see addKeys. keysOf also adds the
// text to m.tail.
func (m *Memory) keysOf(t foreignText) map[uint64]bool {
	keys := newKeys(t.source)
	for i := range t.calls {
		m.addKeys(keys, &t.calls[i])
	}
	m.read(t.text, keys)
	m.readJoined(m.tail, t.text[:min(len(t.text), maxJoin)], keys)
	m.tail = lastBytes(m.tail, t.text)
	return keys.all
}

// lastBytes returns the last maxJoin bytes of two consecutive texts.
func lastBytes(first, second string) string {
	if len(second) >= maxJoin {
		return second[len(second)-maxJoin:]
	}
	return first[max(0, len(first)+len(second)-maxJoin):] + second
}

// requestKeys are the keys of requests that were read.
type requestKeys struct {
	all               map[uint64]bool // nil if no request was read
	includesArguments bool            // whether addKeys also adds a key for each argument
}

// newKeys returns an empty set of keys for the requests in a text from source. The arguments of
// requests in imported messages get no keys of their own: the conversation continues with similar
// requests, and each would count as copied.
func newKeys(source protocol.Source) *requestKeys {
	return &requestKeys{includesArguments: source.Origin != protocol.OriginImport}
}

// read adds the keys of all requests in a text, in every form. It reads the text with and without
// its escapes (see spellings).
func (m *Memory) read(words string, keys *requestKeys) {
	for _, spelling := range spellings(words) {
		for _, p := range m.readSpelling(spelling, anywhere, keys) {
			m.readRestored(p, spelling, keys)
		}
		if len(spelling) <= forms.MaxLooseBytes {
			m.readLoosely(spelling, keys)
		}
	}
}

// readRestored adds the keys of the requests whose marks are escaped. The engine escapes marks in
// foreign text before a model reads it, and the model may copy them.
func (m *Memory) readRestored(p protocol.Protocol, words string, keys *requestKeys) {
	if r, ok := p.(protocol.Restorer); ok {
		if restored := r.Restore(words); restored != words {
			m.readIn(p, restored, anywhere, keys)
		}
	}
}

// readJoined adds the keys of the requests that begin in one text and end in the next.
func (m *Memory) readJoined(first, second string, keys *requestKeys) {
	if first == "" || second == "" {
		return
	}
	for i, words := range spellings(first + second) {
		border, doubt := len(first), 0 // the border between the texts, and by how much it may be wrong
		if i > 0 {
			// words is without escapes.
			border = len(plain(first))
			if strings.ContainsAny(first[max(0, len(first)-maxEscape):], `\&%`) {
				doubt = maxEscape // an escape may cross the border, and then plain(first) ends differently
			}
		}
		m.readSpelling(words, func(start, end int) bool { return start < border && border-doubt < end }, keys)
	}
}

// spellings returns a text and, if it differs, the text as plain returns it.
func spellings(words string) []string {
	if unescaped := plain(words); unescaped != words {
		return []string{words, unescaped}
	}
	return []string{words}
}

// readSpelling adds the keys of the requests in a text. It omits a request if counts returns false
// for its offsets. It returns the protocols whose marks the text contains.
func (m *Memory) readSpelling(
	words string, counts func(start, end int) bool, keys *requestKeys,
) (marked []protocol.Protocol) {
	work.Add(len(words))
	for _, p := range m.options.Protocols {
		if p.Neutralize(words) != words { // the text contains marks of p
			m.readIn(p, words, counts, keys)
			marked = append(marked, p)
		}
	}
	for start, block := range forms.Blocks(words) {
		if counts(start, start+len(block)) {
			m.readAlone(block, keys)
		}
	}
	for w := range forms.InProse(words, m.isMethod()) {
		if counts(w.Start, w.End) {
			work.Add(w.End - w.Start)
			m.addKeys(keys, &w.ToolRequest)
		}
	}
	return marked
}

// isMethod returns a function that reports whether a name is that of a method. The function caches
// up to maxNames results.
func (m *Memory) isMethod() func(name string) bool {
	known := map[string]bool{}
	return func(name string) bool {
		is, ok := known[name]
		if !ok {
			_, is = m.options.resolve(protocol.ToolRequest{ToolName: name})
			if len(known) == maxNames {
				clear(known)
			}
			known[name] = is
		}
		return is
	}
}

// readAlone adds the keys of the requests in a block. It reads the block without the text around
// it, because text after a request may change how the request is read. A block that begins with a
// brace is read in each protocol, because some protocols read objects without marks.
func (m *Memory) readAlone(block string, keys *requestKeys) {
	m.readLoosely(block, keys)
	for _, p := range m.options.Protocols {
		if block[0] == '{' || p.Neutralize(block) != block {
			m.readIn(p, block, anywhere, keys)
		}
	}
}

func anywhere(int, int) bool { return true }

var quiet = slog.New(slog.DiscardHandler)

// readIn adds the keys of the requests in a text. It omits a request if counts returns false for
// its offsets. It reads the text in one protocol with the tolerance scan.Greedy. Quoted requests
// count, too, because a model may repeat them elsewhere.
func (m *Memory) readIn(p protocol.Protocol, words string, counts func(start, end int) bool, keys *requestKeys) {
	work.Add(len(words))
	reply, err := parser.ParseToolRequests(p, words, parser.Options{
		Tolerance: scan.Greedy, Quoted: parser.QuotedRun, Reasoning: parser.ReasoningRun, Finish: protocol.FinishStop,
		Limits: parser.Limits{Blocks: max(scan.MaxBlocks, len(words)/8)}, // blocks are longer than 8 bytes, so all are read
		Logger: quiet,
	})
	if err != nil {
		return // then the parser cannot read such a reply of the model either
	}
	for i := range reply.Requests {
		if q := &reply.Requests[i]; counts(q.Span.Start, q.Span.End) {
			m.addKeys(keys, &q.ToolRequest)
		}
	}
	for _, n := range reply.Notices { // the text of a notice may be a request that p cannot read
		if at := n.Span; at.Start < at.End && at.End-at.Start <= forms.MaxLooseBytes && counts(at.Start, at.End) {
			m.readLoosely(words[at.Start:at.End], keys)
		}
	}
}

// readLoosely adds the keys of the requests that a block may contain, as forms.LooseBlock reads it.
func (m *Memory) readLoosely(block string, keys *requestKeys) {
	if !hasPair(block) {
		return
	}
	work.Add(len(block))
	for _, req := range forms.LooseBlock(block) {
		m.addKeys(keys, &req)
	}
}

// hasPair reports whether a text may contain a name and its value, as all requests do.
func hasPair(text string) bool {
	return strings.IndexByte(text, ':') >= 0 || strings.IndexByte(text, '=') >= 0 || strings.Contains(text, "：")
}

func (k *requestKeys) add(key uint64) {
	if k.all == nil {
		k.all = map[uint64]bool{}
	}
	k.all[key] = true
}

// addKeys adds the keys of one request: of the request as written and as resolved, of each of its
// arguments, and of the ID of its call (see Options.Identify).
func (m *Memory) addKeys(keys *requestKeys, req *protocol.ToolRequest) {
	keys.add(m.key(canonicalRequest(req)))
	resolved, ok := m.options.resolve(*req)
	if ok {
		keys.add(m.key(canonicalRequest(&resolved)))
	}
	for i := range resolved.Arguments {
		if canonical, ok := canonicalArgument(&resolved, &resolved.Arguments[i]); ok && keys.includesArguments {
			keys.add(m.key(canonical))
		}
	}
	if id, ok := m.options.Identify(*req); ok {
		keys.add(m.key(id))
	}
}

// key returns the hash of the ID of a call, or of the canonical form of a request or an argument.
func (m *Memory) key(canonical string) uint64 { return maphash.String(m.seed, canonical) }
