package parser

import "fmt"

// QuotedPolicy says what becomes of requests in code, quotations and definitions (DIALECT C5, C6).
type QuotedPolicy uint8

const (
	// QuotedSkip runs none of them. It is the default.
	QuotedSkip QuotedPolicy = iota
	// QuotedRun runs them as if they stood in plain text.
	QuotedRun
	// QuotedAuto runs those in fenced code that is all that the reply asks for, or that says that it holds requests.
	QuotedAuto
)

var quotedPolicies = [...]string{QuotedSkip: "skip", QuotedRun: "run", QuotedAuto: "auto"}

// String returns "skip", "run" or "auto".
func (q QuotedPolicy) String() string { return valueName(quotedPolicies[:], q, "QuotedPolicy") }

// ParseQuotedPolicy is the inverse of String; "" is QuotedSkip.
func ParseQuotedPolicy(s string) (QuotedPolicy, error) {
	for i, name := range quotedPolicies {
		if s == name {
			return QuotedPolicy(i), nil
		}
	}
	if s == "" {
		return QuotedSkip, nil
	}
	return QuotedSkip, fmt.Errorf("policy for quoted requests %q is not one of skip, run, auto", s)
}

// MarshalText returns String.
func (q QuotedPolicy) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalText is ParseQuotedPolicy.
func (q *QuotedPolicy) UnmarshalText(text []byte) (err error) {
	*q, err = ParseQuotedPolicy(string(text))
	return err
}

// ReasoningPolicy says what becomes of requests in reasoning (DIALECT C1).
type ReasoningPolicy uint8

const (
	// ReasoningIgnore runs none of them. It is the default.
	ReasoningIgnore ReasoningPolicy = iota
	// ReasoningRun runs them as if they stood in plain text.
	ReasoningRun
	// ReasoningRunIfNothingElse runs them where the reply asks for nothing else.
	ReasoningRunIfNothingElse
)

var reasoningPolicies = [...]string{
	ReasoningIgnore: "ignore", ReasoningRun: "run", ReasoningRunIfNothingElse: "run_if_nothing_else",
}

// String returns "ignore", "run" or "run_if_nothing_else".
func (r ReasoningPolicy) String() string {
	return valueName(reasoningPolicies[:], r, "ReasoningPolicy")
}

// ParseReasoningPolicy is the inverse of String; "" is ReasoningIgnore.
func ParseReasoningPolicy(s string) (ReasoningPolicy, error) {
	for i, name := range reasoningPolicies {
		if s == name {
			return ReasoningPolicy(i), nil
		}
	}
	if s == "" {
		return ReasoningIgnore, nil
	}
	return ReasoningIgnore, fmt.Errorf("policy for requests in reasoning %q is not one of ignore, run, run_if_nothing_else", s)
}

// MarshalText returns String.
func (r ReasoningPolicy) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText is ParseReasoningPolicy.
func (r *ReasoningPolicy) UnmarshalText(text []byte) (err error) {
	*r, err = ParseReasoningPolicy(string(text))
	return err
}
