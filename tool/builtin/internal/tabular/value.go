package tabular

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Number reads a number in a cell, such as 1234.5, -3e7, 1,234.50 or $12. If decimalComma is set, a
// comma is the decimal point, as in 1.234,50. ok is false if the text is no number, or a number
// that is too large.
func Number(text string, decimalComma bool) (n float64, ok bool) {
	text = strings.TrimSpace(text)
	if decimalComma {
		text = swapCommas.Replace(text)
	}
	if n, ok = plainNumber(text); ok || !strings.ContainsAny(text, "0123456789") {
		return n, ok
	}
	text = strings.TrimSpace(strings.Trim(text, "$€£¥￥\u00a0\u202f "))
	if rest, found := strings.CutPrefix(text, "-$"); found {
		text = "-" + rest
	}
	if strings.Contains(text, ",") && groupedDigits.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	return plainNumber(text)
}

// groupedDigits matches a number with commas between groups of three digits.
var groupedDigits = regexp.MustCompile(`^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[^,]*)?$`)

var swapCommas = strings.NewReplacer(",", ".", ".", ",")

func plainNumber(text string) (float64, bool) {
	if strings.Trim(text, "0123456789+-.eE") != "" { // ParseFloat also reads 0x1p-2, 1_000 and inf
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// FormatNumber returns a number with up to 15 significant digits and without an exponent. A very
// large or very small number has an exponent and up to 6 digits.
func FormatNumber(n float64) string {
	if a := math.Abs(n); n != 0 && (a >= 1e15 || a < 1e-6) {
		return strconv.FormatFloat(n, 'g', 6, 64)
	}
	return decimal(n)
}

// decimal returns a number with up to 15 significant digits and without an exponent.
func decimal(n float64) string {
	return strconv.FormatFloat(Round(n, 15)+0, 'f', -1, 64) // -0+0 is 0
}

// Round returns n with a number of significant digits.
func Round(n float64, digits int) float64 {
	// ParseFloat returns ±Inf and an error if n was rounded to a number out of range.
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', digits, 64), 64)
	return rounded
}

// sum adds numbers and corrects the errors of rounding: it also adds what each addition lost, and
// what those additions lost (Klein's summation).
type sum struct{ total, lost, lostAgain float64 }

func (s *sum) add(n float64) {
	var rest float64
	s.total, rest = addExactly(s.total, n)
	s.lost, rest = addExactly(s.lost, rest)
	s.lostAgain += rest
}

// addExactly returns the rounded sum of two numbers and what rounding lost.
func addExactly(a, b float64) (sum, lost float64) {
	sum = a + b
	if math.Abs(a) < math.Abs(b) {
		a, b = b, a
	}
	return sum, (a - sum) + b
}

func (s *sum) value() float64 {
	if math.IsInf(s.total, 0) { // then what was lost is NaN
		return s.total
	}
	return s.total + (s.lost + s.lostAgain)
}
