package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// JSON Schema uses the regular expressions of ECMAScript. The validator uses those of Go, which
// lack lookarounds, backreferences and long repetitions. A pattern that Go cannot express is not
// checked, so that a foreign tool stays usable.

// pattern is a regular expression of a schema. It implements jsonschema.Regexp.
type pattern struct {
	written string
	re      *regexp.Regexp // nil if it cannot be compiled
	err     error          // why re is nil
}

func (p *pattern) String() string { return p.written }

// MatchString reports whether text matches. A pattern that cannot be compiled matches any text.
func (p *pattern) MatchString(text string) bool { return p.re == nil || p.re.MatchString(text) }

// compilePattern compiles a regular expression for the validator. It returns a *LimitError if the
// expression is too large. An expression that Go cannot compile is not an error; see pattern.
func compilePattern(written string) (jsonschema.Regexp, error) {
	if patternSize(written) > maxPatterns {
		return nil, &LimitError{"has a pattern that is too large"}
	}
	p := &pattern{written: written}
	var translated string
	if translated, p.err = translatePattern(written); p.err == nil {
		p.re, p.err = regexp.Compile(translated)
	}
	return p, nil
}

// checkRegexFormat checks a value of the format regex. An expression is accepted if Go merely lacks
// its syntax.
func checkRegexFormat(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	compiled, err := compilePattern(text)
	if err != nil {
		return err
	}
	var wrong *syntax.Error
	if p, ok := compiled.(*pattern); ok && errors.As(p.err, &wrong) {
		switch wrong.Code {
		case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidRepeatSize,
			syntax.ErrInvalidCharRange, syntax.ErrLarge:
		default:
			return wrong
		}
	}
	return nil
}

// escapes matches every escape of ECMAScript. Those that Go writes in another way have groups. The
// others must match too: otherwise, in \\u0041, the second backslash would seem to begin an escape.
var escapes = regexp.MustCompile(`\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|c([a-zA-Z])|([pP])\{(?:Script|sc|Script_Extensions|scx|General_Category|gc)=(\w+)\}|(0)|(?s:.))`)

var errHalfPair = errors.New("it contains half of a surrogate pair")

// translatePattern translates the escapes of an ECMAScript regular expression to those of Go.
func translatePattern(written string) (translated string, err error) {
	if !strings.Contains(written, `\`) {
		return written, nil
	}
	hex := func(digits string) rune {
		n, _ := strconv.ParseUint(digits, 16, 32) // the expression allows nothing else
		return rune(n)
	}
	translated = escapes.ReplaceAllStringFunc(written, func(escape string) string {
		m := escapes.FindStringSubmatch(escape)
		switch {
		case m[1] != "": // \u{1F600}
			return `\x{` + m[1] + `}`
		case m[2] != "": // \u4e00; m[3] is the second half of a pair such as \uD83D\uDE00
			code := hex(m[2])
			if m[3] != "" {
				if pair := utf16.DecodeRune(code, hex(m[3])); pair != '\uFFFD' {
					code = pair
				} else {
					err = errHalfPair
				}
			}
			if utf16.IsSurrogate(code) {
				err = errHalfPair
			}
			return fmt.Sprintf(`\x{%x}`, code)
		case m[4] != "":
			return fmt.Sprintf(`\x{%x}`, m[4][0]&0x1f) // \cJ is the control character Ctrl-J
		case m[5] != "": // \p{Script=Han}
			return `\` + m[5] + `{` + m[6] + `}`
		case m[7] != "": // \0
			return `\x{0}`
		}
		return escape
	})
	return translated, err
}

// patternSize estimates the instructions of a regular expression before it is compiled. It returns
// 1 if the expression does not compile.
func patternSize(written string) int {
	if len(written) > maxPatterns { // too long even to be parsed
		return maxPatterns + 1
	}
	translated, err := translatePattern(written)
	if err != nil {
		return 1
	}
	re, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return 1
	}
	return expressionSize(re)
}

func expressionSize(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = max(len(re.Rune), 1)
	}
	for _, sub := range re.Sub {
		size = saturated(size, expressionSize(sub))
	}
	if re.Op == syntax.OpRepeat {
		size = saturatedProduct(size, max(re.Min, re.Max, 1))
	}
	return size
}
