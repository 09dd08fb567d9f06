package provenance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// indexLive indexes the shingles and requests in the user's words of this turn, on its first call
// for these words.
func (m *Memory) indexLive() {
	if m.live.shingles != nil {
		return
	}
	m.liveFolded = fold(nil, m.liveWords)
	m.live.shingles = newFilter(m.live.capacity)
	shingles(m.liveFolded, m.live.shingles.add)
	var keys requestKeys
	m.read(m.liveWords, &keys)
	m.live.requests.add(keys.all, 0)
}

// userWroteShingles reports whether the user's words of this turn contain most of the shingles.
func (m *Memory) userWroteShingles(list []uint64) bool {
	if m.live == nil {
		return false
	}
	m.indexLive()
	found := 0
	for _, h := range list {
		if m.live.shingles.contains(h) {
			found++
		}
	}
	return isMost(found, len(list))
}

// maxUsersValues limits how many different values of one request are found in the user's words.
// Values in lists and objects count, too. A request with more does not count as written by the
// user.
const maxUsersValues = 256

// userWroteValues reports whether a request has arguments and the user's words of this turn contain
// the value of each. A list or an object also counts if the words contain each name and value in
// it.
func (m *Memory) userWroteValues(req *protocol.ToolRequest) bool {
	seen := map[string]bool{} // values that the user wrote
	wrote := func(value string) bool {
		if !seen[value] {
			if len(seen) == maxUsersValues || !m.userWroteText(value) {
				return false
			}
			seen[value] = true
		}
		return true
	}
	for _, a := range req.Arguments {
		value := argumentText(a)
		if wrote(value) {
			continue
		}
		scalars, ok := scalarsOf(value)
		if !ok || slices.ContainsFunc(scalars, func(s string) bool { return !wrote(s) }) {
			return false
		}
	}
	return len(req.Arguments) > 0
}

// minLooseText is the length from which a text is found even if the user wrote it with other white
// space, without quotation marks or within a longer word. It counts the bytes that foldWords
// returns.
const minLooseText = 64

// userWroteText reports whether the user's words of this turn contain a text. If the text is
// shorter than minLooseText, it does not count within a longer word or path: "docs/notes.md"
// contains neither "/" nor "docs". The empty text is never contained.
func (m *Memory) userWroteText(text string) bool {
	if m.live == nil {
		return false
	}
	m.indexLive()
	words := foldWords(text)
	switch {
	case len(words) == 0:
		return false
	case len(words) >= minLooseText && bytes.Contains(m.liveFolded, fold(nil, text)):
		return true
	}
	if m.liveSpaced == nil {
		m.liveSpaced = foldWords(m.liveWords)
	}
	for start := 0; ; start++ {
		at := bytes.Index(m.liveSpaced[start:], words)
		if at < 0 {
			return false
		}
		start += at
		if !endsInWord(m.liveSpaced[:start]) && !beginsInWord(m.liveSpaced[start+len(words):]) {
			return true
		}
	}
}

// foldWords returns the folded words of a text with one space between them.
func foldWords(text string) []byte {
	separates := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’「」『』《》", r)
	}
	dst := []byte{} // not nil, which would mean that Memory.liveSpaced is not set
	for word := range strings.FieldsFuncSeq(plain(text), separates) {
		if len(dst) > 0 {
			dst = append(dst, ' ')
		}
		dst = fold(dst, word)
	}
	return dst
}

// endsInWord reports whether a text ends within a word or a path.
func endsInWord(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return isWordRune(r)
}

// beginsInWord reports whether a text begins within a word or a path. Dots at its start may end a
// sentence, and are ignored.
func beginsInWord(text []byte) bool {
	r, _ := utf8.DecodeRune(bytes.TrimLeft(text, "."))
	return isWordRune(r)
}

// isWordRune reports whether a character next to a word or a path is part of it. Letters of
// languages such as Chinese and Korean are not, because they may follow a word without a space.
func isWordRune(r rune) bool {
	switch {
	case r == utf8.RuneError || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
		return false
	default:
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./~@%+#$&*", r)
	}
}

// userWrote reports whether the user wrote the request in this turn: the request itself, one that
// means the same call, or each of its values. identify returns the ID of the call, as
// Options.Identify does.
func (m *Memory) userWrote(req *protocol.ToolRequest, identify func() string) bool {
	if m.live == nil {
		return false
	}
	m.indexLive()
	for _, key := range []uint64{m.key(canonicalRequest(req)), m.key(identify())} {
		if _, ok := m.live.requests.find(key); ok {
			return true
		}
	}
	return m.userWroteValues(req)
}

// scalarsOf returns the scalars and the member names in a JSON list or object. ok is false for any
// other text, and for a list or an object that contains neither.
func scalarsOf(value string) (list []string, ok bool) {
	if start := strings.TrimLeft(value, " \t\r\n"); start == "" || start[0] != '[' && start[0] != '{' {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	for {
		switch token, err := d.Token(); {
		case errors.Is(err, io.EOF):
			return list, len(list) > 0
		case err != nil:
			return nil, false
		default:
			switch token := token.(type) {
			case json.Delim:
			case nil:
				list = append(list, "null")
			default:
				list = append(list, fmt.Sprint(token))
			}
		}
	}
}
