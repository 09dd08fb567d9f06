package provenance

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// noteLive finds the shingles and requests in the user's words of this turn, unless that is done.
func (m *Memory) noteLive() {
	if m.live.shingles != nil {
		return
	}
	m.liveFolded = fold(nil, m.liveWords)
	m.live.shingles = newFilter(m.live.capacity)
	shingles(m.liveFolded, m.live.shingles.add)
	var keys requestKeys
	m.read(m.liveWords, &keys)
	m.live.addRequests(keys.all, 0)
}

// userWroteShingles reports whether the user's words of this turn contain most of the shingles.
func (m *Memory) userWroteShingles(list []uint64) bool {
	if m.live == nil {
		return false
	}
	m.noteLive()
	found := 0
	for _, h := range list {
		if m.live.shingles.contains(h) {
			found++
		}
	}
	return isMost(found, len(list))
}

// userWroteValues reports whether the user's words of this turn contain each value of a request
// that has arguments.
func (m *Memory) userWroteValues(req *protocol.ToolRequest) bool {
	return len(req.Arguments) > 0 && !slices.ContainsFunc(req.Arguments, func(a protocol.Argument) bool {
		return !m.userWroteText(argumentText(a))
	})
}

// userWroteText reports whether the user's words of this turn contain a text.
func (m *Memory) userWroteText(text string) bool {
	if m.live == nil {
		return false
	}
	m.noteLive()
	return bytes.Contains(m.liveFolded, fold(nil, text))
}

// userWrote reports whether the user wrote the request in this turn.
func (m *Memory) userWrote(req *protocol.ToolRequest, identify func() string) bool {
	if m.live == nil {
		return false
	}
	m.noteLive()
	for _, key := range []uint64{m.key(spelling(req)), m.key(identify())} {
		if _, ok := m.live.requests[key]; ok {
			return true
		}
	}
	var all []uint64
	for _, a := range req.Arguments {
		all = append(all, m.shinglesOf(argumentText(a))...)
	}
	return m.userWroteShingles(all)
}
