package parser

import (
	"fmt"
	"slices"
	"strings"
)

// QuotedPolicy says which requests in fenced code run. Those in blockquotes, in code spans and in
// definitions never run.
type QuotedPolicy uint8

const (
	// QuotedSkip runs none of them. It is the default.
	QuotedSkip QuotedPolicy = iota
	// QuotedRun runs them as if they were in plain text.
	QuotedRun
	// QuotedAuto runs those in fenced code whose info string marks them as meant to run. It also
	// runs those in fenced code that contains nothing else and is followed by nothing, if the reply
	// has no other requests.
	QuotedAuto
)

var quotedPolicies = [...]string{QuotedSkip: "skip", QuotedRun: "run", QuotedAuto: "auto"}

// String returns "skip", "run" or "auto".
func (q QuotedPolicy) String() string { return valueName(quotedPolicies[:], q, "QuotedPolicy") }

// ParseQuotedPolicy is the inverse of String; "" is QuotedSkip.
func ParseQuotedPolicy(s string) (QuotedPolicy, error) {
	return parseName[QuotedPolicy](quotedPolicies[:], s, "policy for quoted requests")
}

// MarshalText returns String. A value that has no name is an error.
func (q QuotedPolicy) MarshalText() ([]byte, error) {
	_, err := ParseQuotedPolicy(q.String())
	return []byte(q.String()), err
}

// UnmarshalText is ParseQuotedPolicy.
func (q *QuotedPolicy) UnmarshalText(text []byte) (err error) {
	*q, err = ParseQuotedPolicy(string(text))
	return err
}

// ReasoningPolicy says which requests in reasoning run.
type ReasoningPolicy uint8

const (
	// ReasoningIgnore runs none of them. It is the default.
	ReasoningIgnore ReasoningPolicy = iota
	// ReasoningRun runs them as if they were in plain text.
	ReasoningRun
	// ReasoningRunIfNothingElse runs them if the reply has no other requests.
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
	return parseName[ReasoningPolicy](reasoningPolicies[:], s, "policy for requests in reasoning")
}

// MarshalText returns String. A value that has no name is an error.
func (r ReasoningPolicy) MarshalText() ([]byte, error) {
	_, err := ParseReasoningPolicy(r.String())
	return []byte(r.String()), err
}

// UnmarshalText is ParseReasoningPolicy.
func (r *ReasoningPolicy) UnmarshalText(text []byte) (err error) {
	*r, err = ParseReasoningPolicy(string(text))
	return err
}

// parseName returns the value of a name; "" is the first value. The error calls the value noun.
func parseName[T ~uint8](names []string, name, noun string) (T, error) {
	if i := slices.Index(names, name); i >= 0 {
		return T(i), nil
	}
	if name == "" {
		return 0, nil
	}
	return 0, fmt.Errorf("%s %q is not one of %s", noun, name, strings.Join(names, ", "))
}

// valueName returns the name of a value, or its type and number if it has none.
func valueName[T ~uint8](names []string, value T, kind string) string {
	if int(value) < len(names) && names[value] != "" {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(value))
}
