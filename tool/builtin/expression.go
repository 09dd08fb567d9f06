package builtin

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
	"unicode"
)

// Bounds of an expression: far beyond what anyone writes, and little enough that reading one is done at once and on a small stack.
const (
	maxExpression = 4096 // runes
	maxDepth      = 100  // parentheses, signs and powers within one another
	maxArguments  = 256  // of a function
)

// stepsPerOperation is what one operation with the longest numbers takes, in steps: up to a millisecond.
const stepsPerOperation = 1 << 17

// expressionError is a mistake at a place in an expression.
type expressionError struct {
	at   int // in characters, from 1
	text string
	err  error // nil for a mistake in writing
}

func (e *expressionError) Error() string {
	if e.err != nil {
		return fmt.Sprintf("at character %d: %s: %v", e.at, e.text, e.err)
	}
	return fmt.Sprintf("at character %d: %s", e.at, e.text)
}

func (e *expressionError) Unwrap() error { return e.err }

// evaluateExpression calculates the value of
//
//	sum     = product { ("+" | "-") product }
//	product = signed { ("*" | "/" | "%") signed }
//	signed  = ("-" | "+" | "√") signed | power
//	power   = operand [ "^" signed ]
//	operand = number | name [ "(" [ sum { "," sum } ] ")" ] | "(" sum ")"
//
// so that -2^2 is -4, and 2^3^2 is 2^9.
func evaluateExpression(ctx context.Context, text string) (value, error) {
	src := []rune(tidy(text))
	if len(src) > maxExpression {
		return value{}, fmt.Errorf("the expression has %d characters, and at most %d are calculated", len(src), maxExpression)
	}
	if len(src) == 0 {
		return value{}, fmt.Errorf("the expression is empty: write one such as 17*23")
	}
	p := &expression{work: work{ctx: ctx}, src: src}
	v, err := p.sum()
	if err != nil {
		return value{}, err
	}
	if p.next() != end {
		return value{}, p.unexpected()
	}
	return v, nil
}

// tidy cuts what people put around an expression: blanks, and the sign that asks for the result.
func tidy(text string) string {
	return strings.TrimLeftFunc(strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("=?＝？", r)
	}), unicode.IsSpace)
}

// expression reads and calculates at once.
type expression struct {
	work  work
	src   []rune
	pos   int
	depth int
}

// end stands for the end of the expression.
const end = rune(-1)

// spellings are other ways to write the signs that an expression is made of. Full-width forms are taken care of apart.
var spellings = map[rune]rune{
	'×': '*', '⋅': '*', '·': '*', '∙': '*', '✕': '*', '✖': '*', '÷': '/', '∕': '/', '−': '-', '–': '-', '—': '-', '，': ',', '、': ',',
	'[': '(', ']': ')', '{': '(', '}': ')',
}

// plain is the usual spelling of r.
func plain(r rune) rune {
	if r >= '！' && r <= '～' { // the full-width block mirrors ASCII
		r -= '！' - '!'
	}
	if s, ok := spellings[r]; ok {
		return s
	}
	return r
}

// next is the next sign that is no blank, without reading it.
func (p *expression) next() rune {
	for p.pos < len(p.src) && unicode.IsSpace(p.src[p.pos]) {
		p.pos++
	}
	return p.peek(0)
}

func (p *expression) peek(ahead int) rune {
	if p.pos+ahead >= len(p.src) {
		return end
	}
	return plain(p.src[p.pos+ahead])
}

func (p *expression) fail(at int, format string, args ...any) error {
	return &expressionError{at: at + 1, text: fmt.Sprintf(format, args...)}
}

