package engine

import "github.com/vcpgo/vcp/protocol"

// replySize counts the bytes of one reply against Config.MaxReplyBytes.
type replySize struct {
	limit int
	text  int  // bytes of text and reasoning
	parts int  // bytes of pieces of native calls, for display
	calls int  // bytes of whole native calls, which repeat the pieces
	over  bool // something exceeded the limit and was dropped
}

// callOverhead is how many bytes are counted for a native call in addition to its text, because
// every call takes memory.
const callOverhead = 256

// remaining returns how many bytes are left before the limit.
func (s *replySize) remaining() int { return s.limit - s.text - max(s.parts, s.calls) }

// takeText counts a text and returns the part of it that is within the limit.
func (s *replySize) takeText(text string) string {
	if remaining := s.remaining(); len(text) > remaining {
		text, s.over = text[:max(0, remaining)], true
	}
	s.text += len(text)
	return text
}

// takePart counts a piece of a native call and reports whether it is within the limit.
func (s *replySize) takePart(p *CallPart) bool { return s.add(&s.parts, len(p.Name)+len(p.Arguments)) }

// takeCall counts a native call and reports whether it is within the limit.
func (s *replySize) takeCall(c *protocol.ToolCall) bool {
	return s.add(&s.calls, callOverhead+len(c.ID)+len(c.Name)+len(c.Arguments))
}

// add adds n bytes to one of the counts and reports whether the size is within the limit.
func (s *replySize) add(to *int, n int) bool {
	*to += n
	s.over = s.over || s.remaining() < 0
	return !s.over
}
