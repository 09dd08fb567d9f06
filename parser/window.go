package parser

import "github.com/vcpgo/vcp/protocol/scan"

const (
	// compactAt is how much of the stream may pile up before it is cut back to what is needed, so
	// that moving bytes costs little per byte.
	compactAt = 4 << 10
	// firstBuffer is the size of a stream's first buffer. It has room for most replies.
	firstBuffer = 16 << 10
	// keptBuffer is the size up to which a buffer is kept that is hardly used any more. A long
	// block needs a larger one, and ends at some time.
	keptBuffer = 1 << 20
)

// window is the part of the stream that is kept. Offsets count from the beginning of the stream.
type window struct {
	buf   []byte // begins at the offset base
	base  int
	pos   int  // buf[:pos] has been read as tokens
	fixed bool // buf is the caller's whole text: it is neither changed nor grown
	atEOF bool

	// examined is how many bytes have been looked at, those looked at again counted again. The
	// scanner counts its own.
	examined int
}

// bytes returns the bytes from start to end.
func (w *window) bytes(start, end int) []byte { return w.buf[start-w.base : end-w.base] }

// at is the offset of the next token.
func (w *window) at() int { return w.base + w.pos }

// end is the offset at which the input ends so far.
func (w *window) end() int { return w.base + len(w.buf) }

// needed returns the offset from which on the bytes are needed, as far as the scanner goes. ok is
// false if it is not worth the work to forget what stands before it.
func (w *window) needed() (from int, ok bool) {
	return w.at() - scan.History, !w.fixed && w.pos-scan.History >= compactAt
}

// forget forgets the first n bytes that are kept.
func (w *window) forget(n int) {
	if rest := len(w.buf) - n; cap(w.buf) > keptBuffer && rest < cap(w.buf)/8 {
		w.buf = append(make([]byte, 0, 2*rest+firstBuffer), w.buf[n:]...)
	} else {
		w.buf = w.buf[:copy(w.buf, w.buf[n:])]
	}
	w.base += n
	w.pos -= n
}
