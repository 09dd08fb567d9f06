package parser

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// JSONVersion is the version of the JSON form of a Reply. It changes when a field changes its meaning or goes.
const JSONVersion = 1

// MarshalJSON returns the JSON form of the reply: the output of vcp parse, which is described in docs/parse.md. No byte is escaped
// for HTML; text that is no UTF-8 has U+FFFD for what is broken.
func (r Reply) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the JSON form of the reply to dst.
func (r *Reply) AppendJSON(dst []byte) []byte {
	w := jsonWriter{dst}
	w.raw(`{"version":` + strconv.Itoa(JSONVersion))
	w.fields(r)
	w.raw("}")
	return w.b
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
	w.string(r.Text)
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
	counts := r.RepairCounts()
	for i, name := range slices.Sorted(maps.Keys(counts)) {
		w.comma(i)
		w.string(name)
		w.raw(":")
		w.b = strconv.AppendInt(w.b, int64(counts[name]), 10)
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
	arguments := q.written()
	w.raw(`{"requestId":`)
	w.string(q.ID)
	w.raw(`,"label":`)
	w.string(q.Label)
	w.raw(`,"toolName":`)
	w.string(q.ToolName)
	w.raw(`,"args":{`)
	seen := make(map[string]bool, len(arguments))
	for i, a := range arguments {
		if seen[a.Name] {
			continue
		}
		seen[a.Name] = true
		w.comma(i)
		w.string(a.Name)
		w.raw(":")
		w.string(a.Value)
	}
	w.raw(`},"arguments":[`)
	for i, a := range arguments {
		w.comma(i)
		w.raw(`{"name":`)
		w.string(a.Name)
		w.raw(`,"value":`)
		w.string(a.Value)
		if !utf8.ValidString(a.Value) {
			w.raw(`,"valueBase64":"` + base64.StdEncoding.EncodeToString([]byte(a.Value)) + `"`)
		}
		w.raw(`,"form":"` + a.Form.String() + `"}`)
	}
	w.raw(`],"rawBlock":`)
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

// written returns the arguments with the command among them, in the order written.
func (q *Request) written() []protocol.Argument {
	if q.commandAt < 0 {
		return q.Arguments
	}
	all := make([]protocol.Argument, 0, len(q.Arguments)+1)
	all = append(all, q.Arguments[:q.commandAt]...)
	all = append(all, protocol.Argument{Name: "command", Value: q.Command})
	return append(all, q.Arguments[q.commandAt:]...)
}

// string appends s as a JSON string. Only what JSON demands is escaped.
func (w *jsonWriter) string(s string) {
	w.b = append(w.b, '"')
	b := w.b
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[start:i]...), `\ufffd`...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	w.b = append(append(b, s[start:]...), '"')
}
