package builtin

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
)

// function is a named function of an expression.
type function struct {
	least, most int // arguments
	// do calculates the function. One with a fold gets what its arguments come to, and how many there were.
	do func(args []value) (value, error)
	// fold brings two of any number of arguments together; nil for a function that takes few.
	fold func(a, b value) (value, error)
}

// apply calculates the function. It fails if the context of w ends: the numbers and the arguments may be many and long.
func (f function) apply(w *work, args []value) (value, error) {
	if f.fold == nil {
		return f.do(args)
	}
	v := args[0]
	for _, arg := range args[1:] {
		if err := w.add(stepsPerOperation); err != nil {
			return value{}, err
		}
		var err error
		if v, err = f.fold(v, arg); err != nil {
			return value{}, err
		}
	}
	return f.do([]value{v, whole(int64(len(args)))})
}

func (f function) takes() string {
	switch {
	case f.most == 1:
		return "1 argument"
	case f.least == f.most:
		return fmt.Sprintf("%d arguments", f.least)
	case f.most == maxArguments:
		return fmt.Sprintf("at least %d argument", f.least)
	}
	return fmt.Sprintf("%d to %d arguments", f.least, f.most)
}

var functions = map[string]function{
	"sqrt":      {least: 1, most: 1, do: squareRoot},
	"cbrt":      {least: 1, most: 1, do: cubeRoot},
	"abs":       {least: 1, most: 1, do: func(a []value) (value, error) { return absolute(a[0]), nil }},
	"sign":      {least: 1, most: 1, do: func(a []value) (value, error) { return whole(int64(a[0].sign())), nil }},
	"min":       {least: 1, most: maxArguments, do: folded, fold: lesser},
	"max":       {least: 1, most: maxArguments, do: folded, fold: greater},
	"sum":       {least: 1, most: maxArguments, do: folded, fold: add},
	"avg":       {least: 1, most: maxArguments, do: average, fold: add},
	"mean":      {least: 1, most: maxArguments, do: average, fold: add},
	"round":     {least: 1, most: 2, do: round},
	"floor":     {least: 1, most: 1, do: func(a []value) (value, error) { return floor(a[0]) }},
	"ceil":      {least: 1, most: 1, do: func(a []value) (value, error) { return ceiling(a[0]) }},
	"trunc":     {least: 1, most: 1, do: truncate},
	"mod":       {least: 2, most: 2, do: func(a []value) (value, error) { return remainder(a[0], a[1]) }},
	"pow":       {least: 2, most: 2, do: func(a []value) (value, error) { return power(a[0], a[1]) }},
	"gcd":       {least: 1, most: maxArguments, do: magnitude, fold: integers(func(a, b *big.Int) *big.Int { return new(big.Int).GCD(nil, nil, a, b) })},
	"lcm":       {least: 1, most: maxArguments, do: magnitude, fold: integers(leastCommonMultiple)},
	"factorial": {least: 1, most: 1, do: factorial},

	"exp":   {least: 1, most: 1, do: exponential},
	"ln":    {least: 1, most: 1, do: natural},
	"log":   {least: 1, most: 2, do: logarithm},
	"log10": {least: 1, most: 1, do: func(a []value) (value, error) { return logarithm([]value{a[0], whole(10)}) }},
	"log2":  {least: 1, most: 1, do: func(a []value) (value, error) { return logarithm([]value{a[0], whole(2)}) }},
	"hypot": {least: 2, most: 2, do: hypotenuse},

	"sin":   {least: 1, most: 1, do: turned(0)},
	"cos":   {least: 1, most: 1, do: turned(1)},
	"tan":   {least: 1, most: 1, do: tangent},
	"asin":  {least: 1, most: 1, do: rounding(math.Asin, 0, 0)},
	"acos":  {least: 1, most: 1, do: rounding(math.Acos, 1, 0)},
	"atan":  {least: 1, most: 1, do: rounding(math.Atan, 0, 0)},
	"atan2": {least: 2, most: 2, do: func(a []value) (value, error) { return inexact(math.Atan2(a[0].float(), a[1].float())) }},
	"rad":   {least: 1, most: 1, do: rounding(func(x float64) float64 { return x / 180 * math.Pi }, 0, 0)},
	"deg":   {least: 1, most: 1, do: rounding(func(x float64) float64 { return x / math.Pi * 180 }, 0, 0)},
}

