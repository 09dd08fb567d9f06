package builtin

import (
	"math"
	"math/big"
	"strconv"
)

const (
	maxBits   = 1 << 14 // bits of an exact number, about 4,900 digits; a longer number is rounded
	maxPlaces = 40      // decimal places of an exact number; a number with more is shown rounded
	maxDigits = 15      // digits shown of a rounded number
	epsilon   = 0x1p-52 // an upper limit of the relative error of rounding to a float64
	nearZero  = 1e-9    // if a rounded number may be 0 and its error is smaller than this, it is 0

	maxArguments  = 256 // of a function
	maxAngleError = 0.1 // of the argument of sin, cos and tan, in radians
)

// fault is the reason why an operation has no result. Operations and the parser panic with it.
type fault struct{ error }

var (
	byZero   = fault{errorf("division by zero")}
	tooLarge = fault{errorf("the result is too large: an exact number has at most 4900 digits, and a rounded one is below 1e308")}
	notReal  = fault{errorf("the result is not a real number")}
	notWhole = fault{errorf("it takes exact whole numbers, and factorial only those from 0 to 1700; round(x) makes a number whole")}
	unknown  = fault{errorf("no digit of the result is known: it depends on digits that a rounded number does not have")}
)

// number is an exact fraction, or a rounded number.
type number struct {
	exact *big.Rat // nil for a rounded number
	f     float64  // the value, rounded
	off   float64  // how far f may be from the value
}

// half is also passed to operations that ignore their second operand.
var half = rational(big.NewRat(1, 2))

func whole(n int) number         { return rational(big.NewRat(int64(n), 1)) }
func integral(n *big.Int) number { return rational(new(big.Rat).SetInt(n)) }

// rational returns r as an exact number, or as a rounded one if it has more than maxBits bits.
func rational(r *big.Rat) number {
	f, same := r.Float64()
	if r.Num().BitLen()+r.Denom().BitLen() > maxBits {
		return rounded(f, 0)
	} else if same {
		return number{r, f, 0}
	}
	return number{r, f, math.Abs(f) * epsilon}
}

// rounded returns f as a rounded number. Its error is the sum of off and the error of rounding f.
// It panics if f is not a finite real number. It also panics if no digit of f is certain, unless
// the number counts as 0; see nearZero.
func rounded(f, off float64) number {
	off += math.Abs(f)*epsilon + math.SmallestNonzeroFloat64 // never 0, because text needs its logarithm
	switch {
	case math.IsNaN(f):
		panic(notReal)
	case math.IsInf(f, 0):
		panic(tooLarge)
	case off >= max(math.Abs(f), nearZero):
		panic(unknown)
	case off >= math.Abs(f):
		f = 0
	}
	return number{f: f, off: off}
}

func (x number) sign() int {
	if x.exact != nil {
		return x.exact.Sign()
	}
	return big.NewFloat(x.f).Sign()
}

// integer returns an exact whole number. It panics for any other number.
func (x number) integer() *big.Int {
	if x.exact == nil || !x.exact.IsInt() {
		panic(notWhole)
	}
	return x.exact.Num()
}

// text returns the number in decimal, and whether the text is exact. The text of a rounded number
// has only the digits that are certain.
func (x number) text() (text string, exact bool) {
	if x.exact != nil {
		if places, finite := x.exact.FloatPrec(); finite && places <= maxPlaces {
			return x.exact.FloatString(places), true
		}
		// 128 bits are many more than maxDigits digits need.
		return new(big.Float).SetPrec(128).SetRat(x.exact).Text('g', maxDigits), false
	}
	// known is the number of certain digits: those before the first digit that the error may
	// change.
	known := 1 + math.Floor(math.Log10(math.Abs(x.f))) - math.Ceil(math.Log10(x.off))
	f, _ := strconv.ParseFloat(strconv.FormatFloat(x.f, 'e', int(max(min(known, maxDigits), 1))-1, 64), 64)
	return strconv.FormatFloat(f, 'g', maxDigits, 64), false
}

type operation func(x, y number) number

