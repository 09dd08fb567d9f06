package htmltext_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/builtin/internal/htmltext"
)

var base = &url.URL{Scheme: "https", Host: "example.org", Path: "/docs/"}

func TestAPageBecomesMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, html, want string }{
		{
			"paragraphs and headings", "<h1>A <b>title</b></h1><p>One\n  two.</p><div>Three<br>four</div>",
			"# A title\n\nOne two.\n\nThree\nfour",
		},
		{"nested lists", "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>", "- a\n  1. b\n  2. c\n- d"},
		{
			"links are absolute", `See <a href="../x?a=1(2)">this</a>, <a href="javascript:alert(1)">that</a> and <a href="#top">top</a>.`,
			"See [this](https://example.org/x?a=1%282%29), that and top.",
		},
		{
			"code keeps its lines", "<p>Use <code>a  b</code>:</p><pre>if x:\n    y()\n</pre><p>z</p>",
			"Use `a b`:\n\n```\nif x:\n    y()\n```\n\nz",
		},
		{"tables", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"},
		{"blockquotes", "<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n\n> b\n\nc"},
		{
			"elements whose text is omitted",
			"<script>var a = '<p>no</p>'</script><style>p{}</style><p>yes</p><svg><svg></svg><text>no</text></svg><template><p>no</p></template>!",
			"yes\n\n!",
		},
		{"character references", "a &lt;b&gt; &amp; c&nbsp;d &#20013;", "a <b> & c d 中"},
		{"images as their alternative text", `<img alt="A cat" src="x"><img src="y">`, "[image: A cat]"},
		{"unclosed elements", "<ul><li>a<li><a href=/b>b<p>c", "- a\n- [b\n\nc](https://example.org/b)"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, _, err := htmltext.Markdown(strings.NewReader(tt.html), base)
			require.NoError(t, err)
			require.Equal(t, tt.want, text)
		})
	}
	text, title, err := htmltext.Markdown(strings.NewReader(`<html><head><title> A
 page </title></head><body><a href="x">y</a></body></html>`), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"y", "A page"}, []string{text, title})
}

func TestALongTitleEndsBetweenTwoCharacters(t *testing.T) {
	_, title, err := htmltext.Markdown(strings.NewReader("<title>"+strings.Repeat("a", 999)+"é</title>"), base)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("a", 999), title)
}

// TestManyLinksDoNotMakeALongText resolves short links against a long address.
func TestManyLinksDoNotMakeALongText(t *testing.T) {
	long := &url.URL{Scheme: "https", Host: "example.org", Path: "/" + strings.Repeat("a", 1900) + "/"}
	text, _, err := htmltext.Markdown(strings.NewReader(strings.Repeat("<a href=x>y</a>", 10_000)), long)
	require.NoError(t, err)
	require.Less(t, len(text), 5<<20)
}

// FuzzMarkdown checks that the Markdown is UTF-8 if the page is, and at most about 64 times as long
// as the page.
func FuzzMarkdown(f *testing.F) {
	f.Add("<ul><li><pre><a href=x>b</pre>")
	f.Add(strings.Repeat("<blockquote><ul><li>", 50))
	f.Fuzz(func(t *testing.T, page string) {
		text, _, err := htmltext.Markdown(strings.NewReader(page), base)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 64*len(page)+100 {
			t.Errorf("%d bytes became %d", len(page), len(text))
		}
		if utf8.ValidString(page) && !utf8.ValidString(text) {
			t.Errorf("not UTF-8: %q", text)
		}
	})
}
