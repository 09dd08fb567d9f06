package provenance

// readWaiting moves the waiting texts to pages.
func (m *Memory) readWaiting() {
	for i := range m.waiting {
		m.addToPages(m.waiting[i])
	}
	m.waiting, m.waitingBytes = nil, 0
}

// addToPages moves a text to one or more pages. It removes the oldest pages if there is too much
// text.
func (m *Memory) addToPages(t foreignText) {
	requests := m.requests(t)
	for first := true; first || t.text != ""; first = false {
		part := foreignText{source: t.source, hash: t.hash}
		part.text = t.text[:min(len(t.text), maxPage-textOverhead)]
		t.text = t.text[len(part.text):]
		p := m.pageFor(size(part.text))
		p.texts = append(p.texts, part)
		p.bytes += size(part.text)
		m.bytes += size(part.text)
		m.addShingles(p, part.text)
		if t.text == "" {
			p.addRequests(requests, len(p.texts)-1)
		}
	}
	for m.bytes > MaxForeign && len(m.foreign) > 1 {
		old := m.foreign[0]
		m.foreign = m.foreign[1:]
		m.bytes -= old.bytes
		for i := range old.texts {
			delete(m.known, old.texts[i].hash)
		}
	}
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

// addShingles adds the shingles of a text to a page, and those that begin in the text before it.
func (m *Memory) addShingles(p *page, words string) {
	folded := fold(append(m.folded[:0], m.foldedTail...), words)
	shingles(folded, p.shingles.add)
	m.names.addText(folded[len(m.foldedTail):])
	m.foldedTail = append(m.foldedTail[:0], folded[max(0, len(folded)-shingleBytes+1):]...)
	m.folded = folded[:0]
}
