package engine

import "time"

// read makes the model write one reply. The iteration is never nil. tools says that its requests
// may run. The error is the model's, or that of a protocol that failed to start.
func (d *reader) read(req ModelRequest, tools bool) (*Iteration, error) {
	r := d.base
	iteration := &Iteration{Number: r.iterationNumber, Started: time.Now()}
	if err := d.begin(); err != nil {
		return iteration, err
	}
	d.spent.last = 0
	err := d.stream(req)
	events, reply := d.close()
	var parts []*truncated
	for err == nil && r.ctx.Err() == nil && tools && !r.native && len(parts) < maxContinued && !d.spent.exhausted(&r.settings.config) {
		part := d.truncated(&reply)
		if part == nil || !d.resume(part) {
			break
		}
		parts = append(parts, part)
		err = d.continueReply(req, part)
		events, reply = d.close()
	}
	d.emit(events)
	iteration.Reply, iteration.protocolFailed = reply, d.failed
	iteration.Raw, iteration.Usage = string(d.raw), d.usage
	iteration.Reasoning = joinLines(d.reasoning.String(), iteration.Reply.Reasoning)
	iteration.Continued = len(parts)
	if len(parts) > 0 {
		iteration.joinParts(parts, errTruncated(r.settings.language()))
	}
	settleReply(&iteration.Reply, r.settings.language())
	iteration.Requests = r.settings.requestsOf(&iteration.Reply, d.number, r.session.suffix)
	d.addNative(iteration)
	if tools {
		d.spent.refuseOverLimit(r.settings, iteration)
	}
	return iteration, err
}
