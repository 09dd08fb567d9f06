package chat

import "github.com/vcpgo/vcp/executor"

// Decision settles one request that mode manual has dispatched. Approve, Supply and Deny return a
// Decision; the request ID and the digest that they take are those that Pending shows.
type Decision struct {
	requestID string
	digest    executor.Digest
	kind      decisionKind
	text      string // the result for Supply, the reason for Deny
}

type decisionKind uint8

const (
	approve decisionKind = iota + 1 // 0 is the kind of the zero Decision, which Resolve refuses
	supply
	deny
)

// Approve allows the call to run. The policy may still deny it.
func Approve(requestID string, digest executor.Digest) Decision {
	return Decision{requestID, digest, approve, ""}
}

// Supply gives the request a result that the application found itself: text for the model.
func Supply(requestID string, digest executor.Digest, text string) Decision {
	return Decision{requestID, digest, supply, text}
}

// Deny refuses the call. The model reads the reason, which may be "".
func Deny(requestID string, digest executor.Digest, reason string) Decision {
	return Decision{requestID, digest, deny, reason}
}

// matchedDecision is a request with what was decided about it.
type matchedDecision struct {
	request executor.Request // Approved is set if the call was approved
	result  *executor.Result // the supplied result or the denial; nil if the call was approved
}

// on returns the decision with its request.
func (d *Decision) on(r executor.Request) matchedDecision {
	switch d.kind {
	case supply:
		return matchedDecision{r, new(r.Result(d.text))}
	case deny:
		return matchedDecision{r, new(r.Deny(d.text))}
	default:
		r.Approved = d.digest
		return matchedDecision{request: r}
	}
}
