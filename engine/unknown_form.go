package engine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// maxUnknownForm limits a reply that is searched for a request in an unknown form, in bytes.
const maxUnknownForm = 2000

// unknownForm returns the request that a reply seems to consist of, if it is written in a form that
// neither the protocol nor package forms finds. The request has the name of the method, and
// arguments only if package forms can read the whole reply. Such a reply names one visible method,
// and either
//
//   - has a line such as "Action: weather_get" or "tool_name: weather_get"; or
//   - consists of a call such as weather_get("Rome"), whose first value has no name; or
//   - consists of code in fences, or begins with a bracket, the word "function" or the method's
//     name, and gives a value to each argument that the method requires.
//
// Announcements in the reply do not count.
func (v *view) unknownForm(text string) []missedRequest {
	if len(text) > maxUnknownForm {
		return nil
	}
	methods := slices.DeleteFunc(v.engine.options.Registry.Entries(), func(method *tool.Entry) bool {
		return !strings.Contains(text, method.FullName) || !v.visible(method)
	})
	if len(methods) == 0 {
		return nil
	}
	written, isCode := withoutAnnouncements(narrowASCII.Replace(text))
	named := slices.DeleteFunc(methods, func(method *tool.Entry) bool {
		return !isWritten("", method.FullName, `(?:$|[^\pL\pN_])`, written)
	})
	if len(named) != 1 {
		return nil
	}
	method := named[0]
	begins := strings.HasPrefix(written, method.FullName) || requestBeginning.MatchString(written)
	isRequest := isWritten(actionWords, method.FullName, "", written) ||
		isWritten(callBeginning, method.FullName, callEnd, written) ||
		(isCode || begins) && givesArguments(written, method)
	if !isRequest {
		return nil
	}
	req := protocol.ToolRequest{ToolName: method.FullName}
	if list := forms.Loose(text); len(list) == 1 && list[0].ToolName == method.FullName {
		req = list[0]
	}
	return []missedRequest{{ToolRequest: req, written: text, reason: phraseUnknownForm, method: method}}
}

var (
	// narrowASCII replaces wide forms of characters that requests consist of.
	narrowASCII = strings.NewReplacer("＜", "<", "＞", ">", "＝", "=", "：", ":", "｛", "{", "｝", "}", "“", `"`, "”", `"`)

	// requestBeginning matches the beginning of a text that may be a request. Some models write a
	// word before a list of calls, as in functools[{…}].
	requestBeginning = regexp.MustCompile(`^(?:[<{\[【]|function\b|\w+\[\s*\{)`)
)

// callBeginning and callEnd match a text that consists of one call, before and after the method's
// name. The first argument is a value without a name.
const (
	callBeginning = `^(?:print\()?\[?(?:\w+\.)*`
	callEnd       = `\(\s*["'\d{\[][^\n]*\)\]?;?$`
)

// actionWords matches the beginning of a line such as "Action: weather_get" or
// "tool_name: weather_get", up to the name.
const actionWords = `(?im)^[\s*#>-]*(?:action|(?:tool|function)(?:[ _]name)?|(?:调用)?工具(?:名称?|调用)?|行动|动作)[\s*]*:(?:「始」|[\s*])*`

// isWritten reports whether a text contains a name at the beginning of a word. The regular
// expressions before and after must match the text on the two sides of the name.
func isWritten(before, name, after, text string) bool {
	// \b also matches between a Chinese character and an ASCII letter.
	expression, err := regexp.Compile(before + `(?:^|[^\pL\pN_]|\b)` + regexp.QuoteMeta(name) + after)
	return err == nil && expression.MatchString(text) // a name that is not UTF-8 is an error
}

// withoutAnnouncements returns a text without its announcements and the lines of its fences. isCode
// reports whether anything is left and all of it was in fences.
func withoutAnnouncements(text string) (rest string, isCode bool) {
	var b strings.Builder
	inFence := false
	isCode = true
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case isFenceLine(trimmed):
			inFence = !inFence
		case !inFence && (trimmed == "" || isAnnouncement(trimmed)):
		default:
			isCode = isCode && inFence
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String()), isCode && b.Len() > 0
}

// isFenceLine reports whether a line without its indentation opens or closes fenced code.
func isFenceLine(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// givesArguments reports whether a text gives a value to each argument that a method requires, and
// to at least one if the method has arguments.
func givesArguments(text string, method *tool.Entry) bool {
	parameters := method.Method.Parameters.Properties()
	given := 0
	for _, p := range parameters {
		// An equals sign, a colon, a bracket of a tag or a line break is between the name and the
		// value, or the name is a flag, such as --city.
		if isWritten("", p.Name, `[\\"'\x60 \t]*[=:<>\n]`, text) || isWritten("-", p.Name, `[ =]`, text) {
			given++
		} else if p.Required {
			return false
		}
	}
	return given > 0 || len(parameters) == 0
}
