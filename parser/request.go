package parser

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/protocol"
)

// pending is a request whose status may still change.
type pending struct {
	Request
	place place
	live  bool // it runs, wherever it stands
	// wasLive is set on a request that has become reasoning (C3): a doubt that it casts on others stays.
	wasLive bool
	number  int  // of its block
	fence   int  // number of the fence it may stand in
	asked   bool // the fence's info string asks for its requests to run
	defined bool // it stands behind the mark of a definition that is open
	barred  bool // no policy lets it run
	bits    uint64
	// readErr is what is wrong with it as it was read, wherever it stands.
	readErr *protocol.RequestError
	doubted bool // what it holds casts doubt on the requests behind it, whatever readErr says (B17)
}

func (p *Parser) nextID() string { return strconv.Itoa(len(p.requests) + 1) }

// read turns the fields of a block into requests.
func (p *Parser) read(b *block, raw string) []protocol.Reading {
	p.emptyFields()
	for i := range b.fields {
		f := &b.fields[i]
		if f.role == protocol.FieldComment {
			continue
		}
		out := protocol.Field{Name: f.name, Value: f.value, Form: f.form}
		if !b.oversize {
			if out.Name == "" {
				out.Name = raw[f.nameStart-b.start : f.nameEnd-b.start]
			}
			if len(f.skips) > 0 {
				out.Value = p.valueOf(f)
			} else {
				p.examined += f.end - f.start
				s, e := f.rule.Cut(p.bytes(f.start, f.end))
				out.Value = raw[f.start-b.start:][s:e]
			}
		}
		p.fields = append(p.fields, out)
	}
	return p.readFields()
}

// emptyFields forgets the fields of the last block, which alias the reply.
func (p *Parser) emptyFields() {
	clear(p.fields)
	p.fields = p.fields[:0]
}

// readFields has the protocol read Parser.fields.
func (p *Parser) readFields() []protocol.Reading {
	p.guarded = true
	readings := p.scanner.Requests(p.fields)
	p.guarded = false
	return readings
}

// nameOf returns the key of a field whose bytes are kept.
func (p *Parser) nameOf(f *field) []byte {
	if f.name != "" {
		return []byte(f.name)
	}
	return p.bytes(f.nameStart, f.nameEnd)
}

// fieldsOf returns what Request.Fields tells of fields whose bytes are kept.
func (p *Parser) fieldsOf(list []field) []Field {
	fields := make([]Field, len(list))
	for i := range list {
		f := &list[i]
		fields[i] = Field{
			Name: string(p.nameOf(f)), Start: f.nameStart, Value: p.valueOf(f), Form: f.form, Role: f.role,
		}
	}
	return fields
}

// valueOf returns a copy of the text of a field whose bytes are kept.
func (p *Parser) valueOf(f *field) string {
	value := p.bytes(f.start, f.end)
	if len(f.skips) > 0 {
		kept := make([]byte, 0, len(value))
		at := f.start
		for _, s := range f.skips {
			kept = append(kept, p.bytes(at, s.start)...)
			kept = append(kept, s.instead...)
			at = s.end
		}
		kept = append(kept, p.bytes(at, f.end)...)
		value = kept
	}
	s, e := f.rule.Cut(value)
	return string(value[s:e])
}

// addRequest adds one request that was read from a block.
func (p *Parser) addRequest(b *block, r *protocol.Reading, fields []Field, raw string, end int) {
	id := p.nextID()
	n := len(p.requests)
	p.requests = slices.Grow(p.requests, 1)[:n+1]
	q := &p.requests[n]
	*q = pending{place: b.place, live: b.live, number: b.number, fence: b.fence, asked: b.asked, defined: b.defined, barred: b.barred}
	p.anyDefined = p.anyDefined || b.defined
	q.ID, q.ToolRequest, q.RawBlock, q.Span, q.commandAt = id, r.Request, raw, Span{b.start, end}, r.CommandAt
	q.Fields = fields
	q.commandAt = min(max(0, q.commandAt), len(q.Arguments)+1)
	if b.isCut {
		q.Cut = &Cut{b.cut.At, b.cut.Argument}
	}
	for _, x := range b.repairs {
		q.bits |= 1 << x.repair
		q.Repairs = append(q.Repairs, Repair{Name: p.repairs[x.repair].Name, Span: Span{x.start, x.end}})
	}
	visible := 0
	for i := 0; i < len(b.fields) && len(r.Repairs) > 0; i++ {
		f := &b.fields[i]
		if f.role == protocol.FieldComment {
			continue
		}
		for _, x := range r.Repairs {
			if x.Field == visible {
				q.bits |= 1 << x.Repair
				q.Repairs = append(q.Repairs, Repair{Name: p.repairs[x.Repair].Name, Span: Span{f.nameStart, f.nameEnd}})
			}
		}
		visible++
	}
	if len(q.Repairs) > 1 {
		slices.SortFunc(q.Repairs, func(a, b Repair) int {
			return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(a.Name, b.Name))
		})
	}
	code := b.code
	if r.Err != nil && (code == "" || r.Err.Code.Before(code)) {
		q.Err = r.Err
	} else if code != "" {
		q.Err = p.requestError(code)
	}
	if refused := p.refused(q.bits); q.Err == nil && refused != 0 {
		q.Err = p.refusal(refused)
	}
	q.readErr = q.Err
	q.doubted = b.doubted || r.Err != nil && r.Err.Code == protocol.CodeAmbiguousValue
	q.Status = q.ownStatus()
	switch {
	case q.live:
	case q.place == placeReasoning:
		q.Status = protocol.StatusReasoning
	default:
		q.Status = protocol.StatusQuoted
	}
	if p.mute {
		return
	}
	if !b.started && q.live && q.ToolName != "" {
		p.emit(Event{Kind: EventRequestStarted, RequestID: q.ID, Name: []byte(q.ToolName)})
	}
	done := q.Request
	p.emit(Event{Kind: EventRequestDone, RequestID: q.ID, Request: &done})
}

// requestError is the error of a code, in the words of the protocol.
func (p *Parser) requestError(code protocol.ErrorCode) *protocol.RequestError {
	e := &protocol.RequestError{Code: code}
	if err := guard(func() { e.Message = p.proto.ErrorMessage(code) }); err != nil || e.Message == "" {
		e.Message = "the request cannot be read (" + string(code) + ")"
	}
	return e
}

// refusal is the error of a request that needs repairs which are not allowed.
func (p *Parser) refusal(bits uint64) *protocol.RequestError {
	message := ""
	for i, r := range p.repairs {
		if bits&(1<<i) != 0 {
			if message != "" {
				message += "; "
			}
			message += r.Doc + " (" + r.Name + ")"
		}
	}
	return &protocol.RequestError{
		Code:    protocol.CodeRepairRefused,
		Message: "the request has " + message + ", which is not mended here; write it exactly as the instructions say",
	}
}

func (q *pending) ownStatus() protocol.Status {
	if q.Err != nil {
		return protocol.StatusInvalid
	}
	return protocol.StatusReady
}
