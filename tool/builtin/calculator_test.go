package builtin_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

func TestCalculatorEvaluates(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"17*23", "17*23 = 391"},
		{" 2 + 3 * 4 ", "2 + 3 * 4 = 14"},
		{"(2+3)*4", "(2+3)*4 = 20"},
		{"17*23=", "17*23 = 391"},
		{"17*23 = ?", "17*23 = 391"},
		{"17*23\n", "17*23 = 391"},
		{"10-4-3", "10-4-3 = 3"},
		{"100/10/5", "100/10/5 = 2"},
		{"-2^2", "-2^2 = -4"},
		{"(-2)^2", "(-2)^2 = 4"},
		{"2^3^2", "2^3^2 = 512"},
		{"2**10", "2**10 = 1024"},
		{"2^-2", "2^-2 = 0.25"},
		{"--3", "--3 = 3"},
		{"3 - -3", "3 - -3 = 6"},
		{"+5", "+5 = 5"},
		{"[2+{3}]*4", "[2+{3}]*4 = 20"},

		{"0.1+0.2", "0.1+0.2 = 0.3"},
		{".5+5.", ".5+5. = 5.5"},
		{"1e3", "1e3 = 1000"},
		{"1.5e-3*2E+2", "1.5e-3*2E+2 = 0.3"},
		{"0x1e123456", "0x1e123456 = 504509526"},
		{"9007199254740993*3", "9007199254740993*3 = 27021597764222979"},
		{"2^100", "2^100 = 1267650600228229401496703205376"},
		{"1/3", "1/3 ≈ 0.333333333333333 (exactly 1/3)"},
		{"1/3*3", "1/3*3 = 1"},
		{"1/8", "1/8 = 0.125"},
		{"80*12.5/100", "80*12.5/100 = 10"},
		{"-7 % 3", "-7 % 3 = -1"},
		{"7.5 % 2", "7.5 % 2 = 1.5"},
		// A power with such a long exponent is not calculated exactly.
		{"1^99999999999", "1^99999999999 ≈ 1"},
		{"(-1)^99999999999", "(-1)^99999999999 ≈ -1"},
		{"0^0", "0^0 = 1"},
		{"0^5", "0^5 = 0"},

		// Other spellings of signs and digits.
		{"12×３÷４", "12×３÷４ = 9"},
		{"（１＋２）＊３", "（１＋２）＊３ = 9"},
		{"5−3", "5−3 = 2"},
		{"max（1，2）", "max（1，2） = 2"},
		{"√16", "√16 = 4"},

		{"sqrt(144)", "sqrt(144) = 12"},
		{"sqrt(0.25)", "sqrt(0.25) = 0.5"},
		{"sqrt(2)", "sqrt(2) ≈ 1.4142135623731"},
		{"4^0.5", "4^0.5 = 2"},
		{"4^1.5", "4^1.5 = 8"},
		{"8^(1/3)", "8^(1/3) ≈ 2"},
		{"1.0000001^1e9", "1.0000001^1e9 ≈ 2.688104e+43"},
		{"1.0000001^-1e9", "1.0000001^-1e9 ≈ 3.720095e-44"},
		{"(-1.0000001)^1000000001", "(-1.0000001)^1000000001 ≈ -2.688104e+43"},
		{"2^1000.1", "2^1000.1 ≈ 1.148414490061e+301"},
		{"0.5^1e300", "0.5^1e300 ≈ 0"},
		{"pi^2", "pi^2 ≈ 9.86960440108936"},
		{"(1+pi*1e-10)^1e9", "(1+pi*1e-10)^1e9 ≈ 1.369108"},
		{"cbrt(27)", "cbrt(27) ≈ 3"},
		{"cbrt(-8)", "cbrt(-8) ≈ -2"},
		{"abs(-3)", "abs(-3) = 3"},
		{"ABS(-3)", "ABS(-3) = 3"},
		{"sign(-0.1)", "sign(-0.1) = -1"},
		{"min(3, 1, 2)", "min(3, 1, 2) = 1"},
		{"max(3; 1; pi)", "max(3; 1; pi) ≈ 3.14159265358979"},
		{"sum(1,2,3)", "sum(1,2,3) = 6"},
		{"avg(1,2)", "avg(1,2) = 1.5"},
		{"average(1,2)", "average(1,2) = 1.5"},
		{"sum([1, 2, 3])", "sum([1, 2, 3]) = 6"},
		{"max([1, sqrt(16)])", "max([1, sqrt(16)]) = 4"},
		{"avg[1,2]", "avg[1,2] = 1.5"},
		{"max(10,200)", "max(10,200) = 200"},
		{"round(2.5)", "round(2.5) = 3"},
		{"round(-2.5)", "round(-2.5) = -3"},
		{"round(2.345, 2)", "round(2.345, 2) = 2.35"},
		{"round(1234, -2)", "round(1234, -2) = 1200"},
		{"round(pi, 2)", "round(pi, 2) = 3.14"},
		{"factorial(floor(pi))", "factorial(floor(pi)) = 6"},
		{"floor(-1.5)", "floor(-1.5) = -2"},
		{"ceil(-1.5)", "ceil(-1.5) = -1"},
		{"ceil(pi)", "ceil(pi) = 4"},
		{"trunc(-1.5)", "trunc(-1.5) = -1"},
		// The value of 64^(1/3) may be a little above or below 4. Only round makes it exact.
		{"floor(64^(1/3))", "floor(64^(1/3)) ≈ 4"},
		{"floor(1000^(1/3))", "floor(1000^(1/3)) ≈ 10"},
		{"floor(10*sin(rad(30)))", "floor(10*sin(rad(30))) ≈ 5"},
		{"floor(pi*1e20)", "floor(pi*1e20) ≈ 3.1415926535898e+20"},
		{"ceil(-(64^(1/3)))", "ceil(-(64^(1/3))) ≈ -4"},
		{"trunc(-64^(1/3))", "trunc(-64^(1/3)) ≈ -4"},
		{"round(64^(1/3))", "round(64^(1/3)) = 4"},
		{"gcd(round(64^(1/3)), 6)", "gcd(round(64^(1/3)), 6) = 2"},
		{"round(pi, 14)", "round(pi, 14) ≈ 3.1415926535898"},
		{"round(pi, 15)", "round(pi, 15) ≈ 3.1415926535898"},
		{"round(pi*1e20)", "round(pi*1e20) ≈ 3.1415926535898e+20"},
		{"round(pi*1e20, -10)", "round(pi*1e20, -10) = 314159265360000000000"},
		{"mod(7,3)", "mod(7,3) = 1"},
		{"pow(2,8)", "pow(2,8) = 256"},
		{"gcd(12, 18)", "gcd(12, 18) = 6"},
		{"lcm(4, 6)", "lcm(4, 6) = 12"},
		{"lcm(0, 6)", "lcm(0, 6) = 0"},
		{"factorial(20)", "factorial(20) = 2432902008176640000"},
		{"factorial(0)", "factorial(0) = 1"},
		{"hypot(3,4)", "hypot(3,4) ≈ 5"},

		{"pi", "pi ≈ 3.14159265358979"},
		{"2*π", "2*π ≈ 6.28318530717959"},
		{"e", "e ≈ 2.71828182845905"},
		{"ln(1)", "ln(1) ≈ 0"},
		{"ln(e)", "ln(e) ≈ 1"},
		{"ln(1.0000001)", "ln(1.0000001) ≈ 9.9999995e-08"},
		{"log(1000)", "log(1000) ≈ 3"},
		{"log10(0.001)", "log10(0.001) ≈ -3"},
		{"log(8, 2)", "log(8, 2) ≈ 3"},
		{"ln(1e300)", "ln(1e300) ≈ 690.775527898214"},
		{"log(50)", "log(50) ≈ 1.69897000433602"},
		{"exp(0)", "exp(0) ≈ 1"},
		{"exp(1)", "exp(1) ≈ 2.71828182845905"},
		{"exp(700.1)", "exp(700.1) ≈ 1.120899771073e+304"},
		{"exp(100*pi)", "exp(100*pi) ≈ 2.739273424757e+136"},
		{"sin(0)", "sin(0) ≈ 0"},
		{"sin(pi)", "sin(pi) ≈ 0"},
		{"cos(pi/2)", "cos(pi/2) ≈ 0"},
		{"cos(0)", "cos(0) ≈ 1"},
		{"tan(pi/4)", "tan(pi/4) ≈ 1"},
		{"sin(rad(30))", "sin(rad(30)) ≈ 0.5"},
		// 1e16 is exact, so many digits of its sine are certain. pi is rounded, so 1e6*pi has an
		// error.
		{"sin(1e16)", "sin(1e16) ≈ 0.779688006606979"},
		{"sin(1e22)", "sin(1e22) ≈ -0.852200849767189"},
		{"cos(1e17)", "cos(1e17) ≈ -0.885557328297631"},
		{"cos(-7.25)", "cos(-7.25) ≈ 0.567924173288695"},
		{"tan(1e16)", "tan(1e16) ≈ -1.24517343571841"},
		{"tan(-100)", "tan(-100) ≈ 0.587213915156929"},
		{"tan(0)", "tan(0) ≈ 0"},
		{"sin(3.14159265358979323846)", "sin(3.14159265358979323846) ≈ 0"},
		{"sin(1e6*pi+1)", "sin(1e6*pi+1) ≈ 0.84147098"},
		{"tan(rad(89.9999999))", "tan(rad(89.9999999)) ≈ 572958000"},
		{"tan(pi)", "tan(pi) ≈ 0"},
		{"deg(pi)", "deg(pi) ≈ 180"},
		{"atan2(1,1)*4", "atan2(1,1)*4 ≈ 3.14159265358979"},
	} {
		t.Run(test.expression, func(t *testing.T) {
			got, err := newToolkit(t).call(t, "calculator_evaluate", args{"expression": test.expression})
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Text)
		})
	}
}