var functionNames = strings.Join(slices.Sorted(maps.Keys(functions)), ", ")

// rounding makes a function that rounds its result, save at the one place where it is known to be exact.
func rounding(f func(float64) float64, at, is int64) func([]value) (value, error) {
	return func(a []value) (value, error) {
		if a[0].exact != nil && a[0].exact.Cmp(whole(at).exact) == 0 {
			return whole(is), nil
		}
		if f := a[0].float(); math.IsInf(f, 0) {
			return value{}, errTooLarge
		}
		return inexact(f(a[0].float()))
	}
}

func squareRoot(a []value) (value, error) {
	switch {
	case a[0].sign() < 0:
		return value{}, errNotReal
	case a[0].sign() == 0:
		return a[0], nil
	}
	return power(a[0], value{exact: big.NewRat(1, 2)})
}

func cubeRoot(a []value) (value, error) {
	v, err := inexact(math.Cbrt(a[0].float()))
	if err != nil || a[0].exact == nil {
		return v, err
	}
	if near, err := fromWholeFloat(math.Round(v.rounded)); err == nil {
		if cube, err := power(near, whole(3)); err == nil && cube.exact != nil && cube.compare(a[0]) == 0 {
			return near, nil
		}
	}
	return v, nil
}

func absolute(v value) value {
	if v.sign() < 0 {
		return v.negate()
	}
	return v
}

func folded(a []value) (value, error) { return a[0], nil }

func average(a []value) (value, error) { return divide(a[0], a[1]) }

func lesser(a, b value) (value, error) {
	if b.compare(a) < 0 {
		return b, nil
	}
	return a, nil
}

func greater(a, b value) (value, error) {
	if b.compare(a) > 0 {
		return b, nil
	}
	return a, nil
}

func ceiling(v value) (value, error) {
	f, err := floor(v.negate())
	return f.negate(), err
}

func truncate(a []value) (value, error) {
	if a[0].sign() < 0 {
		return ceiling(a[0])
	}
	return floor(a[0])
}

// maxRoundDigits bounds the second argument of round.
const maxRoundDigits = 100

// round rounds halves away from zero, to whole numbers or to a number of decimal places. The result is exact, unless a rounded
// number has not as many digits.
func round(a []value) (value, error) {
	scale := whole(1)
	if len(a) == 2 {
		n, ok := a[1].integer()
		if !ok || !n.IsInt64() || n.Int64() > maxRoundDigits || n.Int64() < -maxRoundDigits {
			return value{}, fmt.Errorf("the number of decimal places is an exact whole number from -%d to %d", maxRoundDigits, maxRoundDigits)
		}
		scale, _ = power(whole(10), a[1]) // small and exact
	}
	v := absolute(a[0])
	if v.exact == nil { // what is asked for is a decimal number: it is one from here on
		r, _ := new(big.Rat).SetString(floatText(v.rounded))
		v = value{exact: r}
		if scaled, err := multiply(v, scale); err != nil || scaled.compare(whole(1e15)) >= 0 { // it has no digits there
			return a[0], err
		}
	}
	for _, step := range []func(value) (value, error){
		func(v value) (value, error) { return multiply(v, scale) },
		func(v value) (value, error) { return add(v, value{exact: big.NewRat(1, 2)}) },
		floor,
		func(v value) (value, error) { return divide(v, scale) },
	} {
		var err error
		if v, err = step(v); err != nil {
			return value{}, err
		}
	}
	if a[0].sign() < 0 {
		v = v.negate()
	}
	return v, nil
}

