package parser

import "github.com/vcpgo/vcp/protocol/scan"

// Sizes of the buffer, in bytes.
const (
	// compactAt is how much of the stream may accumulate before the unneeded part is removed, so
	// that moving bytes costs little per byte.
	compactAt = 4 << 10
	// firstBuffer is the size of a stream's first buffer, enough for most replies.
	firstBuffer = 16 << 10
	// keptBuffer is the size up to which an almost unused buffer is kept. Only a long block needs a
	// larger one.
	keptBuffer = 1 << 20
)

// window is the part of the stream that is in memory. Offsets count from the beginning of the
// stream.
type window struct {
	buf   []byte // starts at the offset base
	base  int
	pos   int  // buf[:pos] was read as tokens
	fixed bool // buf is the caller's whole text: it is neither changed nor extended
	atEOF bool

	// examined is how many bytes were examined; bytes that are examined twice count twice. The
	// scanner counts its own.
	examined int
}

// bytes returns the bytes from start to end.
func (w *window) bytes(start, end int) []byte { return w.buf[start-w.base : end-w.base] }

// at returns the offset of the next token.
func (w *window) at() int { return w.base + w.pos }

// end returns the offset at which the input ends so far.
func (w *window) end() int { return w.base + len(w.buf) }

// needed returns the offset from which the scanner needs the bytes. ok is false if the bytes before
// it must be kept, or are too few to be worth forgetting.
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
