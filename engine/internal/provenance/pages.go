package provenance

import "bytes"

// reach is how many folded bytes before a part are examined together with it. So names and shingles
// that begin in one part and end in the next are found. It is enough for a name with a shingle on
// each side, which isInValue needs.
const reach = maxNameBytes + 2*shingleBytes

// readWaiting moves the waiting texts to pages.
func (m *Memory) readWaiting() {
	for i := range m.waiting {
		if t := &m.waiting[i]; t.isKnown {
			m.joinKnown(t)
		} else {
			m.addToPages(*t)
		}
	}
	m.waiting, m.waitingBytes = nil, 0
}

// joinKnown adds the requests that begin in the text before t and end in t. Those within t are
// known already.
func (m *Memory) joinKnown(t *foreignText) {
	if t.isNewPair {
		keys := newKeys(t.source)
		m.readJoined(m.tail, t.text[:min(len(t.text), maxJoin)], keys)
		if len(keys.all) > 0 {
			p := m.addPart(part{source: t.source, text: m.lastText})
			p.requests.add(keys.all, len(p.parts)-1)
			m.removeOldest()
		}
	}
	m.tail = lastBytes(m.tail, t.text)
}

// addToPages adds a text to one or more pages. It removes the oldest pages if there is too much
// text.
func (m *Memory) addToPages(t foreignText) {
	requests := m.keysOf(t)
	defer m.releaseBuffer()
	m.lastText++
	rest := fold(m.folded[:0], t.text)
	m.folded = rest[:0]
	for first := true; first || len(rest) > 0; first = false { // calls without a text have one part, too
		n := min(len(rest), maxPage-textOverhead)
		p := m.addPart(part{source: t.source, folded: bytes.Clone(rest[:n]), text: m.lastText, hash: t.hash})
		m.index(p, rest[:n])
		if rest = rest[n:]; len(rest) == 0 {
			p.requests.add(requests, len(p.parts)-1)
		}
	}
	m.removeOldest()
}

// removeOldest removes the oldest pages if there is too much text.
func (m *Memory) removeOldest() {
	for m.bytes > MaxForeign && len(m.foreign) > 1 {
		old := m.foreign[0]
		m.foreign = m.foreign[1:]
		m.bytes -= old.bytes
		for i := range old.parts {
			delete(m.known, old.parts[i].hash)
		}
	}
}

// releaseBuffer releases the buffer for folded text if a text longer than some pages made it large.
func (m *Memory) releaseBuffer() {
	if cap(m.folded) > 4*maxPage {
		m.folded = nil
	}
}

// addPart adds a part to the newest page, or to a new one if that has no room. It returns the page.
func (m *Memory) addPart(added part) *page {
	bytes := len(added.folded) + textOverhead
	p := m.pageFor(bytes)
	p.parts = append(p.parts, added)
	p.bytes += bytes
	m.bytes += bytes
	return p
}

// pageFor returns a page with room for a number of bytes: the newest page or a new one.
func (m *Memory) pageFor(bytes int) *page {
	capacity := minPage
	if n := len(m.foreign); n > 0 {
		newest := m.foreign[n-1]
		if newest.bytes+bytes <= newest.capacity {
			return newest
		}
		capacity = 2 * newest.capacity
	}
	for capacity < bytes {
		capacity *= 2
	}
	p := newPage(min(capacity, maxPage))
	m.foreign = append(m.foreign, p)
	return p
}

// index adds the shingles of a new part to its page, and those that begin in the part before it. It
// also looks for the known names in the part.
func (m *Memory) index(p *page, folded []byte) {
	start := len(m.foldedTail) // of the part in m.foldedTail
	m.foldedTail = append(m.foldedTail, folded...)
	shingles(m.foldedTail[max(0, start-shingleBytes+1):], p.shingles.add)
	m.names.addText(m.foldedTail)
	m.foldedTail = append(m.foldedTail[:0], m.foldedTail[max(0, len(m.foldedTail)-reach):]...)
}

// eachPart yields the parts on all pages, oldest first. page is the index of the part's page.
// folded is the folded text of the part, after up to reach bytes of the text before it; it is valid
// until the next part is yielded.
func (m *Memory) eachPart(yield func(page int, p *part, folded []byte) bool) {
	buffer := m.folded[:0]
	defer func() { m.folded = buffer[:0] }()
	for i, page := range m.foreign {
		for j := range page.parts {
			p := &page.parts[j]
			buffer = append(buffer[:0], buffer[max(0, len(buffer)-reach):]...)
			buffer = append(buffer, p.folded...)
			if !yield(i, p, buffer) {
				return
			}
		}
	}
}
