package parser

import (
	"encoding/base64"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// JSONVersion is the version of the JSON form of a Reply. It changes when a member changes its
// meaning or is removed.
const JSONVersion = 1

// MarshalJSON returns the JSON form of the reply: the output of vcp parse, which docs/parse.md
// describes. U+FFFD replaces bytes that are not UTF-8. Unlike json.Marshal, AppendJSON escapes no
// byte for HTML. There is no UnmarshalJSON: readers of the output have their own types for it.
func (r Reply) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the JSON form of the reply to dst.
func (r *Reply) AppendJSON(dst []byte) []byte {
	w := jsonWriter{dst}
	w.raw(`{"version":` + strconv.Itoa(JSONVersion))
	w.fields(r)
	w.raw("}")
	return w.b
}

// MarshalJSON returns the JSON form of the request, as in the JSON form of its reply.
func (q Request) MarshalJSON() ([]byte, error) {
	w := jsonWriter{}
	w.request(&q)
	return w.b, nil
}

type jsonWriter struct{ b []byte }

func (w *jsonWriter) raw(s string) { w.b = append(w.b, s...) }

// fields appends the fields of the reply, each with a comma before it.
func (w *jsonWriter) fields(r *Reply) {
	w.raw(`,"requests":[`)
	for i := range r.Requests {
		w.comma(i)
		w.request(&r.Requests[i])
	}
	w.raw(`],"text":`)
	w.string(r.Text.String())
	w.raw(`,"reasoning":`)
	w.string(r.Reasoning)
	w.raw(`,"dropped":[`)
	for i, d := range r.Dropped {
		w.comma(i)
		w.raw(`{"span":`)
		w.span(d.Span)
		w.raw(`,"reason":`)
		w.string(string(d.Reason))
		w.raw("}")
	}
	w.raw(`],"notices":[`)
	for i, n := range r.Notices {
		w.comma(i)
		w.raw(`{"code":`)
		w.string(string(n.Code))
		w.raw(`,"span":`)
		w.span(n.Span)
		w.raw(`,"message":`)
		w.string(n.Message)
		w.raw("}")
	}
	w.raw(`],"repairCounts":{`)
	if counts := r.RepairCounts(); counts != nil {
		for i, name := range slices.Sorted(maps.Keys(counts)) {
			w.comma(i)
			w.string(name)
			w.raw(":")
			w.b = strconv.AppendInt(w.b, int64(counts[name]), 10)
		}
	}
	w.raw("}")
}

func (w *jsonWriter) comma(i int) {
	if i > 0 {
		w.raw(",")
	}
}

func (w *jsonWriter) span(s Span) {
	w.b = append(w.b, '[')
	w.b = strconv.AppendInt(w.b, int64(s.Start), 10)
	w.b = append(w.b, ',')
	w.b = strconv.AppendInt(w.b, int64(s.End), 10)
	w.b = append(w.b, ']')
}

func (w *jsonWriter) request(q *Request) {
	w.raw(`{"requestId":`)
	w.string(q.ID)
	w.raw(`,"label":`)
	w.string(q.Label)
	w.raw(`,"toolName":`)
	w.string(q.ToolName)
	w.arguments(q.written())
	w.raw(`,"rawBlock":`)
	w.string(q.RawBlock)
	w.raw(`,"span":`)
	w.span(q.Span)
	w.raw(`,"status":`)
	w.string(string(q.Status))
	w.raw(`,"repairs":[`)
	for i, r := range q.Repairs {
		w.comma(i)
		w.raw(`{"name":`)
		w.string(r.Name)
		w.raw(`,"span":`)
		w.span(r.Span)
		w.raw("}")
	}
	w.raw(`],"error":`)
	if q.Err == nil {
		w.raw("null}")
		return
	}
	w.raw(`{"code":`)
	w.string(string(q.Err.Code))
	w.raw(`,"message":`)
	w.string(q.Err.Message)
	w.raw("}}")
}

// arguments appends the arguments twice: as an object with the first argument of each name, and as
// a list of all. The list copies the encoded values of the object.
func (w *jsonWriter) arguments(arguments []protocol.Argument) {
	type encoded struct {
		start, end int // in w.b; 0 for an argument that was omitted
		valid      bool
	}
	var few [8]encoded // enough for most requests, without an allocation
	values := few[:0]
	seen := map[string]bool{}
	w.raw(`,"args":{`)
	for i, a := range arguments {
		if seen[a.Name] {
			values = append(values, encoded{})
			continue
		}
		seen[a.Name] = true
		w.comma(i)
		w.string(a.Name)
		w.raw(":")
		start := len(w.b)
		valid := w.string(a.Value)
		values = append(values, encoded{start, len(w.b), valid})
	}
	w.raw(`},"arguments":[`)
	for i, a := range arguments {
		w.comma(i)
		w.raw(`{"name":`)
		w.string(a.Name)
		w.raw(`,"value":`)
		v := values[i]
		if v.end > 0 {
			w.b = append(w.b, w.b[v.start:v.end]...)
		} else {
			v.valid = w.string(a.Value)
		}
		if !v.valid {
			w.raw(`,"valueBase64":"`)
			w.b = base64.StdEncoding.AppendEncode(w.b, []byte(a.Value))
			w.raw(`"`)
		}
		w.raw(`,"form":"`)
		w.raw(a.Form.String())
		w.raw(`"}`)
	}
	w.raw("]")
}

// written returns the arguments with the command among them, in the order written.
func (q *Request) written() []protocol.Argument {
	if q.commandAt == 0 {
		return q.Arguments
	}
	return slices.Insert(slices.Clone(q.Arguments), q.commandAt-1, protocol.Argument{Name: "command", Value: q.Command})
}

// string appends s as a JSON string, and escapes only what JSON demands. It reports whether s is
// UTF-8. Each byte that is not UTF-8 is written as U+FFFD.
func (w *jsonWriter) string(s string) (valid bool) {
	w.b = append(w.b, '"')
	valid = utf8.ValidString(s)
	if !valid {
		start := 0
		for i, r := range s {
			if r != utf8.RuneError {
				continue
			}
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				w.escape(s[start:i])
				w.raw(`\ufffd`)
				start = i + 1
			}
		}
		s = s[start:]
	}
	w.escape(s)
	w.b = append(w.b, '"')
	return valid
}

// escape appends s, which is UTF-8, as it is written within a JSON string.
func (w *jsonWriter) escape(s string) {
	for {
		i := plainLen(s)
		w.raw(s[:i])
		if i == len(s) {
			return
		}
		switch c := s[i]; c {
		case '"', '\\':
			w.b = append(w.b, '\\', c)
		case '\n':
			w.raw(`\n`)
		case '\r':
			w.raw(`\r`)
		case '\t':
			w.raw(`\t`)
		default:
			const hex = "0123456789abcdef"
			w.b = append(w.b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		s = s[i+1:]
	}
}

// plainLen returns how many bytes of s precede the first that JSON demands to be escaped. It
// examines eight at a time.
func plainLen(s string) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		b := s[i : i+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := x^'"'*ones, x^'\\'*ones
		// A byte of quote or slash is 0 if that byte of x is a quotation mark or a backslash. The
		// lowest bit of (x-n*ones) &^ x & highs is the high bit of the first byte of x below n.
		if found := ((x-' '*ones)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}
