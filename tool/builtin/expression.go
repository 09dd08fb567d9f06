package builtin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"text/scanner"
	"unicode"
	"unicode/utf8"
)

const (
	maxExpression     = 4096 // characters
	maxDepth          = 100  // parentheses, signs and powers within one another
	maxArguments      = 256  // of a function
	maxTurn           = 0.1  // radians by which an angle may be off
	anyOff            = math.MaxFloat64
	stepsPerOperation = 1 << 17 // that one operation on the longest numbers takes: up to a millisecond
)

// usualSigns replaces other spellings of a sign, each by as many characters.
var usualSigns = strings.NewReplacer("×", "*", "⋅", "*", "·", "*", "∙", "*", "✕", "*", "✖", "*", "＊", "*", "÷", "/",
	"∕", "/", "／", "/", "−", "-", "–", "-", "—", "-", "－", "-", "＋", "+", "％", "%", "＾", "^", "**", "^ ", "，", ",",
	"、", ",", "；", ",", ";", ",", "．", ".", "（", "(", "）", ")", "[", "(", "]", ")", "{", "(", "}", ")", "\u3000", " ",
	"\n", " ", "０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9")

var (
	// bareLists are lists as the only argument of a function, such as sum([1, 2]).
	bareLists = regexp.MustCompile(`[(（] ?\[([^\[\]]*)\] ?[)）]`)
	// commaNumbers are numbers with commas in them, such as 1,000 or 3,5.
	commaNumbers = regexp.MustCompile(`[0-9]+(,[0-9]+)+`)
	// thousands are those that can only be meant as one number.
	thousands = regexp.MustCompile(`\b[1-9][0-9]{0,2}(,[0-9]{3})*,0[0-9]{2}\b`)
)

// An operator has a precedence. The operand on its right may contain operators of at least the
// precedence right.
var operators = map[string]struct {
	binds, right int
	do           operation
}{"+": {1, 2, add}, "-": {1, 2, subtract}, "*": {2, 3, multiply}, "/": {2, 3, divide}, "%": {2, 3, modulo}, "^": {3, 3, power}}

var (
	pi, tau   = rounded(math.Pi, 0), rounded(2*math.Pi, 0)
	constants = map[string]number{"pi": pi, "π": pi, "e": rounded(math.E, 0), "tau": tau, "τ": tau}
	functions = map[string]function{
		"abs": one(magnitude), "sign": one(sign), "floor": one(floor), "ceil": one(ceiling), "trunc": one(truncate),
		"sqrt": one(root), "factorial": one(factorial), "mod": {2, 2, modulo}, "pow": {2, 2, power}, "round": {1, 2, round},
		"cbrt": curve(math.Cbrt, anyOff), "exp": curve(math.Exp, anyOff), "ln": curve(math.Log, anyOff), "log2": curve(math.Log2, anyOff), "log10": curve(math.Log10, anyOff),
		"log": {1, 2, approximate(func(x, y float64) float64 { return math.Log(x) / math.Log(y) })},
		"sin": curve(math.Sin, maxTurn), "cos": curve(math.Cos, maxTurn), "tan": curve(math.Tan, maxTurn), "hypot": {2, 2, approximate(math.Hypot)},
		"asin": curve(math.Asin, anyOff), "acos": curve(math.Acos, anyOff), "atan": curve(math.Atan, anyOff), "atan2": {2, 2, approximate(math.Atan2)},
		"rad": curve(func(x float64) float64 { return x / 180 * math.Pi }, anyOff),
		"deg": curve(func(x float64) float64 { return x / math.Pi * 180 }, anyOff),
		"sum": {1, maxArguments, add}, "avg": {1, maxArguments, add}, "mean": {1, maxArguments, add},
		"gcd": {2, maxArguments, gcd}, "lcm": {2, maxArguments, lcm},
		"min": {1, maxArguments, func(x, y number) number { return [...]number{x, x, y}[1+subtract(x, y).sign()] }},
		"max": {1, maxArguments, func(x, y number) number { return [...]number{y, x, x}[1+subtract(x, y).sign()] }},
	}
	// seconds are the default values of optional arguments.
	seconds = map[string]number{"round": whole(0), "log": whole(10)}
)

