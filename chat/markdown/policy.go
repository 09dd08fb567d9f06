package markdown

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

var (
	cardClass     = regexp.MustCompile(`^vcp-[a-z]+( vcp-[a-z]+)*$`)
	languageClass = regexp.MustCompile(`^language-[\w+#.-]{1,40}$`)
	cardRole      = regexp.MustCompile(`^(group|log)$`)
	boolean       = regexp.MustCompile(`^(true|false)$`)
	alignment     = regexp.MustCompile(`^(left|center|right)$`)
	lazy          = regexp.MustCompile(`^lazy$`)
	noReferrer    = regexp.MustCompile(`^no-referrer$`)
	withoutNUL    = regexp.MustCompile(`^[^\x00]*$`)
)

// Policy returns the filter for HTML that Extension has rendered. It allows the elements of
// Markdown and of cards, and links to absolute addresses of the schemes http, https and mailto. It
// allows no images, scripts, styles, forms, frames, ids or names. The caller owns the policy and
// may extend it before its first use.
func Policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "em", "strong", "del", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6",
		"pre", "code", "table", "thead", "tbody", "tr", "th", "td", "div", "span", "details", "summary", "dl", "dt", "dd", "article")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("align").Matching(alignment).OnElements("th", "td")
	p.AllowAttrs("class").Matching(languageClass).OnElements("code")
	p.AllowAttrs("class").Matching(cardClass).OnElements("div", "span", "p", "pre", "code", "details", "dl", "article")
	p.AllowAttrs("role").Matching(cardRole).OnElements("div")
	p.AllowAttrs("aria-busy").Matching(boolean).OnElements("div")
	p.AllowAttrs("aria-label").Matching(withoutNUL).OnElements("div", "article")
	p.AllowAttrs("data-vcp-id", "data-vcp-status").Matching(withoutNUL).OnElements("div", "article")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(false)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
}
