package engine

import "time"

// read makes the model write one reply. The turn is never nil. tools says that its requests may
// run. The error is the model's, or that of a protocol that failed to start.
func (d *reader) read(req ModelRequest, tools bool) (*Turn, error) {
	r := d.base
	turn := &Turn{Iteration: r.iteration, Started: time.Now()}
	if err := d.begin(); err != nil {
		return turn, err
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
	turn.Reply, turn.protocolFailed = reply, d.failed
	turn.Raw, turn.Usage = string(d.raw), d.usage
	turn.Reasoning = joinLines(d.reasoning.String(), turn.Reply.Reasoning)
	turn.Continued = len(parts)
	turn.joinParts(parts, errTruncated(r.settings.language()))
	settleReply(&turn.Reply, r.settings.language())
	turn.Requests = r.settings.requestsOf(&turn.Reply, d.number, r.session.suffix)
	d.addNative(turn)
	if tools {
		d.spent.refuseOverLimit(r.settings, turn)
	}
	return turn, err
}