// arithmetic returns an operation. If both operands are exact, it applies the function exact,
// unless that is nil. Otherwise it applies do to the rounded operands, and to operands that are
// larger or smaller by their errors. The error of the first of these results is its largest
// difference from the others.
func arithmetic(exact func(z, x, y *big.Rat) *big.Rat, do func(x, y float64) float64) operation {
	return func(x, y number) number {
		if exact != nil && x.exact != nil && y.exact != nil {
			return rational(exact(new(big.Rat), x.exact, y.exact))
		}
		f, off := do(x.f, y.f), 0.0
		for i := range 9 { // each combination of -1, 0 and 1 times the errors
			moved := do(x.f+float64(i/3-1)*x.off, y.f+float64(i%3-1)*y.off)
			if d := math.Abs(moved - f); d > off { // false for NaN, outside of the domain
				off = d
			}
		}
		return rounded(f, off)
	}
}

var (
	add      = arithmetic((*big.Rat).Add, func(x, y float64) float64 { return x + y })
	subtract = arithmetic((*big.Rat).Sub, func(x, y float64) float64 { return x - y })
	multiply = arithmetic((*big.Rat).Mul, func(x, y float64) float64 { return x * y })
	quotient = arithmetic((*big.Rat).Quo, func(x, y float64) float64 { return x / y })
)

func sign(x number) number      { return whole(x.sign()) }
func negate(x number) number    { return subtract(whole(0), x) }
func magnitude(x number) number { return multiply(sign(x), x) }
func truncate(x number) number  { return multiply(sign(x), floor(magnitude(x))) }
func ceiling(x number) number   { return negate(floor(negate(x))) }
func root(_, x number) number   { return power(x, half) } // as for a sign, the operand is on the right
func logarithm(x, base number) number {
	return divide(fromMath(math.Log).do(x, half), fromMath(math.Log).do(base, half))
}

// In least and greatest, the sign of x - y selects from an array.
func least(x, y number) number    { return [...]number{x, x, y}[1+subtract(x, y).sign()] }
func greatest(x, y number) number { return [...]number{y, x, x}[1+subtract(x, y).sign()] }
func gcd(x, y number) number      { return integral(new(big.Int).GCD(nil, nil, x.integer(), y.integer())) }
func lcm(x, y number) number      { return divide(magnitude(multiply(x, y)), gcd(x, y)) }

// modulo has the sign of the dividend, as % in C and Go.
func modulo(x, y number) number { return subtract(x, multiply(y, truncate(divide(x, y)))) }

func divide(x, y number) number {
	if y.sign() == 0 {
		panic(byZero)
	}
	return quotient(x, y)
}

// floor returns an exact number, unless x is rounded and may be on either side of a whole number.
// Then it returns that whole number, the largest one of several, as a rounded number.
func floor(x number) number {
	if x.exact != nil {
		return integral(new(big.Int).Div(x.exact.Num(), x.exact.Denom()))
	}
	lower, upper := math.Floor(x.f-x.off), math.Floor(x.f+x.off)
	if lower != upper {
		return number{f: upper, off: x.off}
	}
	return rational(new(big.Rat).SetFloat64(upper))
}

// round rounds x to a number of decimal places. It rounds halves away from zero.
func round(x, places number) number {
	scale := power(whole(10), integral(places.integer()))
	return multiply(sign(x), divide(floor(add(multiply(magnitude(x), scale), half)), scale))
}

func factorial(x number) number {
	// The factorial of 1700 has fewer than maxBits bits.
	if n := x.integer(); n.Sign() >= 0 && n.Cmp(big.NewInt(1700)) <= 0 {
		return integral(new(big.Int).MulRange(1, n.Int64()))
	}
	panic(notWhole)
}

// power returns x to the power y. The result is exact if it is short enough, and y is whole. It is
// also exact if it is short enough, x is the square of a fraction, and twice y is whole.
func power(x, y number) number {
	if y.sign() < 0 {
		return power(divide(whole(1), x), negate(y))
	}
	if x.exact != nil && y.exact != nil {
		num, denom, n := x.exact.Num(), x.exact.Denom(), y.exact.Num()
		root := new(big.Rat).SetFrac(new(big.Int).Sqrt(new(big.Int).Abs(num)), new(big.Int).Sqrt(denom))
		if y.exact.Denom().Cmp(big.NewInt(2)) == 0 && new(big.Rat).Mul(root, root).Cmp(x.exact) == 0 {
			return power(rational(root), multiply(y, whole(2)))
		}
		// The power has about n*bits bits. maxBits itself has 15 bits, so a longer n is too large.
		bits := int64(num.BitLen() + denom.BitLen() - 2) // not positive for -1, 0 and 1, whose powers are short
		if y.exact.IsInt() && n.BitLen() <= 15 && n.Int64()*bits <= maxBits {
			return rational(new(big.Rat).SetFrac(new(big.Int).Exp(num, n, nil), new(big.Int).Exp(denom, n, nil)))
		}
	}
	return arithmetic(nil, math.Pow)(x, y)
}

