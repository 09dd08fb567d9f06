package builtin

import (
	"context"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"text/scanner"

	"golang.org/x/text/width"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

type evaluateInput struct {
	Expression string `json:"expression" maxLength:"4096" jsonschema:"the arithmetic expression to calculate, such as 17*23 or (2+3)^2 / sqrt(16)"`
}

// evaluateDetails are the details of a result of calculator_evaluate, for programs.
type evaluateDetails struct {
	Expression string `json:"expression"`
	Result     string `json:"result"`
	Exact      bool   `json:"exact"`
}

// Calculator returns the tool that does arithmetic. Whole numbers, fractions and decimals are
// calculated exactly. If an operation has no exact result, its result is rounded and marked with ≈,
// and shows only the digits that are certain.
func Calculator() (tool.Tool, error) {
	return newTool("calculator", "Calculator", "Arithmetic.", evaluateMethod)
}

func evaluateMethod() (tool.Method, error) {
	return tool.New("evaluate",
		"Calculates the value of an arithmetic expression, exactly: what is 17*23, how much is 12.5% of 80 (written 80*12.5/100), "+
			"compute a sum, difference, product, quotient, power or root. Knows + - * / % (remainder) ^ "+
			"and parentheses, the constants pi, tau and e, "+
			"and the functions sqrt, cbrt, abs, sign, min, max, sum, mean (or avg), round(x, digits), floor, ceil, "+
			"trunc, mod, gcd, lcm, factorial, pow, exp, ln, log (base 10, or log(x, base)), "+
			"log2, hypot, sin, cos, tan, asin, acos, atan, atan2 (angles in radians; rad and deg convert).",
		evaluate, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Calculate"),
		tool.Example(map[string]any{"expression": "17*23"}))
}

func evaluate(ctx context.Context, in evaluateInput) (tool.Output, error) {
	shown := strings.TrimSpace(strings.TrimRight(in.Expression, "=?＝？ \u3000\t\r\n"))
	x, err := evaluateExpression(ctx, shown)
	if err != nil {
		return tool.Output{}, err
	}
	result, exact := x.text()
	text := shorten(shown, maxEcho) + map[bool]string{true: " = ", false: " ≈ "}[exact] + result
	if x.exact != nil && !exact && len(x.exact.String()) <= maxPart {
		text += printer(ctx).Say(" (exactly %s)", x.exact.String())
	}
	details := evaluateDetails{Expression: in.Expression, Result: result, Exact: exact}
	return tool.Output{Text: text, Details: details}, nil
}

const (
	// maxDepth limits how deep operands are nested in an expression, in parentheses, signs, powers
	// and calls of functions.
	maxDepth = 100
	// maxPart limits the tokens that errors repeat and the fractions that results show, in
	// characters.
	maxPart = 30
)

var (
	// usualSigns replaces other spellings of a sign by the usual one. It keeps the number of
	// characters, since errors name the position of a character.
	usualSigns = strings.NewReplacer("×", "*", "⋅", "*", "·", "*", "∙", "*", "✕", "*", "✖", "*", "**", "^ ",
		"÷", "/", "∕", "/",
		"−", "-", "–", "-", "—", "-", "、", ",", ";", ",", "[", "(", "]", ")", "{", "(", "}", ")", "\n", " ")
	// bareLists finds lists that are alone in parentheses, such as ([1, 2]) in sum([1, 2]). Blanks
	// replace their brackets, so that characters keep their positions.
	bareLists = regexp.MustCompile(`\(( ?)\[([^\[\]]*)\]( ?)\)`)
	// commaNumbers finds numbers with commas in them, such as 1,250.50 or 3,5 or 1.234,56.
	commaNumbers = regexp.MustCompile(`[0-9]{1,3}(,[0-9]{3})+\.[0-9]+|[0-9]+(\.[0-9]{3})*(,[0-9]+)+`)
	// possibleThousands matches a number whose commas may separate thousands, such as 1,234.
	possibleThousands = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+$`)
	// certainThousands finds numbers whose last comma can only separate thousands, such as 1,050:
	// in a list, no number is written as 050.
	certainThousands = regexp.MustCompile(`\b[1-9][0-9]{0,2}(,[0-9]{3})*,0[0-9]{2}\b`)
)

// evaluateExpression parses and calculates an expression. A power has a higher precedence than a
// sign, so -2^2 is -4. Powers are calculated from right to left, so 2^3^2 is 2^9.
func evaluateExpression(ctx context.Context, text string) (x number, err error) {
	text = usualSigns.Replace(bareLists.ReplaceAllString(width.Fold.String(text), "($1 $2 $3)"))
	e := &expression{ctx: ctx, text: text, doing: sentence("")}
	if text == "" {
		return number{}, errorf("the expression is empty; write one such as 17*23")
	} else if found := certainThousands.FindString(text); found != "" {
		return number{}, errorf("%s has a comma; write numbers without thousands separators%v", shorten(found, maxPart), e.commaHint())
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = errorf("at character %d: %v%v", e.at, e.doing, cause.(fault).error)
		}
	}()
	e.scanner.Init(strings.NewReader(text))
	e.scanner.Mode = scanner.ScanIdents | scanner.ScanFloats
	e.scanner.Error = func(*scanner.Scanner, string) {} // operand reports malformed numbers
	e.advance()
	x = e.value(sumPrecedence)
	e.expect("")
	return x, nil
}

// expression evaluates while it parses. Its methods report errors by a panic with a fault.
type expression struct {
	ctx     context.Context
	scanner scanner.Scanner
	text    string        // the expression, with usual signs
	token   string        // the next token, or "" at the end
	at      int           // the position of the token or operation that an error names, in characters from 1
	doing   *message.Text // during an operation, what an error says before its reason; otherwise empty
	depth   int           // how deep the current operand is nested
}

// advance reads the next token.
func (e *expression) advance() {
	e.scanner.Scan()
	e.token, e.at = e.scanner.TokenText(), e.scanner.Position.Column
}

// fail reports an error at a position.
func (e *expression) fail(at int, format string, args ...any) {
	e.at = at
	panic(fault{errorf(format, args...)})
}

// hints say what is wrong if a token is in the wrong place.
var hints = map[string]error{
	"":  errorf("a number or a ) was expected, but the expression ends"),
	")": errorf("a number was expected, or this ) has no matching ("),
	",": errorf("a comma outside of a function; write numbers without thousands separators, and fractions with a point"),
	"!": errorf("write factorial(n) for n!"),
}

// expect skips the next token if it is the given one, and fails otherwise. "" means the end.
func (e *expression) expect(token string) {
	if hint := hints[e.token]; e.token != token && e.token == "," {
		e.fail(e.at, "%v%v", hint, e.commaHint())
	} else if e.token != token && hint != nil {
		panic(fault{hint})
	} else if e.token != token {
		e.fail(e.at, "%q is not expected here; an operator such as * may be missing before it; omit units", shorten(e.token, maxPart))
	}
	e.advance()
}

// commaHint returns how to write the first number that has a comma in it, or an empty text if no
// number has one.
func (e *expression) commaHint() *message.Text {
	number := shorten(commaNumbers.FindString(e.text), maxPart)
	// The comma may separate thousands, or it may stand for the decimal point.
	ifThousands := strings.ReplaceAll(number, ",", "")
	ifDecimal := strings.Replace(strings.ReplaceAll(number, ".", ""), ",", ".", 1)
	severalCommas := strings.Contains(ifDecimal, ",")
	switch {
	case number == "":
		return sentence("")
	case strings.LastIndex(number, ".") > strings.LastIndex(number, ","),
		possibleThousands.MatchString(number) && (severalCommas || certainThousands.MatchString(number)):
		return sentence(": %s for %s", ifThousands, number)
	case possibleThousands.MatchString(number):
		return sentence(": %s or %s for %s", ifThousands, ifDecimal, number)
	case severalCommas:
		return sentence("; a list needs a function, such as sum(%s)", number)
	}
	return sentence(": %s for %s", ifDecimal, number)
}

// calculate applies do to x and y. An error names the function or operator and its position.
func (e *expression) calculate(at int, name string, do operation, x, y number) number {
	if err := e.ctx.Err(); err != nil {
		panic(fault{err})
	}
	e.at, e.doing = at, sentence("%s cannot be calculated: ", name)
	z := do(x, y)
	e.at, e.doing = e.scanner.Position.Column, sentence("")
	return z
}

// value reads an operand and the operators after it that have at least the given precedence, with
// their operands. It returns the result.
func (e *expression) value(precedence int) number {
	if e.depth++; e.depth > maxDepth {
		e.fail(e.at, "nested more than %d levels deep", maxDepth)
	}
	defer func() { e.depth-- }()
	x := e.operand()
	for operators[e.token].precedence >= precedence {
		name, at, operator := e.token, e.at, operators[e.token]
		if e.advance(); name == "%" && (e.token == "" || strings.ContainsAny(e.token, ")*/+^,")) {
			e.fail(at, "%% is the remainder of a division and needs a number after it; for per cent divide by 100")
		}
		x = e.calculate(at, "'"+name+"'", operator.do, x, e.value(operator.rightPrecedence))
	}
	return x
}

// operand reads a number, a constant, a call of a function, +, - or √ with its operand, or an
// expression in parentheses.
func (e *expression) operand() number {
	token, name, at := e.token, strings.ToLower(e.token), e.at
	isFunction := functions[name].do != nil
	if hints[token] != nil || operators[token].precedence > sumPrecedence { // only + and - may also begin an operand
		e.expect("an operand") // it fails, because no token is "an operand"
	}
	switch e.advance(); {
	case token == "(":
		x := e.value(sumPrecedence)
		e.expect(")")
		return x
	case token == "-", token == "+", token == "√":
		return e.calculate(at, token, operators[token].do, whole(0), e.value(powerPrecedence))
	case constants[name].f != 0: // no constant is 0
		return constants[name]
	case isFunction && e.token == "(":
		return e.call(at, name)
	case isFunction:
		e.fail(at, "%s is a function: write %s(x)", name, name)
	case name[0] != '.' && (name[0] < '0' || name[0] > '9'):
		e.fail(at, "%q is not known%v", shorten(token, maxPart), suggestName(name))
	}
	read := func(_, _ number) number { return literal(name) }
	return e.calculate(at, shorten(token, maxPart), read, half, half) // read ignores its operands
}

// suggestName suggests the one or two constants or functions whose names are closest to name,
// or lists all if none is close.
func suggestName(name string) *message.Text {
	names := slices.AppendSeq(slices.Collect(maps.Keys(constants)), maps.Keys(functions))
	near := text.Nearest(name, names)
	switch len(near) {
	case 0:
		return sentence("; the constants are pi, tau and e, and the functions %s",
			strings.Join(slices.Sorted(maps.Keys(functions)), ", "))
	case 1:
		return sentence(" (did you mean %s?)", near[0])
	}
	return sentence(" (did you mean %s or %s?)", near[0], near[1])
}

// literal reads a number in lower case: decimal, or with a prefix such as 0x. It refuses a long
// exponent, since the number would have too many digits.
func literal(text string) number {
	beforeExponent := "e"
	if strings.HasPrefix(text, "0x") { // e is a digit
		beforeExponent = "p"
	}
	if _, exponent, _ := strings.Cut(text, beforeExponent); len(exponent) > len("-9999") {
		panic(tooLarge)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(fault{errorf("it is not a decimal number; an operator such as * may be missing in it; omit units")})
	}
	return rational(r)
}

// call reads the arguments of a function and applies it.
func (e *expression) call(at int, name string) number {
	f, args := functions[name], []number(nil)
	for e.advance(); e.token != ")"; {
		if len(args) > 0 {
			e.expect(",")
		}
		args = append(args, e.value(sumPrecedence))
	}
	e.advance()
	n := len(args)
	if n < f.minArgs || n > f.maxArgs {
		e.fail(at, "%s takes from %d to %d arguments (got %d)%v", name, f.minArgs, f.maxArgs, n, e.commaHint())
	} else if n == 1 {
		args = append(args, f.second...)
	}
	x := args[0]
	for _, y := range args[1:] {
		x = e.calculate(at, name, f.do, x, y)
	}
	if slices.Contains([]string{"avg", "mean", "average"}, name) {
		return divide(x, whole(n))
	}
	return x
}
