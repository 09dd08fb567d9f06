package markdown

import (
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// Stream renders one reply while it arrives. It is not safe for concurrent use. After Close its
// HTML is the same as that of AppendReply, however the reply was divided into chunks.
type Stream struct {
	r       *Renderer
	parser  *parser.Parser // nil if the protocol is not known, and after Close
	closed  bool
	events  []parser.Event // reused by each call of the parser
	reading reading
	reply   []byte
	omitted int // bytes over the limit
}

// Stream returns a Stream for a reply in the protocol with the given ID; "" means the first
// protocol.
func (r *Renderer) Stream(protocolID string) *Stream {
	s := &Stream{r: r}
	if p := r.o.protocolOf(protocolID); p != nil {
		s.parser, _ = parser.New(p, r.o.Reading) // withDefaults has checked the options
	}
	return s
}

// Feed reads the next chunk of the reply. It does not keep the slice. Bytes beyond Options.MaxBytes
// are not rendered.
func (s *Stream) Feed(chunk []byte) {
	if s.closed {
		return
	}
	if room := s.r.o.MaxBytes - len(s.reply); len(chunk) > room {
		s.omitted += len(chunk) - room
		chunk = chunk[:room]
	}
	s.reply = append(s.reply, chunk...)
	if s.parser != nil {
		s.events = s.parser.Feed(s.events[:0], chunk)
		s.reading.take(s.events)
	} else if len(chunk) > 0 {
		s.reading.add(piece{kind: pieceText, span: parser.Span{Start: len(s.reply) - len(chunk), End: len(s.reply)}})
	}
}

// Close ends the reply with the model's finish reason. Statuses are final afterwards, and the
// Stream accepts no more input.
func (s *Stream) Close(finish protocol.FinishReason) {
	if s.closed = true; s.parser == nil {
		return
	}
	if s.omitted > 0 {
		finish = protocol.FinishLength // what the parser has seen is truncated
	}
	events, reply := s.parser.Close(s.events[:0], finish)
	s.reading.take(events)
	s.reading.settle(&reply, s.parser.Err())
	s.parser = nil
}

// AppendHTML appends the HTML of the reply so far. It keeps the HTML of pieces that do not change
// any more, and renders only the others, which are usually those after the last request.
func (s *Stream) AppendHTML(dst []byte) []byte {
	pieces := s.reading.pieces
	for i := range pieces {
		p := &pieces[i]
		if p.html == nil {
			p.html = s.r.render(nil, func(w *writer) { s.r.piece(w, p, s.reply) })
		}
		dst = append(dst, p.html...)
		if p.card != nil && p.card.busy || p.kind == pieceText && i == len(pieces)-1 {
			p.html = nil
		}
	}
	if s.omitted > 0 {
		dst = s.r.render(dst, func(w *writer) { w.omittedBytes(s.omitted) })
	}
	return dst
}

// AppendReply renders a whole reply as the model wrote it, in the protocol with the given ID; ""
// means the first one. If the protocol is not among Options.Protocols, everything is rendered as
// text.
func (r *Renderer) AppendReply(dst []byte, protocolID, reply string, finish protocol.FinishReason) []byte {
	s := r.Stream(protocolID)
	s.Feed([]byte(reply))
	s.Close(finish)
	return s.AppendHTML(dst)
}
