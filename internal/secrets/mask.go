package secrets

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"unicode/utf16"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// Text returns s with Mask in place of each secret: each known value, each piece of 12 bytes or
// more of a known value, and what has the form of a secret. It finds known values as they are, and
// with the escapes of JSON, Go, HTML and URLs, also nested. Valid JSON that begins with a brace or
// a bracket stays valid. Text takes time in proportion to s.
func (f *Filter) Text(s string) string {
	if s != "" && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s)) {
		return string(f.JSON([]byte(s), nil))
	}
	// Most texts contain no secret. To find that out takes less memory than findEscaped.
	found := false
	notice := func(int, int) { found = true }
	f.find(s, notice)
	if plain := WithoutEscapes(s); !found && plain != s {
		f.find(plain, notice)
	}
	if !found {
		return s
	}
	return findEscaped(s, f.find).mask(s)
}

// Bytes returns the content of a file with Mask in place of each secret. It reads text as Text
// does, in an encoding that contains ASCII or in UTF-16 with a byte order mark. In other data,
// which contain a zero byte, it finds known values only.
func (f *Filter) Bytes(data []byte) []byte {
	if !bytes.Contains(data, []byte{0}) {
		return []byte(f.Text(string(data)))
	}
	var order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	} = binary.LittleEndian
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		var known spans
		f.known.find(string(data), known.add)
		return []byte(known.mask(string(data)))
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	text := string(utf16.Decode(units))
	masked := f.Text(text)
	if masked == text {
		return data
	}
	var b []byte
	for _, unit := range utf16.Encode([]rune(masked)) {
		b = order.AppendUint16(b, unit)
	}
	return append(b, data[2*len(units):]...) // a byte that is no whole unit
}

// A Layout says how a Filter reads a JSON document, by the names of members. A nil Layout means
// that the whole document is Free.
type Layout struct {
	// Fixed are the members whose strings are a part of the document's format. These strings are
	// not masked.
	Fixed map[string]bool
	// Free are the members with values of any format. Within them no member is Fixed, and names of
	// members are masked, too. Within a member with the name of a secret, such as "password", each
	// string and number is masked as a whole, unless it is a placeholder or has fewer than 4 bytes.
	// Within a member such as "token" it must also look random.
	Free map[string]bool
}

// JSON returns a document, which must be valid JSON, with the secrets in it masked. It returns the
// document itself if it contains no secrets. It takes time in proportion to the document.
func (f *Filter) JSON(document []byte, layout *Layout) []byte {
	w := jsonFilter{
		filter: f, layout: layout, document: string(document), tokens: json.NewDecoder(bytes.NewReader(document)),
	}
	w.tokens.UseNumber()
	w.value(jsonPlace{free: layout == nil})
	if w.out == nil {
		return document
	}
	return append(w.out, w.document[w.copied:]...)
}

type jsonFilter struct {
	filter   *Filter
	layout   *Layout
	document string
	tokens   *json.Decoder // of the document
	out      []byte        // the document up to copied, masked; nil if nothing has changed yet
	copied   int           // the length of the part of the document that out replaces
}

// A jsonPlace says what is known of a value before it is read.
type jsonPlace struct {
	fixed, free bool // as in Layout
	secret      bool // within a member with the name of a secret
	weak        bool // within a member with a weak secretName
}

// next reads a token, and returns the range of its text in the document.
func (w *jsonFilter) next() (at, end int) {
	at = int(w.tokens.InputOffset())
	_, _ = w.tokens.Token() // the document is valid
	end = int(w.tokens.InputOffset())
	// The offset before a token is also before the comma or colon that precedes the token.
	return end - len(strings.TrimLeft(w.document[at:end], ",: \t\r\n")), end
}

// value masks the next value.
func (w *jsonFilter) value(place jsonPlace) {
	at, end := w.next()
	open := w.document[at]
	if open != '{' && open != '[' {
		w.scalar(at, end, place)
		return
	}
	for w.tokens.More() {
		inner := place
		if open == '{' {
			at, end := w.next()
			inner = w.member(at, end, place)
		}
		w.value(inner)
	}
	w.next() // the closing bracket
}

// member returns what is known of the value of the member whose name is document[at:end]. It masks
// the name if the place is free.
func (w *jsonFilter) member(at, end int, place jsonPlace) jsonPlace {
	name := w.text(at, end)
	if place.free {
		w.replace(at, end, name, w.filter.Text(name))
		secret, weak := isSecretName(name)
		place.secret, place.weak = place.secret || secret, place.weak || weak
		return place
	}
	return jsonPlace{fixed: w.layout.Fixed[name], free: w.layout.Free[name]}
}

// scalar masks a string or a number.
func (w *jsonFilter) scalar(at, end int, place jsonPlace) {
	text := w.document[at:end]
	switch {
	case place.fixed, text[0] >= 'A': // only true, false and null begin with a letter, and none is secret
		return
	case text[0] == '"':
		text = w.text(at, end)
	case !place.free:
		return
	}
	v := namedValue{text: text, quoted: true}
	if place.secret && v.isSecret(false) || place.weak && v.isSecret(true) {
		w.replace(at, end, text, Mask)
	} else {
		w.replace(at, end, text, w.filter.Text(text))
	}
}

// replace writes a masked text in place of another, if they differ.
func (w *jsonFilter) replace(at, end int, text, masked string) {
	if masked != text {
		w.out = append(append(w.out, w.document[w.copied:at]...), orderedjson.String(masked)...)
		w.copied = end
	}
}

// text returns the text of the JSON string document[at:end].
func (w *jsonFilter) text(at, end int) string {
	literal := w.document[at:end]
	var text string
	if strings.IndexByte(literal, '\\') < 0 || json.Unmarshal([]byte(literal), &text) != nil {
		return literal[1 : len(literal)-1]
	}
	return text
}