// function takes so many arguments. One of up to maxArguments joins two at a time.
type function struct {
	least, most int
	do          operation
}

func one(do func(x number) number) function {
	return function{1, 1, func(x, _ number) number { return do(x) }}
}

// curve is a function of one float, with an error of at most most.
func curve(do func(float64) float64, most float64) function {
	return one(func(x number) number {
		if _, off := x.float(); off > most {
			panic(unknown)
		}
		return approximate(func(x, _ float64) float64 { return do(x) })(x, half)
	})
}

// evaluateExpression calculates numbers, constants and functions with signs and operators between
// them. Powers bind closer than signs, so -2^2 is -4, and from the right, so 2^3^2 is 2^9.
func evaluateExpression(ctx context.Context, text string) (x number, err error) {
	text = usualSigns.Replace(bareLists.ReplaceAllString(trimExpression(text), "( $1 )"))
	switch n := utf8.RuneCountInString(text); {
	case n > maxExpression:
		return number{}, fmt.Errorf("the expression has %d characters, and at most %d are allowed; split it", n, maxExpression)
	case n == 0:
		return number{}, errors.New("the expression is empty; write one such as 17*23")
	}
	e := &expression{work: work{ctx: ctx}, text: text}
	if grouped := thousands.FindString(text); grouped != "" {
		return number{}, fmt.Errorf("%s has a comma; write numbers without thousands separators%s", cut(grouped, 30), e.commaHint())
	}
	e.scanner.Init(strings.NewReader(text))
	e.scanner.Mode = scanner.ScanIdents | scanner.ScanFloats
	e.scanner.Error = func(*scanner.Scanner, string) {} // operand reports malformed numbers
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case fault:
			err = fmt.Errorf("at character %d: %s%w", e.at, e.doing, cause.error)
		default:
			panic(cause)
		}
	}()
	e.advance()
	x = e.value(1)
	e.expect("")
	return x, nil
}

// trimExpression removes blanks around an expression, and the "=" or "?" at its end.
func trimExpression(text string) string {
	return strings.TrimSpace(strings.TrimRight(text, "=?＝？ \u3000\t\r\n"))
}

// expression evaluates while it parses. It panics with a fault.
type expression struct {
	work    work
	scanner scanner.Scanner
	text    string
	token   string // the next one; "" at the end
	at      int    // its place, in characters from 1
	doing   string // prefix of an error: the operation
	depth   int
}

func (e *expression) advance() {
	e.scanner.Scan()
	e.token, e.at = e.scanner.TokenText(), e.scanner.Position.Column
}

func (e *expression) fail(at int, format string, args ...any) {
	e.at = at
	panic(fault{fmt.Errorf(format, args...)})
}

var hints = map[string]string{
	"":  "a number or a ) was expected, but the expression ends",
	")": "a number was expected, or this ) is without its (",
	",": "a comma outside of a function; write numbers without thousands separators, and fractions with a point",
	"!": "write factorial(n) for n!",
}

// expect skips a token, which must be the next one; "" is the end.
func (e *expression) expect(token string) {
	if hint := hints[e.token]; e.token != token && hint != "" {
		if e.token == "," {
			hint += e.commaHint()
		}
		e.fail(e.at, "%s", hint)
	} else if first, _ := utf8.DecodeRuneInString(e.token); e.token != token && (unicode.IsLetter(first) || unicode.Is(unicode.Sc, first) || first == '°') {
		e.fail(e.at, "%q is not expected here; an operator such as * may be missing before it; leave out units", cut(e.token, 30))
	} else if e.token != token {
		e.fail(e.at, "%q is not expected here; an operator such as * may be missing before it", cut(e.token, 30))
	}
	e.advance()
}