func TestCalculatorErrorsSayWhatIsWrong(t *testing.T) {
	const (
		missing  = "an operator such as * may be missing"
		notReal  = "the result is not a real number"
		unknown  = "no digit of the result is known"
		notExact = "it takes exact whole numbers"
	)
	for _, test := range []struct{ expression, want string }{
		{"", "the expression is empty"},
		{" = ", "the expression is empty"},
		{"2+", "at character 3: a number or a ) was expected, but the expression ends"},
		{"2+*3", `at character 3: "*" is not expected here`},
		{"sum( [1] )+", "at character 12: a number or a ) was expected, but the expression ends"},
		{"*3", `at character 1: "*" is not expected here`},
		{"(1+2", "at character 5: a number or a ) was expected, but the expression ends"},
		{"1+2)", "at character 4: a number was expected, or this ) has no matching ("},
		{"()", "at character 2: a number was expected"},
		{"2 3", `at character 3: "3" is not expected here; ` + missing},
		{"2(3)", `at character 2: "(" is not expected here; ` + missing},
		{"2pi", "at character 1: 2p cannot be calculated: it is not a decimal number; " + missing},
		{"pi(2)", `at character 3: "(" is not expected here; ` + missing},
		{"1.2.3", `at character 4: ".3" is not expected here; ` + missing},
		{"1+.", "at character 3: . cannot be calculated: it is not a decimal number"},
		{"1,000+1", "1,000 has a comma; write numbers without thousands separators: 1000 for 1,000"},
		{"max(1,000, 2)", "1,000 has a comma; write numbers without thousands separators: 1000 for 1,000"},
		{
			"1,250+1",
			"at character 2: a comma outside of a function; write numbers without thousands separators, and " +
				"fractions with a point: 1250 or 1.250 for 1,250",
		},
		{"3*1,250.50", "fractions with a point: 1250.50 for 1,250.50"},
		{"12,001,250.5+1", "separators: 12001250.5 for 12,001,250.5"},
		{
			"2*3,5",
			"at character 4: a comma outside of a function; write numbers without thousands separators, and fractions with a point: 3.5 for 3,5",
		},
		{"round(3,14159, 2)", "at character 1: round takes from 1 to 2 arguments (got 3): 3.14159 for 3,14159"},
		{"1.234,56+1", "fractions with a point: 1234.56 for 1.234,56"},
		{"1,234,567+1", "fractions with a point: 1234567 for 1,234,567"},
		{"[1,2,3]", "fractions with a point; a list needs a function, such as sum(1,2,3)"},
		{"5 km + 3 km", `at character 3: "km" is not expected here; an operator such as * may be missing before it; omit units`},
		{"20 € * 2", "omit units"},
		{"5kg*2", "omit units"},
		{"50%", "at character 3: % is the remainder of a division and needs a number after it; for per cent divide by 100"},
		{"(50%)*2", "at character 4: % is the remainder"},
		{"5!", "at character 2: write factorial(n) for n!"},
		{"1 + foo", `at character 5: "foo" is not known; the constants are pi, tau and e, and the functions abs,`},
		{"sqr(1)", `at character 1: "sqr" is not known (did you mean sqrt?)`},
		{"averge(1)", `at character 1: "averge" is not known (did you mean average?)`},
		{"logs(1)", `at character 1: "logs" is not known (did you mean log or log2?)`},
		{"sqrt", "at character 1: sqrt is a function: write sqrt(x)"},
		{"sqrt()", "at character 1: sqrt takes from 1 to 1 arguments (got 0)"},
		{"pow(1)", "at character 1: pow takes from 2 to 2 arguments (got 1)"},
		{"round(1,2,3)", "at character 1: round takes from 1 to 2 arguments (got 3)"},
		{"max()", "at character 1: max takes from 1 to 256 arguments (got 0)"},
		{"gcd(4)", "at character 1: gcd takes from 2 to 256 arguments (got 1)"},
		{"max(1,", "at character 7: a number or a ) was expected, but the expression ends"},
		{"max(1", "at character 6: a number or a ) was expected, but the expression ends"},
		{"max(1,)", "at character 7: a number was expected"},
		{"max(1 2)", `at character 7: "2" is not expected here; ` + missing},
		{"1\n+ 2 3", `at character 7: "3" is not expected here`},
		{"1/0", `at character 2: '/' cannot be calculated: division by zero`},
		{"5 % (2-2)", `at character 3: '%' cannot be calculated: division by zero`},
		{"0^-1", `at character 2: '^' cannot be calculated: division by zero`},
		{"avg(1/0)", `at character 6: '/' cannot be calculated: division by zero`},
		{"sqrt(-1)", "at character 1: sqrt cannot be calculated: " + notReal},
		{"(-8)^(1/3)", notReal},
		{"ln(-1)", "at character 1: ln cannot be calculated: " + notReal},
		{"ln(0)", "too large"},
		{"0^(-pi)", "division by zero"},
		{"2^10^400", "too large"},
		{"(-2)^2.1", notReal},
		{"(1+1e-9/pi)^1e15", "too large"},
		{"(1+1e-200)^1e200", unknown},
		{"2^(pi*1e-9)^-2", "too large"},
		{"sin(pi)^sin(pi)", "at character 8: '^' cannot be calculated: " + unknown},
		{"log(-1)", notReal},
		{"asin(2)", notReal},
		{"tan(pi/2)", unknown},
		{"sin(1e23)", unknown},
		{"sin(pi*1e16)", "at character 1: sin cannot be calculated: " + unknown},
		{"tan(pi*1e16)", "at character 1: tan cannot be calculated: " + unknown},
		{"gcd(1.5, 2)", notExact},
		{"factorial(-1)", notExact},
		{"gcd(floor(pi*1e20), 10)", notExact},
		{"round(1, 1.5)", notExact},
		{"2 $ 3", `at character 3: "$" is not expected here`},
		{"import os", `at character 1: "import" is not known`},
		{"十+1", `at character 1: "十" is not known`},
	} {
		t.Run(test.expression, func(t *testing.T) {
			_, err := newToolkit(t).call(t, "calculator_evaluate", args{"expression": test.expression})
			require.ErrorContains(t, err, test.want)
			assert.Less(t, len(err.Error()), 400)
		})
	}
}

