package markdown_test

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/work"
)

// TestUnracedTheHTMLOfHostileMarkdownIsLimited renders texts for which the work or the output of
// goldmark alone would grow with the square of their length. Work that grows so shows only as a
// test that takes minutes.
func TestUnracedTheHTMLOfHostileMarkdownIsLimited(t *testing.T) {
	longtest.SkipIfRaced(t)
	const n = 50_000
	const maxHTML = 40 * n // bytes; output that grows with the square of the length is much longer
	r := newRenderer(t)
	e, err := markdown.Extension(markdown.Options{Protocols: protocols})
	require.NoError(t, err)
	md := goldmark.New(goldmark.WithExtensions(extension.Table, e)) // as an application makes it
	for name, in := range map[string]string{
		"quotes in one line":        strings.Repeat("> ", n/2),
		"lists in one line":         strings.Repeat("1. ", n/3),
		"links without end":         strings.Repeat("[a](", n/4),
		"emphasis":                  strings.Repeat("*a_ ", n/4),
		"a table of many columns":   strings.Repeat("|a", n/8) + "\n" + strings.Repeat("|-", n/8) + "\n" + strings.Repeat("a\n", n/8),
		"a table of short rows":     strings.Repeat("|a", 60) + "\n" + strings.Repeat("|-", 60) + "\n" + strings.Repeat("a\n", n/2),
		"one long address":          "[a]: https://e.example/" + strings.Repeat("x", n/2) + "\n\n" + strings.Repeat("[a]\n\n", n/10),
		"one address in many links": "[a]: https://e.example/" + strings.Repeat("x", 2000) + "\n\n" + strings.Repeat("[a]\n\n", n/5),
		"many definitions":          strings.Repeat("[a]: /b\n", n/8),
		"backticks without end":     strings.Repeat("\\```\n", n/5),
	} {
		t.Run(name, func(t *testing.T) {
			page := r.AppendText(nil, in)
			require.Less(t, len(page), maxHTML, "the renderer")
			require.Nil(t, activeContent(page))
			var out bytes.Buffer
			require.NoError(t, md.Convert([]byte(in), &out))
			require.Less(t, out.Len(), maxHTML, "the extension")
		})
	}
}

func TestUnracedTheWorkOfTheExtensionIsLinear(t *testing.T) {
	longtest.SkipIfRaced(t)
	e, err := markdown.Extension(markdown.Options{Protocols: protocols})
	require.NoError(t, err)
	md := goldmark.New(goldmark.WithExtensions(e))
	examinedBytes := func(sections int) int {
		in := []byte(strings.Repeat("a\n<think>b</think>\n", sections))
		return work.Count(func() { require.NoError(t, md.Convert(in, io.Discard)) })
	}
	require.Less(t, examinedBytes(4000), 5*examinedBytes(1000),
		"a text of four times the length takes about four times the work")
}

// TestCodeSpansAreThoseOfGoldmark checks that the search for closing backticks changes no HTML.
func TestCodeSpansAreThoseOfGoldmark(t *testing.T) {
	r := newRenderer(t)
	plain := goldmark.New(goldmark.WithExtensions(extension.Table))
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"`", "``", "```", "\\", "a", " ", "\n", "\n\n", "> ", "- ", "    ", "\t", "|", "|-|-|\n", "*", "[a](/b)"}
		in := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		var want bytes.Buffer
		require.NoError(t, plain.Convert([]byte(in), &want))
		got := r.AppendText(nil, in)
		require.Equal(t, codeIn(want.String()), codeIn(string(got)))
	})
}

var code = regexp.MustCompile("(?s)<code[^>]*>(.*?)</code>")

// codeIn returns the texts of the code elements of a page.
func codeIn(page string) (texts []string) {
	for _, m := range code.FindAllStringSubmatch(page, -1) {
		texts = append(texts, m[1])
	}
	return texts
}

// TestALongTableIsATable checks that the number of rows of an ordinary table is not limited.
func TestALongTableIsATable(t *testing.T) {
	for name, header := range map[string]string{"with outer bars": "|a|b|\n|-|-|\n", "without outer bars": "a|b\n-|-\n"} {
		t.Run(name, func(t *testing.T) {
			row := strings.SplitAfter(header, "\n")[0]
			page := newRenderer(t).AppendText(nil, header+strings.Repeat(row, 5000))
			require.Equal(t, 2*5000, strings.Count(string(page), "<td"))
		})
	}
}
