// Package htmltext turns HTML into Markdown for reading: headings, paragraphs, lists, tables, code
// and links. It reads token by token. The length of a token and of the Markdown is limited.
package htmltext

import (
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The limits of a page.
const (
	maxToken   = 1 << 20 // bytes of one tag or one text between tags
	maxText    = 4 << 20 // bytes of Markdown; with relative links, it may be much longer than the page
	maxTitle   = 1000    // bytes of one text in the title; a title of this length gets no more text
	maxAddress = 2000    // bytes of the attribute href of a link
	maxQuotes  = 3       // blockquote signs at the beginning of a line
	maxLists   = 8       // levels of indentation of nested lists
)

// Markdown reads HTML in UTF-8 and returns its text as Markdown, and the title of the page. base is
// the address of the page, to which links are relative; if it is nil, links become plain text. The
// rest of the page is omitted after a token of more than maxToken bytes, and after maxText bytes of
// Markdown. The error is an error of r.
func Markdown(r io.Reader, base *url.URL) (text, title string, err error) {
	z := html.NewTokenizer(r)
	z.SetMaxBuf(maxToken)
	w := &writer{base: base}
	for w.out.Len() < maxText {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) && !errors.Is(err, html.ErrBufferExceeded) {
				return "", "", err
			}
			text, title = w.finish()
			return text, title, nil
		case html.TextToken:
			w.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			w.start(z.Token())
		case html.EndTagToken:
			name, _ := z.TagName()
			w.end(atom.Lookup(name))
		}
	}
	text, title = w.finish()
	return text, title, nil
}

// hidden are elements whose text is omitted, because a browser does not show it, or shows it only
// in a control.
var hidden = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Iframe: true,
	atom.Object: true,
	atom.Select: true, atom.Textarea: true, atom.Button: true, atom.Canvas: true, atom.Audio: true, atom.Video: true,
}

// blocks are elements that begin and end a paragraph.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Header: true,
	atom.Footer: true, atom.Nav: true, atom.Aside: true, atom.Ul: true, atom.Ol: true, atom.Dl: true,
	atom.Table: true, atom.Figure: true, atom.Figcaption: true, atom.Form: true, atom.Fieldset: true,
	atom.Address: true, atom.Details: true, atom.Summary: true, atom.Hr: true, atom.Body: true,
}

// lines are elements that begin and end a line.
var lines = map[atom.Atom]bool{atom.Li: true, atom.Dt: true, atom.Dd: true, atom.Tr: true, atom.Option: true, atom.Caption: true}

var headings = map[atom.Atom]string{
	atom.H1: "# ", atom.H2: "## ", atom.H3: "### ", atom.H4: "#### ", atom.H5: "##### ", atom.H6: "###### ",
}

// writer writes Markdown for the tokens of HTML.
type writer struct {
	base    *url.URL
	out     strings.Builder
	title   strings.Builder
	hidden  atom.Atom // the open element that is a key of the map hidden; 0 if none is open
	depth   int       // how many elements of that name are open
	inTitle bool
	pre     bool   // whether the element pre is open
	lists   []int  // for each open list the number of the next item; 0 for a list without numbers
	quotes  int    // how many blockquotes are open
	gap     int    // how many line breaks come before the next text
	space   bool   // whether a blank comes before the next text
	link    string // address of the open link; "" if no link is open
	cells   int    // how many cells the open row of a table has so far
}

// start handles a start tag.
func (w *writer) start(t html.Token) {
	a := t.DataAtom
	switch {
	case w.hidden != 0:
		if a == w.hidden && t.Type == html.StartTagToken {
			w.depth++
		}
		return
	case hidden[a]:
		if t.Type == html.StartTagToken {
			w.hidden, w.depth = a, 1
		}
		return
	}
	switch {
	case a == atom.Title:
		w.inTitle = true
	case a == atom.Br:
		w.breakLine(1)
	case headings[a] != "":
		w.breakLine(2)
		w.write(headings[a])
	case a == atom.Pre:
		w.breakLine(2)
		w.write("```\n")
		w.pre = true
	case a == atom.Code && !w.pre:
		w.write("`")
	case a == atom.Blockquote:
		w.breakLine(2)
		w.quotes++
	case a == atom.Img:
		if alt := attribute(t, "alt"); strings.TrimSpace(alt) != "" {
			w.text(" [image: " + alt + "] ")
		}
	case a == atom.A:
		w.endLink()
		if w.link = w.address(attribute(t, "href")); w.link != "" {
			w.write("[")
		}
	case a == atom.Td || a == atom.Th:
		if w.cells++; w.cells > 1 {
			w.write(" | ")
		}
	case lines[a]:
		w.line(a)
	case blocks[a]:
		w.breakLine(2)
		if a == atom.Ul || a == atom.Ol {
			if len(w.lists) > 0 {
				w.gap = min(w.gap, 1)
			}
			w.lists = append(w.lists, map[bool]int{true: 1}[a == atom.Ol]) // 1 for ol, 0 for ul
		}
	}
}

