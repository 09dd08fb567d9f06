package builtin

import (
	"context"

	"github.com/vcpgo/vcp/tool"
)

type evaluateInput struct {
	Expression string `json:"expression" jsonschema:"the arithmetic expression to calculate, such as 17*23 or (2+3)^2 / sqrt(16)"`
}

// evaluateDetails is the result for programs.
type evaluateDetails struct {
	Expression string `json:"expression"`
	Result     string `json:"result"`
	Exact      bool   `json:"exact"`
}

// Calculator returns the tool that does arithmetic. Whole numbers, fractions and decimals are
// calculated exactly. If an operation has no exact result, the result is rounded, says so, and
// shows only the digits that are known.
func Calculator() (tool.Tool, error) {
	evaluate, err := tool.New("evaluate",
		"Calculates the value of an arithmetic expression, exactly: what is 17*23, how much is 12.5% of 80 (written 80*12.5/100), "+
			"compute a sum, difference, product, quotient, power or root. Knows + - * / % (remainder) ^ and parentheses, the constants pi, tau and e, "+
			"and the functions sqrt, cbrt, abs, sign, min, max, sum, avg, round(x, digits), floor, ceil, trunc, mod, gcd, lcm, factorial, pow, exp, ln, log (base 10, or log(x, base)), "+
			"log2, hypot, sin, cos, tan, asin, acos, atan, atan2 (angles in radians; rad and deg convert).",
		func(ctx context.Context, in evaluateInput) (tool.Output, error) {
			x, err := evaluateExpression(ctx, in.Expression)
			if err != nil {
				return tool.Output{}, err
			}
			result, exact := x.text()
			text := cut(trimExpression(in.Expression), maxEcho)
			if exact {
				text += " = " + result
			} else {
				text += " ≈ " + result
			}
			if x.exact != nil && !exact && len(x.exact.String()) <= 30 {
				text += " (exactly " + x.exact.String() + ")"
			}
			return tool.Output{Text: text, Details: evaluateDetails{Expression: in.Expression, Result: result, Exact: exact}}, nil
		},
		tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Calculate"),
		tool.Example(map[string]any{"expression": "17*23"}))
	if err != nil {
		return tool.Tool{}, err
	}
	return newTool("calculator", "Calculator", "Arithmetic.", evaluate), nil
}
