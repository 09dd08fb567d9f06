package engine

import "time"

// read makes the model write one reply, and returns it as an iteration, which is never nil. tools
// reports whether the requests in the reply may run. The error is that of the model, or of a
// protocol that could not begin to read.
func (r *reader) read(req ModelRequest, tools bool) (*Iteration, error) {
	base := r.base
	iteration := &Iteration{Number: base.iterationNumber, Started: time.Now()}
	if err := r.begin(); err != nil {
		return iteration, err
	}
	r.spent.lastTokens = 0
	err := r.stream(req)
	events, reply := r.close()
	var parts []*truncatedBlock
	mayContinue := func() bool {
		return tools && !base.native && len(parts) < maxContinued && !r.spent.exhausted(&base.settings.config)
	}
	for err == nil && base.ctx.Err() == nil && mayContinue() {
		part := r.truncated(&reply)
		if part == nil || !r.resume(part) {
			break
		}
		parts = append(parts, part)
		err = r.continueReply(req, part)
		events, reply = r.close()
	}
	r.emit(events)
	iteration.Reply, iteration.protocolFailed = reply, r.failed
	iteration.Raw, iteration.Usage = string(r.raw), r.usage
	iteration.Reasoning = joinLines(r.reasoning.String(), iteration.Reply.Reasoning)
	iteration.Continued = len(parts)
	if len(parts) > 0 {
		iteration.joinParts(parts, errTruncated(base.settings.language()))
	}
	settleReply(&iteration.Reply, base.settings.language())
	iteration.Requests = base.settings.requestsOf(&base.session.view, &iteration.Reply, r.requestID)
	r.addNative(iteration)
	if tools {
		r.spent.refuseOverLimit(base.settings, iteration)
	}
	return iteration, err
}