// The precedences of operators.
const (
	sumPrecedence     = 1
	productPrecedence = 2
	powerPrecedence   = 3
)

// operator is an operator or a sign.
type operator struct {
	precedence      int // 0 if it has no operand on its left
	rightPrecedence int // the lowest precedence of an operator within the operand on its right
	do              operation
}

// function applies do to the first two arguments, then to the result and the third argument, and so
// on.
type function struct {
	minArgs, maxArgs int // how many arguments it takes
	do               operation
	second           []number // replaces a missing second argument; if nil, the result is the only argument
}

// unary returns a function of one argument.
func unary(do func(number) number) function {
	return function{1, 1, func(x, _ number) number { return do(x) }, []number{half}}
}

// fromMath returns a function of one argument that applies a function of package math.
func fromMath(do func(float64) float64) function {
	return function{1, 1, arithmetic(nil, func(x, _ float64) float64 { return do(x) }), []number{half}}
}

// ofAngle returns a function of an angle. It refuses an angle with an error above maxAngleError,
// because no digit of the result would be certain.
func ofAngle(do func(float64) float64) function {
	return unary(func(x number) number {
		if x.off > maxAngleError {
			panic(unknown)
		}
		return fromMath(do).do(x, half)
	})
}

// The names that an expression may use.
var (
	constants = map[string]number{
		"pi": rounded(math.Pi, 0), "π": rounded(math.Pi, 0), "tau": rounded(2*math.Pi, 0), "τ": rounded(2*math.Pi, 0),
		"e": rounded(math.E, 0),
	}
	operators = map[string]operator{
		"+": {sumPrecedence, productPrecedence, add}, "-": {sumPrecedence, productPrecedence, subtract},
		"*": {productPrecedence, powerPrecedence, multiply}, "/": {productPrecedence, powerPrecedence, divide},
		"%": {productPrecedence, powerPrecedence, modulo},
		"^": {powerPrecedence, powerPrecedence, power}, "√": {0, powerPrecedence, root},
	}
	functions = map[string]function{
		"abs": unary(magnitude), "sign": unary(sign),
		"floor": unary(floor), "ceil": unary(ceiling), "trunc": unary(truncate),
		"sqrt": {1, 1, power, []number{half}}, "factorial": unary(factorial),
		"mod": {2, 2, modulo, nil}, "pow": {2, 2, power, nil},
		"cbrt": fromMath(math.Cbrt), "exp": fromMath(math.Exp), "ln": fromMath(math.Log),
		"log2": fromMath(math.Log2), "log10": fromMath(math.Log10),
		"log": {1, 2, logarithm, []number{whole(10)}}, "round": {1, 2, round, []number{whole(0)}},
		"sin": ofAngle(math.Sin), "cos": ofAngle(math.Cos), "tan": ofAngle(math.Tan),
		"asin": fromMath(math.Asin), "acos": fromMath(math.Acos), "atan": fromMath(math.Atan),
		"atan2": {2, 2, arithmetic(nil, math.Atan2), nil}, "hypot": {2, 2, arithmetic(nil, math.Hypot), nil},
		"rad": fromMath(func(x float64) float64 { return x / 180 * math.Pi }),
		"deg": fromMath(func(x float64) float64 { return x / math.Pi * 180 }),
		"sum": {1, maxArguments, add, nil}, "avg": {1, maxArguments, add, nil},
		"mean": {1, maxArguments, add, nil}, "average": {1, maxArguments, add, nil},
		"min": {1, maxArguments, least, nil}, "max": {1, maxArguments, greatest, nil},
		"gcd": {2, maxArguments, gcd, nil}, "lcm": {2, maxArguments, lcm, nil},
	}
)