// line begins a line: a list item, a row of a table, or another element of lines.
func (w *writer) line(a atom.Atom) {
	w.breakLine(1)
	w.cells = 0
	if a != atom.Li {
		return
	}
	indent := strings.Repeat("  ", min(max(0, len(w.lists)-1), maxLists))
	if n := len(w.lists); n > 0 && w.lists[n-1] > 0 {
		w.write(indent + strconv.Itoa(w.lists[n-1]) + ". ")
		w.lists[n-1]++
	} else {
		w.write(indent + "- ")
	}
}

// end handles an end tag.
func (w *writer) end(a atom.Atom) {
	if w.hidden != 0 {
		if a == w.hidden {
			if w.depth--; w.depth == 0 {
				w.hidden = 0
			}
		}
		return
	}
	switch {
	case a == atom.Title:
		w.inTitle = false
	case a == atom.Pre && w.pre:
		w.pre = false
		if !strings.HasSuffix(w.out.String(), "\n") {
			w.out.WriteByte('\n')
		}
		w.gap, w.space = 0, false
		w.out.WriteString("```")
		w.breakLine(2)
	case a == atom.Code && !w.pre:
		w.out.WriteString("`") // before a pending blank
	case a == atom.Blockquote:
		w.quotes = max(0, w.quotes-1)
		w.breakLine(2)
	case a == atom.A:
		w.endLink()
	case headings[a] != "" || blocks[a]:
		w.breakLine(2)
		if (a == atom.Ul || a == atom.Ol) && len(w.lists) > 0 {
			if w.lists = w.lists[:len(w.lists)-1]; len(w.lists) > 0 {
				w.gap = min(w.gap, 1)
			}
		}
	case lines[a]:
		w.breakLine(1)
	}
}

// endLink closes the open link, before a pending blank or line break.
func (w *writer) endLink() {
	if w.link == "" {
		return
	}
	w.out.WriteString("](" + w.link + ")")
	w.link = ""
}

// address returns the absolute URL of a link if it is an HTTP or HTTPS URL, and otherwise "".
func (w *writer) address(href string) string {
	if w.base == nil || href == "" || strings.HasPrefix(href, "#") || len(href) > maxAddress {
		return ""
	}
	u, err := w.base.Parse(strings.TrimSpace(href))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return strings.NewReplacer("(", "%28", ")", "%29", " ", "%20").Replace(u.String())
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// breakLine ends the line: n is the minimum number of line breaks before the next text.
func (w *writer) breakLine(n int) {
	if w.pre {
		return
	}
	w.gap, w.space = max(w.gap, n), false
}

// write writes text after the pending line breaks or the pending blank.
func (w *writer) write(s string) {
	switch {
	case w.out.Len() > 0 && w.gap > 0:
		w.out.WriteString(strings.Repeat("\n", w.gap))
		w.out.WriteString(strings.Repeat("> ", min(w.quotes, maxQuotes)))
	case w.out.Len() == 0 && w.quotes > 0:
		w.out.WriteString("> ")
	case w.space && w.gap == 0 && w.out.Len() > 0:
		w.out.WriteByte(' ')
	}
	w.gap, w.space = 0, false
	w.out.WriteString(s)
}

// text writes a text of the page. It replaces each run of white space by one blank, except in the
// element pre.
func (w *writer) text(s string) {
	switch {
	case w.hidden != 0:
		return
	case w.inTitle:
		if w.title.Len() < maxTitle {
			w.title.WriteString(strings.ToValidUTF8(s[:min(len(s), maxTitle)], "")) // without half a character
		}
		return
	case w.pre:
		w.out.WriteString(s)
		return
	}
	words := strings.Fields(s)
	if len(words) == 0 {
		w.space = w.space || s != ""
		return
	}
	if strings.TrimLeft(s[:1], " \t\r\n\f") == "" {
		w.space = true
	}
	w.write(strings.Join(words, " "))
	w.space = strings.TrimRight(s[len(s)-1:], " \t\r\n\f") == ""
}

// finish closes open elements, and returns the Markdown and the title.
func (w *writer) finish() (text, title string) {
	w.endLink()
	if w.pre {
		w.out.WriteString("\n```")
	}
	return strings.TrimSpace(w.out.String()), strings.Join(strings.Fields(w.title.String()), " ")
}
