package vcp

import (
	"bytes"
	"slices"
)

// textState describes the text since the last request.
type textState struct {
	since        int  // bytes of text after the last request
	afterRequest bool // a request came before this text
	clean        bool // only emphasis and requests came before the last request on its line

	openers []edge // openers in text without a closer so far, oldest first; at most maxOpeners
	fieldAt int    // offset in the stream of the open request's first value, or 0 if it has none
}

// maxOpeners is how many openers in the text may match a closer. Ordinary text has fewer.
const maxOpeners = 16

// addOpener records an opener in text. If there are many, the last ones count.
func (t *textState) addOpener(e *edge) {
	if len(t.openers) == maxOpeners {
		t.openers = slices.Delete(t.openers, 0, 1)
	}
	opener := *e
	opener.tail = bytes.Clone(e.tail)
	t.openers = append(t.openers, opener)
}

// endRequest records that the request ends at an offset in the stream. Openers before a request do
// not match closers after the request (V15). If the request has no field, they do, because its
// start marker is text.
func (t *textState) endRequest(at int) {
	if 0 < t.fieldAt && t.fieldAt <= at {
		t.openers = t.openers[:0]
	}
	t.fieldAt = 0
}

// match removes the last opener that closer c closes, and reports whether there is one. An opener
// matches one closer of its family (V15).
func (t *textState) match(c *edge) bool {
	for i := range slices.Backward(t.openers) {
		if t.openers[i].closes(c) {
			t.openers = slices.Delete(t.openers, i, i+1)
			return true
		}
	}
	return false
}
