package builtin_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin"
)

// TestLawAResultIsWithinItsReportedError adds a rounded number to x and subtracts it again. The
// result must differ from x by at most the error that the calculator reports. (A law is a property
// that rapid checks with generated inputs.)
func TestLawAResultIsWithinItsReportedError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, scale := rapid.Int64Range(1, 1<<53).Draw(t, "x"), rapid.IntRange(-20, 25).Draw(t, "scale")
		rounded := rapid.SampledFrom([]string{"pi*1e%d", "sqrt(2)^3*1e%d", "ln(3)/1e%d", "exp(7.1)*1e%d", "round(e*1e%d,3)"}).Draw(t, "rounded")
		rounded = fmt.Sprintf(rounded, scale)
		f, off, err := builtin.Approximate(fmt.Sprintf("%d + %s - %s", x, rounded, rounded))
		if err == nil && math.Abs(f-float64(x)) > off {
			t.Fatalf("%d plus and minus %s is %g, with an error of more than %g", x, rounded, f, off)
		}
	})
}

func TestCalculatorEndsWithItsContext(t *testing.T) {
	k := newToolkit(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	found, err := k.Resolve("calculator_evaluate", "", nil)
	require.NoError(t, err)
	call := callFor(found, `{"expression":"1+1"}`)
	_, err = found.Entry.Method.Handler(ctx, call)
	require.ErrorIs(t, err, context.Canceled)
}

// randomExpression returns an expression of whole numbers and its value. depth limits its nesting.
func randomExpression(r *rand.Rand, depth int) (text string, v *big.Int) {
	blank := strings.Repeat(" ", r.IntN(3)/2) // one in a third of the cases
	if depth == 0 || r.IntN(5) == 0 {
		n := r.Int64N(1_000_000_000_000)
		return blank + fmt.Sprint(n), big.NewInt(n)
	}
	a, x := randomExpression(r, depth-1)
	b, y := randomExpression(r, depth-1)
	switch r.IntN(4) {
	case 0:
		return blank + "(" + a + "+" + b + ")", new(big.Int).Add(x, y)
	case 1:
		return "(" + a + blank + "-" + b + ")", new(big.Int).Sub(x, y)
	case 2:
		return "(" + a + "*" + blank + b + ")", new(big.Int).Mul(x, y)
	}
	return "(-" + a + ")", new(big.Int).Neg(x)
}

func TestLawWholeNumbersAreExact(t *testing.T) {
	k := newToolkit(t)
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		text, want := randomExpression(rand.New(rand.NewPCG(seed, 1)), 5)
		got, err := k.call(t, "calculator_evaluate", args{"expression": text})
		if err != nil {
			rt.Fatalf("%s: %v", text, err)
		}
		if !strings.HasSuffix(got.Text, " = "+want.String()) {
			rt.Fatalf("%s: got %s, want %s", text, got.Text, want)
		}
	})
}

func FuzzCalculator(f *testing.F) {
	for _, seed := range []string{"17*23", "sqrt(2)^-3%4", "max(1,2;3)", "−（1.5e3）×π", "√√16", "((", "9^9^9"} {
		f.Add(seed)
	}
	k := newToolkit(f)
	f.Fuzz(func(t *testing.T, expression string) {
		got, err := k.call(t, "calculator_evaluate", args{"expression": expression})
		if err == nil && got.Text == "" {
			t.Error("neither a result nor an error")
		}
	})
}
