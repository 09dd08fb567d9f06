package markdown

import (
	"html"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/text"
)

// writer writes the HTML of cards.
type writer struct {
	o   *Options
	out []byte
}

// Labels lists the words that Options.Label translates: the titles of cards and their parts, the
// speakers of messages, and the states of requests and results. Label also gets the codes of
// notices, such as malformed_request, and "protocol error".
func Labels() []string {
	return []string{
		cardRequest, cardResult, cardNotice, "As written", "Details", "Files", "Reasoning", "Image",
		"User", "Assistant", "Tools", "Engine",
		"ready", "invalid", "incomplete", "answered", "dispatched", "unfinished", "not_run", "success", "error", statusWriting, statusDropped,
		"The model invented a result. It was dropped, with everything after it.",
		"This reply is incomplete: it was canceled or truncated.",
		"more bytes are not shown",
	}
}

func (w *writer) raw(parts ...string) {
	for _, p := range parts {
		w.out = append(w.out, p...)
	}
}

// label writes a word that Labels lists.
func (w *writer) label(word string) { w.raw(html.EscapeString(w.o.Label(word))) }

// text writes foreign text, at most maxBytes of it. Invisible characters and those that change the
// order of reading are shown as escapes, so that a card shows all that a call contains.
func (w *writer) text(s string, maxBytes int) {
	omitted := 0
	if len(s) > maxBytes {
		shown := text.Prefix(s, maxBytes)
		s, omitted = shown, len(s)-len(shown)
	}
	written := 0 // bytes of s
	for i, r := range s {
		if r == '\n' || r == '\t' || !hidden(r) {
			continue
		}
		w.raw(html.EscapeString(s[written:i]), `<span class="vcp-hidden">`, html.EscapeString(text.Escape(r)), `</span>`)
		written = i + len(string(r))
		if r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], "\ufffd") {
			written = i + 1 // a byte that is not UTF-8
		}
	}
	w.raw(html.EscapeString(s[written:]))
	w.omittedBytes(omitted)
}

// omittedBytes writes how many bytes are not shown, if there are any.
func (w *writer) omittedBytes(n int) {
	if n > 0 {
		w.raw(`<span class="vcp-more"> … `, strconv.Itoa(n), " ")
		w.label("more bytes are not shown")
		w.raw(`</span>`)
	}
}

// hidden reports whether a character must be shown as an escape.
func hidden(r rune) bool { return text.Hidden(r) || r == unicode.ReplacementChar }

// maxName limits names in cards, in bytes.
const maxName = 256

// card writes a card. A card is a group with a name, so that a screen reader announces it.
func (w *writer) card(c *card) {
	name := text.Prefix(strings.Map(func(r rune) rune {
		if hidden(r) {
			return '?'
		}
		return r
	}, c.name), maxName)
	w.raw(`<div class="vcp-card vcp-`, strings.ToLower(c.kind), `" role="group" aria-label="`)
	w.label(c.kind)
	if name != "" {
		w.raw(" ", html.EscapeString(name))
	}
	w.raw(": ")
	w.label(c.status)
	w.raw(`"`)
	w.attribute("data-vcp-id", c.id)
	w.attribute("data-vcp-status", c.status)
	if c.busy {
		w.raw(` aria-busy="true"`)
	}
	w.raw(`><p class="vcp-head"><span class="vcp-kind">`)
	w.label(c.kind)
	w.raw(`</span> `)
	if c.name != "" {
		w.raw(`<code class="vcp-name">`)
		w.text(c.name, maxName)
		w.raw(`</code> `)
	}
	w.raw(`<span class="vcp-status">`)
	w.label(c.status)
	w.raw("</span></p>\n")
	w.arguments(c.arguments)
	w.block("vcp-problem", c.problem)
	w.block("vcp-advice", c.advice)
	w.block("vcp-body", c.body)
	w.folded("vcp-folded", "As written", c.raw)
	w.folded("vcp-folded", "Details", c.details)
	w.folded("vcp-folded", "Files", strings.Join(c.files, "\n"))
	w.raw("</div>\n")
}

// results writes results as cards.
func (w *writer) results(list []chat.Outcome) {
	for i := range list {
		w.card(resultCard(&list[i]))
	}
}

// attribute writes an attribute by which a page can find a card. It writes nothing if the value is
// "" or longer than maxName.
func (w *writer) attribute(name, value string) {
	if value != "" && len(value) <= maxName {
		w.raw(" ", name, `="`, html.EscapeString(text.Valid(value)), `"`)
	}
}

func (w *writer) arguments(list []argument) {
	if len(list) == 0 {
		return
	}
	w.raw(`<dl class="vcp-arguments">`)
	for _, a := range list {
		w.raw(`<dt>`)
		w.text(a.name, maxName)
		w.raw(`</dt><dd><pre>`)
		w.text(string(a.value), w.o.MaxValueBytes)
		w.raw("</pre></dd>\n")
	}
	w.raw("</dl>\n")
}

// block writes text on its own lines; nothing if it is "".
func (w *writer) block(class, s string) {
	if s != "" {
		w.raw(`<pre class="`, class, `">`)
		w.text(s, w.o.MaxValueBytes)
		w.raw("</pre>\n")
	}
}

// folded writes text that is hidden until a person opens it.
func (w *writer) folded(class, title, s string) {
	if s != "" {
		w.raw(`<details class="`, class, `"><summary>`)
		w.label(title)
		w.raw("</summary><pre>")
		w.text(s, w.o.MaxValueBytes)
		w.raw("</pre></details>\n")
	}
}
