package engine

import "github.com/vcpgo/vcp/protocol"

// replySize counts the bytes of one reply against Config.MaxReplyBytes.
type replySize struct {
	limit int
	text  int  // of text and reasoning
	parts int  // of pieces of native calls, for display
	calls int  // of whole native calls, which repeat the pieces
	over  bool // something exceeded the limit and was dropped
}

// callOverhead is what a native call counts in addition to its text, because it takes memory too.
const callOverhead = 256

// remaining returns how many bytes may still come.
func (s *replySize) remaining() int { return s.limit - s.text - max(s.parts, s.calls) }

// take returns as much of a text as may still come.
func (s *replySize) take(text string) string {
	if remaining := s.remaining(); len(text) > remaining {
		text, s.over = text[:max(0, remaining)], true
	}
	s.text += len(text)
	return text
}

// part reports whether a piece of a native call may still come.
func (s *replySize) part(p *CallPart) bool { return s.count(&s.parts, len(p.Name)+len(p.Arguments)) }

// call reports whether a native call may still come.
func (s *replySize) call(c *protocol.ToolCall) bool {
	return s.count(&s.calls, callOverhead+len(c.ID)+len(c.Name)+len(c.Arguments))
}

// count adds n bytes to a part of the size.
func (s *replySize) count(to *int, n int) bool {
	*to += n
	s.over = s.over || s.remaining() < 0
	return !s.over
}