// commaHint shows the right form of the first number that has a comma in it; "" if there is none.
func (e *expression) commaHint() string {
	number := commaNumbers.FindString(e.text)
	if number == "" || len(number) > 30 {
		return ""
	}
	whole, point := strings.ReplaceAll(number, ",", ""), strings.Replace(number, ",", ".", 1)
	if strings.Contains(point, ",") || thousands.MatchString(number) {
		return fmt.Sprintf(": %s for %s", whole, number)
	}
	if len(number)-strings.IndexByte(number, ',') == len(",000") {
		return fmt.Sprintf(": %s or %s for %s", whole, point, number)
	}
	return fmt.Sprintf(": %s for %s", point, number)
}

// calculate applies the function or operator that is written at a place.
func (e *expression) calculate(at int, name string, do operation, x, y number) number {
	if err := e.work.add(stepsPerOperation); err != nil {
		panic(fault{err})
	}
	next := e.at
	e.at, e.doing = at, name+" cannot be calculated: "
	z := do(x, y)
	e.at, e.doing = next, ""
	return z
}

// value reads operands and the operators between them, of at least that precedence.
func (e *expression) value(binds int) number {
	if e.depth++; e.depth > maxDepth {
		e.fail(e.at, "nested more than %d levels deep", maxDepth)
	}
	defer func() { e.depth-- }()
	x := e.operand()
	for {
		name, at, operator := e.token, e.at, operators[e.token]
		if operator.binds < binds {
			return x
		}
		if e.advance(); name == "%" && (e.token == "" || strings.ContainsAny(e.token, ")*/+^,")) {
			e.fail(at, "%% is the remainder of a division and needs a number after it; for per cent divide by 100")
		}
		x = e.calculate(at, "'"+name+"'", operator.do, x, e.value(operator.right))
	}
}

func (e *expression) operand() number {
	token, name, at := e.token, strings.ToLower(e.token), e.at
	constant, isConstant := constants[name]
	_, isFunction := functions[name]
	if _, refused := hints[token]; refused || operators[token].binds > 1 {
		e.expect("an operand")
	}
	switch e.advance(); {
	case token == "(":
		x := e.value(1)
		e.expect(")")
		return x
	case token == "-", token == "+":
		return e.calculate(at, token, operators[token].do, whole(0), e.value(3))
	case token == "√":
		return e.calculate(at, token, power, e.value(3), half)
	case isConstant:
		return constant
	case isFunction && e.token == "(":
		return e.call(at, name)
	case isFunction:
		e.fail(at, "%s is a function: write %s(x)", name, name)
	case name[0] != '.' && (name[0] < '0' || name[0] > '9'):
		e.fail(at, "%q is not known; the constants are pi, tau and e, and the functions %s",
			cut(token, 30), strings.Join(slices.Sorted(maps.Keys(functions)), ", "))
	}
	return e.calculate(at, cut(token, 30), func(_, _ number) number { return literal(name) }, half, half)
}

// literal reads a decimal number. A long exponent would make a number too long to write out.
func literal(text string) number {
	if _, exponent, _ := strings.Cut(text, "e"); len(exponent) > len("-9999") {
		panic(tooLarge)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(fault{errors.New("it is not a decimal number; an operator such as * may be missing in it, or leave out units")})
	}
	return rational(r)
}

// call reads the arguments of a function and applies it.
func (e *expression) call(at int, name string) number {
	f, n := functions[name], 0
	args := [2]number{1: seconds[name]}
	for e.advance(); e.token != ")"; n++ {
		if n > 0 {
			e.expect(",")
		}
		if x := e.value(1); n > 0 && f.most == maxArguments {
			args[0] = e.calculate(at, name, f.do, args[0], x)
		} else if n < f.most {
			args[n] = x
		}
	}
	e.advance()
	switch {
	case n < f.least || n > f.most:
		e.fail(at, "%s takes from %d to %d arguments (got %d)%s", name, f.least, f.most, n, e.commaHint())
	case f.most != maxArguments:
		return e.calculate(at, name, f.do, args[0], args[1])
	case name == "avg" || name == "mean":
		return divide(args[0], whole(n))
	}
	return args[0]
}
