package demomodel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// number matches a number in a text that withSigns returned, which has 1_250 for 1,250.
const number = `(?:\d[\d_]*(?:\.\d+)?|\.\d+)`

var (
	// noNumbers matches digits that are no numbers: in dates, versions, 3rd, 5km, md5, log10(. In
	// it, [^\P{L}\p{Han}] is a letter that is not Chinese.
	noNumbers = regexp.MustCompile(`\d{4}-\d{2}-\d{2}|\d+(?:\.\d+){2,}|\d[\d.]*[^\P{L}\p{Han}][\p{L}\d]*|[A-Za-z_]+\d\w*\(?`)
	thousands = regexp.MustCompile(`\d{1,3}(?:,\d{3})+\b`)
	xSign     = regexp.MustCompile(`([1-9][\d.]* ?)x( ?\d)`) // 2 x 3, but not 0x3
	signForm  = regexp.MustCompile(`(?i)\*\*|[×÷−·（）]|加上?|减去?|乘以?|除以|\b(?:multiplied by|divided by|to the power of|square root of|` +
		`times|plus|minus|over|modulo|mod|squared|cubed)\b|(?:%| percent) of\b`)
	// The sign of "percent of" is %o, which findArithmetic replaces.
	signs = map[string]string{
		"**": "^", "×": "*", "÷": "/", "−": "-", "·": "*", "（": "(", "）": ")", "加": "+", "加上": "+", "减": "-", "减去": "-", "乘": "*", "乘以": "*",
		"除以": "/", "multiplied by": "*", "divided by": "/", "to the power of": "^", "square root of": "sqrt", "times": "*", "plus": "+",
		"minus": "-", "over": "/", "modulo": "%", "mod": "%", "squared": "^2", "cubed": "^3", "% of": "%o", " percent of": "%o",
	}
	// An operand may have brackets before and after it. Function clause counts them.
	operand        = `(?:[-+(]\s*|\b[a-z]\w*\(\s*|\bsqrt\s+)*(?:` + number + `|\b(?:pi|e)\b)(?:\s*\))*`
	expressionForm = regexp.MustCompile(operand + `(?:\s*(?:%o|[-+*/^%,])\s*` + operand + `)*`)
	operatorForm   = regexp.MustCompile(`(?:[\d)]|pi|e)\s*[-+*/^%]|[a-z]\(|sqrt`) // an operator, or a function
	rootForm       = regexp.MustCompile(`sqrt(` + number + `)`)                   // sqrt16
	commaInDigits  = regexp.MustCompile(`^\d,\d`)
	shareForm      = regexp.MustCompile(`(` + number + `)%o(` + number + `)`) // 12%o80
)

// withSigns replaces words for operators by signs, masks noNumbers except a name before a bracket,
// and writes 1,250 as 1_250. The length stays the same, so that offsets fit both texts.
func withSigns(text string) string {
	replace := func(form *regexp.Regexp, with func(string) string) {
		text = form.ReplaceAllStringFunc(text, func(s string) string { return (with(s) + strings.Repeat(" ", len(s)))[:len(s)] })
	}
	text = xSign.ReplaceAllString(xSign.ReplaceAllString(text, "$1*$2"), "$1*$2") // each second x of 2x3x4x5 at a time
	replace(signForm, func(s string) string { return signs[strings.ToLower(s)] })
	replace(noNumbers, func(s string) string {
		if strings.HasSuffix(s, "(") {
			return s
		}
		return strings.Repeat("?", len(s))
	})
	replace(thousands, func(s string) string { return strings.ReplaceAll(s, ",", "_") })
	return text
}

// findArithmetic returns the parts of a text that are an expression with an operator or a function.
func findArithmetic(text string) []value {
	plain := withSigns(text)
	found := findSums(plain)
	for _, at := range expressionForm.FindAllStringIndex(plain, -1) {
		for start := at[0]; start < at[1]; {
			length, closed := clause(plain[start:at[1]])
			if !closed {
				start++ // the rest may be an expression without the first bracket
				continue
			}
			s := span{start, start + length}
			start = s.end + 1 // after the comma or bracket that ends the expression
			out := strings.NewReplacer(" ", "", "_", "").Replace(plain[s.start:s.end])
			out = rootForm.ReplaceAllString(shareForm.ReplaceAllString(out, "($2*$1/100)"), "sqrt($1)")
			inSum := slices.ContainsFunc(found, func(x value) bool { return x.overlaps(s) })
			if inSum || !operatorForm.MatchString(out) || strings.Contains(out, "%o") {
				continue
			}
			if written := text[s.start:s.end]; strings.ReplaceAll(written, " ", "") == out {
				out = written
			}
			found = append(found, value{span: s, kind: kindArithmetic, text: out})
		}
	}
	return found
}

var (
	// sumForm matches "sum of 3, 4 and 5.5", "add 3 and 4" and "3、4 和 5.5 的平均值".
	sumForm = regexp.MustCompile(`(?i)\b(sum|product|average|mean|add|multiply)(?: of)? (` + number +
		`(?:(?:, ?(?:and )?| and | by )` + number + `)+)|(` + number + `(?: ?[、,，和与] ?` + number + `)+) ?的(总?和|积|乘积|平均)`)
	summand            = regexp.MustCompile(number)
	products, averages = set("product multiply 积 乘积"), set("average mean 平均")
)

// findSums returns sums, products and averages of lists of numbers as expressions.
func findSums(plain string) (found []value) {
	for _, at := range sumForm.FindAllStringIndex(plain, -1) {
		m := sumForm.FindStringSubmatch(plain[at[0]:at[1]])
		numbers := summand.FindAllString(strings.ReplaceAll(m[2]+m[3], "_", ""), -1)
		what, out := strings.ToLower(m[1]+m[4]), strings.Join(numbers, "+")
		if products[what] {
			out = strings.Join(numbers, "*")
		} else if averages[what] {
			out = fmt.Sprintf("(%s)/%d", out, len(numbers))
		}
		found = append(found, value{span: span{at[0], at[1]}, kind: kindArithmetic, text: out})
	}
	return found
}

// clause returns the length of an expression up to a comma outside of brackets, or a bracket that
// nothing opened. It also reports whether the brackets of the expression are closed.
func clause(expression string) (length int, closed bool) {
	depth := 0
	for i, r := range expression {
		switch {
		case r == '(':
			depth++
		case depth == 0 && r == ',' && commaInDigits.MatchString(expression[max(0, i-1):]):
			// The comma in 3,5 may be a decimal point. The tool decides that.
		case depth == 0 && (r == ')' || r == ','):
			return i, true
		case r == ')':
			depth--
		}
	}
	return len(expression), depth == 0
}