// integers makes a function of two values from one of two whole numbers.
func integers(f func(a, b *big.Int) *big.Int) func(a, b value) (value, error) {
	return func(a, b value) (value, error) {
		for _, v := range []*value{&a, &b} {
			var err error
			if *v, err = magnitude([]value{*v}); err != nil {
				return value{}, err
			}
		}
		n := f(a.exact.Num(), b.exact.Num())
		if n.BitLen() > maxBits {
			return value{}, errTooLarge
		}
		return value{exact: new(big.Rat).SetInt(n)}, nil
	}
}

// magnitude is a whole number without its sign.
func magnitude(a []value) (value, error) {
	if _, ok := a[0].integer(); !ok {
		return value{}, notWhole(a[0])
	}
	return absolute(a[0]), nil
}

// notWhole refuses a value where a whole number is asked for.
func notWhole(v value) error {
	text, _ := v.text()
	if v.exact == nil {
		return fmt.Errorf("it takes whole numbers that are exact, and %s is a rounded one; round(x) is exact where 15 digits reach", cut(text, 30))
	}
	return fmt.Errorf("it takes whole numbers, and %s is none", cut(text, 30))
}

func leastCommonMultiple(a, b *big.Int) *big.Int {
	if a.Sign() == 0 || b.Sign() == 0 {
		return new(big.Int)
	}
	q := new(big.Int).Quo(a, new(big.Int).GCD(nil, nil, a, b))
	return q.Mul(q, b)
}

// maxFactorial is the largest number whose factorial fits into maxBits.
const maxFactorial = 1700

func factorial(a []value) (value, error) {
	n, ok := a[0].integer()
	switch {
	case a[0].exact == nil:
		return value{}, notWhole(a[0])
	case !ok || n.Sign() < 0:
		return value{}, errors.New("it takes a whole number that is not negative")
	}
	if !n.IsInt64() || n.Int64() > maxFactorial {
		return value{}, errTooLarge
	}
	return fitted(new(big.Rat).SetInt(new(big.Int).MulRange(1, n.Int64())))
}

func natural(a []value) (value, error) {
	switch {
	case a[0].sign() <= 0:
		return value{}, errNotReal
	case a[0].exact != nil && a[0].compare(whole(1)) == 0:
		return whole(0), nil
	}
	return inexact(logFloat(a[0]))
}

// logarithm is to the base 10, or to the one given. Whole results of exact arguments are exact.
func logarithm(a []value) (value, error) {
	base := whole(10)
	if len(a) == 2 {
		base = a[1]
	}
	if a[0].sign() <= 0 || base.sign() <= 0 || base.compare(whole(1)) == 0 {
		return value{}, errNotReal
	}
	v, err := inexact(logFloat(a[0]) / logFloat(base))
	if err != nil {
		return value{}, err
	}
	if n, err := fromWholeFloat(math.Round(v.rounded)); err == nil && a[0].exact != nil && base.exact != nil {
		if p, err := power(base, n); err == nil && p.exact != nil && p.compare(a[0]) == 0 {
			return n, nil
		}
	}
	return v, nil
}

// logFloat is the natural logarithm of a positive value, also of one that a float64 cannot hold.
func logFloat(v value) float64 {
	if v.exact == nil {
		return math.Log(v.rounded)
	}
	if above, _ := new(big.Rat).Sub(v.exact, big.NewRat(1, 1)).Float64(); math.Abs(above) < 0.5 {
		return math.Log1p(above) // close to 1 most digits of a float64 are not in the logarithm
	}
	f := new(big.Float).SetRat(v.exact)
	mantissa := new(big.Float)
	exponent := f.MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log(m) + float64(exponent)*math.Ln2
}

func hypotenuse(a []value) (value, error) {
	x, err := multiply(a[0], a[0])
	if err != nil {
		return value{}, err
	}
	y, err := multiply(a[1], a[1])
	if err != nil {
		return value{}, err
	}
	sum, err := add(x, y)
	if err != nil {
		return value{}, err
	}
	return squareRoot([]value{sum})
}