// unexpected says that what stands here cannot follow what stands before.
func (p *expression) unexpected() error {
	r := p.next()
	switch {
	case r == end:
		return p.fail(p.pos, "the expression ends where a number was expected")
	case r == ')':
		return p.fail(p.pos, "a ) without its (")
	case r == ',':
		return p.fail(p.pos, "a comma outside of a function; write numbers without thousands separators, and fractions with a point")
	case r == '(' || r == '.' || isDigit(r) || unicode.IsLetter(r):
		return p.fail(p.pos, "an operator such as * is missing before %q", r)
	case r == '!':
		return p.fail(p.pos, "write factorial(n) for n!")
	}
	return p.fail(p.pos, "%q is not known here", r)
}

// enter counts a level of nesting.
func (p *expression) enter() error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(p.pos, "nested more than %d levels deep", maxDepth)
	}
	return p.work.add(stepsPerOperation)
}

func (p *expression) leave() { p.depth-- }

// operation applies a binary operator that stands at a place.
func (p *expression) operation(at int, do func(a, b value) (value, error), a, b value) (value, error) {
	if err := p.work.add(stepsPerOperation); err != nil {
		return value{}, err
	}
	v, err := do(a, b)
	if err != nil {
		return value{}, &expressionError{at: at + 1, text: fmt.Sprintf("%q cannot be calculated", p.src[at]), err: err}
	}
	return v, nil
}

func (p *expression) sum() (value, error) {
	v, err := p.product()
	for err == nil {
		do := add
		switch p.next() {
		case '+':
		case '-':
			do = subtract
		default:
			return v, nil
		}
		at := p.pos
		p.pos++
		var w value
		if w, err = p.product(); err == nil {
			v, err = p.operation(at, do, v, w)
		}
	}
	return value{}, err
}

func (p *expression) product() (value, error) {
	v, err := p.signed()
	for err == nil {
		do := multiply
		switch p.next() {
		case '*':
		case '/':
			do = divide
		case '%':
			do = remainder
		default:
			return v, nil
		}
		at := p.pos
		p.pos++
		if r := p.next(); plain(p.src[at]) == '%' && (r == end || strings.ContainsRune(")*/+^,", r)) {
			return value{}, p.fail(at, "%% is the remainder of a division and needs a number after it; for per cent divide by 100")
		}
		var w value
		if w, err = p.signed(); err == nil {
			v, err = p.operation(at, do, v, w)
		}
	}
	return value{}, err
}

func (p *expression) signed() (value, error) {
	if err := p.enter(); err != nil {
		return value{}, err
	}
	defer p.leave()
	switch r := p.next(); r {
	case '-', '+', '√':
		at := p.pos
		p.pos++
		v, err := p.signed()
		switch {
		case err != nil || r == '+':
			return v, err
		case r == '-':
			return v.negate(), nil
		}
		return p.call(at, "sqrt", []value{v})
	}
	return p.power()
}

func (p *expression) power() (value, error) {
	v, err := p.operand()
	if err != nil || p.next() != '^' && (p.next() != '*' || p.peek(1) != '*') {
		return v, err
	}
	at := p.pos
	if p.peek(0) == '*' {
		p.pos++
	}
	p.pos++
	w, err := p.signed()
	if err != nil {
		return value{}, err
	}
	return p.operation(at, power, v, w)
}

func (p *expression) operand() (value, error) {
	switch r := p.next(); {
	case r == '(':
		return p.group()
	case isDigit(r) || r == '.':
		return p.number()
	case unicode.IsLetter(r):
		return p.name()
	case r == end || r == ')' || r == ',':
		return value{}, p.fail(p.pos, "a number was expected, and %s", found(r))
	}
	return value{}, p.unexpected()
}

// found names a sign in a sentence.
func found(r rune) string {
	if r == end {
		return "the expression ends"
	}
	return fmt.Sprintf("there is %q", r)
}

