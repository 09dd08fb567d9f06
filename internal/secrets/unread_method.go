package secrets

import (
	"regexp"
	"strings"
)

// The name of a method has the form of a request if a bracket, a quotation mark or an assignment is
// directly before or after it.
var (
	beforeMethod = regexp.MustCompile(`["'“<＜=＝:：(\[{「」始>/][ \t]*$`)
	afterMethod  = regexp.MustCompile(`^["'”\\]{0,4}[ \t]{0,4}[(（<＜>＞:：=＝\[{｛「,]|^["'”]`)
)

// actionLine matches the text before the name in a line such as "Action: NAME".
var actionLine = regexp.MustCompile(
	`(?i)(?:action|tool|function|name|工具|行动|动作)["'*]{0,4}[ \t]{0,4}[:：=][ \t*"']{0,4}$`)

// methodPart returns the longest possible range of a request for the method whose name is
// text[at:end]. It returns 0, 0 if the name does not have the form of a request.
func (f *unreadFinder) methodPart(at, end int) (from, to int) {
	before, after := f.text[max(0, at-nearby):at], f.text[end:min(len(f.text), end+nearby)]
	if !beforeMethod.MatchString(before) && !afterMethod.MatchString(after) {
		return 0, 0
	}
	p := f.paragraph(at)
	switch {
	// After a quotation mark the name is in JSON, whose brackets show the end.
	case actionLine.MatchString(before) && !strings.HasSuffix(strings.TrimSpace(before), `"`):
		return p.from, len(f.text) // the arguments follow on other lines
	case strings.HasSuffix(before, "<"):
		return p.from, f.endAfter(end, "</")
	}
	if n := end + len(after) - len(strings.TrimLeft(after, "\"'”\\ \t")); n < len(f.text) {
		p.to = max(p.to, f.endAfterBrackets(n))
	}
	return p.from, p.to
}
