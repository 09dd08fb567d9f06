package builtin

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxBits bounds the size of an exact number: about 4,900 digits. What would grow past it is continued in floating point, where it
// is at most a float64.
const maxBits = 1 << 14

// value is a number: exact as a fraction, or else a rounded one. A value is never changed.
type value struct {
	exact   *big.Rat // nil: rounded holds
	rounded float64
}

var (
	errTooLarge     = errors.New("the result is too large: more than 4900 digits exactly, or 1e308 rounded")
	errDivideByZero = errors.New("division by zero")
	errExponent     = errors.New("the exponent is too large: more than 1e308")
	errNotReal      = errors.New("there is no real number that is the result")
	errLost         = errors.New("nothing is known of the result: it depends on digits that a rounded number does not have")
)

func whole(n int64) value { return value{exact: new(big.Rat).SetInt64(n)} }

// inexact makes a rounded value; infinity and NaN are errors.
func inexact(f float64) (value, error) {
	switch {
	case math.IsNaN(f):
		return value{}, errNotReal
	case math.IsInf(f, 0):
		return value{}, errTooLarge
	}
	return value{rounded: f}, nil
}

// fitted keeps an exact result where it is small enough.
func fitted(r *big.Rat) (value, error) {
	if bits(r) <= maxBits {
		return value{exact: r}, nil
	}
	f, _ := r.Float64()
	return inexact(f)
}

func bits(r *big.Rat) int { return r.Num().BitLen() + r.Denom().BitLen() }

// float is the value as a float64, rounded where need be. It may be infinite.
func (v value) float() float64 {
	if v.exact == nil {
		return v.rounded
	}
	f, _ := v.exact.Float64()
	return f
}

// rational is the value as a fraction: of a rounded one, that of its float64.
func (v value) rational() *big.Rat {
	if v.exact == nil {
		return new(big.Rat).SetFloat64(v.rounded)
	}
	return v.exact
}

// integer is the value where it is an exact whole number.
func (v value) integer() (*big.Int, bool) {
	if v.exact == nil || !v.exact.IsInt() {
		return nil, false
	}
	return v.exact.Num(), true
}

func (v value) sign() int {
	switch {
	case v.exact != nil:
		return v.exact.Sign()
	case v.rounded > 0:
		return 1
	case v.rounded < 0:
		return -1
	}
	return 0
}

func (v value) negate() value {
	if v.exact != nil {
		return value{exact: new(big.Rat).Neg(v.exact)}
	}
	return value{rounded: -v.rounded}
}

func (v value) compare(w value) int {
	if v.exact != nil && w.exact != nil {
		return v.exact.Cmp(w.exact)
	}
	a, b := v.float(), w.float()
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func add(a, b value) (value, error) {
	if a.exact != nil && b.exact != nil {
		return fitted(new(big.Rat).Add(a.exact, b.exact))
	}
	return inexact(a.float() + b.float())
}

func subtract(a, b value) (value, error) { return add(a, b.negate()) }

func multiply(a, b value) (value, error) {
	if a.exact != nil && b.exact != nil {
		return fitted(new(big.Rat).Mul(a.exact, b.exact))
	}
	return inexact(a.float() * b.float())
}

func divide(a, b value) (value, error) {
	if b.sign() == 0 {
		return value{}, errDivideByZero
	}
	if a.exact != nil && b.exact != nil {
		return fitted(new(big.Rat).Quo(a.exact, b.exact))
	}
	return inexact(a.float() / b.float())
}

// remainder has the sign of the dividend, as in most programming languages.
func remainder(a, b value) (value, error) {
	if b.sign() == 0 {
		return value{}, errDivideByZero
	}
	if a.exact == nil || b.exact == nil {
		return inexact(math.Mod(a.float(), b.float()))
	}
	q := new(big.Rat).Quo(a.exact, b.exact)
	n := new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom()))
	return fitted(n.Sub(a.exact, n.Mul(n, b.exact)))
}

// floor is the greatest whole number that is no greater.
func floor(v value) (value, error) {
	if v.exact == nil { // it is known to the digits that are shown, so 3.9999999999999996 is 4
		return inexact(math.Floor(significant(v.rounded, shownDigits)))
	}
	// The denominator is positive, so Euclidean division rounds down.
	return value{exact: new(big.Rat).SetInt(new(big.Int).Div(v.exact.Num(), v.exact.Denom()))}, nil
}

// fromWholeFloat takes a whole float64 for what it is: exact.
func fromWholeFloat(f float64) (value, error) {
	r := new(big.Rat).SetFloat64(f)
	if r == nil {
		return inexact(f)
	}
	return value{exact: r}, nil
}

// epsilon is how far a rounded number may be off, as a part of it.
const epsilon = 0x1p-52

// known rounds f to the digits that are right where it may be off by as much as doubt. It is 0 where none is.
func known(f, doubt float64) float64 {
	digits := math.Floor(math.Log10(math.Abs(f))) - math.Ceil(math.Log10(doubt))
	if !(digits >= 0) { // f may be 0
		return 0
	}
	return significant(f, 1+int(min(digits, 16)))
}

// significant rounds f to n significant digits. What passes the largest float64 by that is infinite.
func significant(f float64, n int) float64 {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'e', n-1, 64), 64)
	return f
}

// maxPlaces bounds the decimal places that are shown of an exact number: past them it is shown rounded.
const maxPlaces = 40

// text writes the value as a decimal number; exact is false where that is a rounded one.
func (v value) text() (text string, exact bool) {
	if v.exact == nil {
		return floatText(v.rounded), false
	}
	places, finite := v.exact.FloatPrec()
	if finite && places <= maxPlaces {
		return v.exact.FloatString(places), true
	}
	f := new(big.Float).SetPrec(128).SetRat(v.exact)
	return tidyFloat(f.Text('g', 20)), false
}

// fraction writes an exact value that has no short decimal form as a fraction, where that is short; else "".
func (v value) fraction() string {
	if v.exact == nil {
		return ""
	}
	if _, exact := v.text(); exact {
		return ""
	}
	if s := v.exact.String(); len(s) <= 30 {
		return s
	}
	return ""
}

// shownDigits are how many significant digits are shown of a rounded number: those after them are the noise of rounding.
const shownDigits = 15

func floatText(f float64) string {
	return tidyFloat(strconv.FormatFloat(f, 'g', shownDigits, 64))
}

// tidyFloat writes moderate exponents out and drops zeros at the end of a fraction.
func tidyFloat(s string) string {
	mantissa, exponent, found := strings.Cut(s, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if mantissa == "-0" {
		return "0"
	}
	if !found {
		return mantissa
	}
	return mantissa + "e" + exponent
}