func (p *expression) group() (value, error) {
	at := p.pos
	p.pos++
	v, err := p.sum()
	if err != nil {
		return value{}, err
	}
	if r := p.next(); r != ')' {
		if r == end {
			return value{}, p.fail(at, "this ( is never closed")
		}
		return value{}, p.unexpected()
	}
	p.pos++
	return v, nil
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// number reads digits with or without a point and an exponent.
func (p *expression) number() (value, error) {
	at := p.pos
	var text strings.Builder
	digits := func() (n int) {
		for ; isDigit(p.peek(0)); p.pos++ {
			text.WriteRune(p.peek(0))
			n++
		}
		return n
	}
	n := digits()
	if p.peek(0) == '.' {
		p.pos++
		text.WriteByte('.')
		n += digits()
	}
	if n == 0 {
		return value{}, p.fail(at, "a point without digits")
	}
	if e, sign := p.peek(0), p.peek(1); e == 'e' || e == 'E' {
		if isDigit(sign) || (sign == '-' || sign == '+') && isDigit(p.peek(2)) {
			text.WriteByte('e')
			p.pos++
			if !isDigit(sign) {
				text.WriteRune(sign)
				p.pos++
			}
			if digits() > 4 { // an exponent of five digits makes a number past maxBits
				return value{}, &expressionError{at: at + 1, text: "this number cannot be calculated with", err: errTooLarge}
			}
		}
	}
	r, ok := new(big.Rat).SetString(text.String())
	if !ok {
		return value{}, p.fail(at, "%q is no number", text.String())
	}
	v, err := fitted(r)
	if err != nil {
		return value{}, &expressionError{at: at + 1, text: "this number cannot be calculated with", err: err}
	}
	return v, nil
}

// name reads a constant or a function and its arguments.
func (p *expression) name() (value, error) {
	at := p.pos
	var b strings.Builder
	for r := p.peek(0); unicode.IsLetter(r) || isDigit(r) || r == '_'; r = p.peek(0) {
		b.WriteRune(unicode.ToLower(r))
		p.pos++
	}
	name := b.String()
	if p.next() != '(' {
		switch name {
		case "pi", "π":
			return value{rounded: math.Pi}, nil
		case "e":
			return value{rounded: math.E}, nil
		case "tau", "τ":
			return value{rounded: 2 * math.Pi}, nil
		}
		if _, ok := functions[name]; ok {
			return value{}, p.fail(at, "%s is a function: write %s(…)", name, name)
		}
		return value{}, p.fail(at, "the name %q is not known; the constants are pi and e, and the functions %s", cut(name, 30), functionNames)
	}
	if _, ok := functions[name]; !ok {
		if name == "pi" || name == "π" || name == "e" {
			return value{}, p.fail(p.pos, "an operator such as * is missing before '('")
		}
		return value{}, p.fail(at, "there is no function %q; the functions are %s", cut(name, 30), functionNames)
	}
	args, err := p.arguments()
	if err != nil {
		return value{}, err
	}
	return p.call(at, name, args)
}

// arguments reads what stands in the parentheses of a function.
func (p *expression) arguments() ([]value, error) {
	open := p.pos
	p.pos++
	if p.next() == ')' {
		p.pos++
		return nil, nil
	}
	var args []value
	for {
		v, err := p.sum()
		if err != nil {
			return nil, err
		}
		if args = append(args, v); len(args) > maxArguments {
			return nil, p.fail(open, "more than %d arguments", maxArguments)
		}
		switch p.next() {
		case ',', ';':
			p.pos++
		case ')':
			p.pos++
			return args, nil
		case end:
			return nil, p.fail(open, "this ( is never closed")
		default:
			return nil, p.unexpected()
		}
	}
}

// call applies a function that stands at a place.
func (p *expression) call(at int, name string, args []value) (value, error) {
	f := functions[name]
	if len(args) < f.least || len(args) > f.most {
		return value{}, p.fail(at, "%s takes %s, not %d", name, f.takes(), len(args))
	}
	if err := p.work.add(stepsPerOperation); err != nil {
		return value{}, err
	}
	v, err := f.apply(&p.work, args)
	if err != nil {
		return value{}, &expressionError{at: at + 1, text: name + " cannot be calculated", err: err}
	}
	return v, nil
}