func TestCalculatorRefusesCostlyExpressions(t *testing.T) {
	for _, test := range []struct{ name, expression, want string }{
		{"a tower of powers", "9^9^9^9", "too large"},
		{"a tower of powers, written by a function", "pow(9,pow(9,pow(9,9)))", "too large"},
		{"a small base to a huge power", "1.0000000001^(10^18)", "too large"},
		{"powers of powers", strings.Repeat("(", 16) + "9" + strings.Repeat("^99)", 16), "too large"},
		{"a huge factorial", "factorial(factorial(factorial(9)))", "factorial only those from 0 to 1700"},
		{"a product that is too large for a float64", "2.5e300*1e10*pi", "too large"},
		{"a huge exponent", "1e999999999", "too large"},
		{"a huge exponent of 2", "0x1p-9999999", "too large"},
		{"a long exponent", "1e" + strings.Repeat("9", 3000), "too large"},
		{"a million parentheses", strings.Repeat("(", 1_000_000), "at most 4096"},
		{"as many parentheses as fit", strings.Repeat("(", 4096), "levels deep"},
		{"as many signs as fit", strings.Repeat("-", 4095) + "1", "levels deep"},
		{"as many powers as fit", strings.Repeat("2^", 2047) + "1", "levels deep"},
		{"many functions", strings.Repeat("abs(", 1000) + "1", "levels deep"},
		{"many arguments", "max(" + strings.Repeat("1,", 2000) + "1)", "max takes from 1 to 256 arguments (got 2001)"},
		{"many arguments of a function that takes one", "abs(" + strings.Repeat("1,", 2000) + "1)", "(got 2001)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := newToolkit(t).call(t, "calculator_evaluate", args{"expression": test.expression})
			require.ErrorContains(t, err, test.want)
			assert.Less(t, len(err.Error()), 300)
		})
	}
}

func TestCalculatorAcceptsLongExpressionsThatAreNotCostly(t *testing.T) {
	for _, expression := range []string{
		strings.Repeat("1/3+", 1000) + "1",
		strings.Repeat("1.000001*", 450) + "1",
		strings.Repeat("sin(1e22)+", 300) + "1",
		strings.Repeat("(1+pi)^308+", 200) + "1",
		strings.Repeat("9", 4096),
		strings.Repeat("(", 90) + "1" + strings.Repeat(")", 90),
	} {
		_, err := newToolkit(t).call(t, "calculator_evaluate", args{"expression": expression})
		assert.NoError(t, err, expression[:20])
	}
}
