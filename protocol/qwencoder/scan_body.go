package qwencoder

import "github.com/vcpgo/vcp/protocol/scan"

// scanBody reads between the tags of a request.
func (s *scanner) scanBody(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	b := src[from:]
	if s.body.bare && s.body.functions == 0 {
		// The '<' of the tag has been returned as the request's start.
		t, _ := tagAt(src[from-1:], maxTextTag)
		return s.beginFunction(&t, 1)
	}
	if n := leading(b, s.body.white); n > 0 {
		s.examined += n
		return s.emitAs(n, scan.TokenFiller, "")
	}
	if len(b) == 0 {
		return s.endOfBody(atEOF)
	}
	if b[0] != '<' {
		return s.broken()
	}
	t, m := s.tag(b, maxTag)
	switch {
	case m == matchShort && !atEOF:
		return s.short()
	case m == matchShort:
		return s.emitAs(len(b), scan.TokenFiller, "") // the beginning of a tag
	case m == matchNo:
		return s.broken()
	}
	phase := s.body.phase
	switch {
	case t.kind == tagFunction && !t.end && phase != inFunction:
		return s.beginFunction(&t, 0)
	case t.kind == tagParameter && !t.end && phase != afterFunction:
		return s.beginParameter(&t, b, atEOF)
	case t.kind == tagFunction && t.end && phase == inFunction:
		s.newToken(scan.TokenFiller).Complete = true
		s.repairTag(&t, 0)
		s.body.phase = afterFunction
		return s.emit(t.n)
	case t.kind == tagCall && t.end:
		s.newToken(scan.TokenRequestEnd)
		if phase == inFunction {
			s.repair(repairMissingFunctionEnd, 0, 0)
		}
		s.repairTag(&t, 0)
		return s.endRequest(t.n)
	case t.kind == tagCall && !t.end:
		switch _, m := s.callFollows(b[t.n:], atEOF); m {
		case matchYes:
			return s.endUnclosed()
		case matchShort:
			return s.short()
		}
	case t.kind == tagResponse && !t.end, t.kind == tagTools && t.end:
		evidence, m := s.standsAlone(src, from, &t, s.body.size, atEOF)
		if m == matchShort {
			return s.short()
		}
		if evidence != 0 {
			return s.emitEvidence(t.n, evidence)
		}
	case t.kind == tagParameter && t.end:
		s.mode = modeBroken // which says that it is a stray closer
		return s.emitAs(0, scan.TokenDefect, scan.CodeAmbiguousValue)
	}
	return s.broken()
}

// broken returns the byte after which nothing can be trusted (Q16).
func (s *scanner) broken() (int, *scan.Token, error) {
	s.mode = modeBroken
	return s.emitAs(1, scan.TokenDefect, scan.CodeAmbiguousValue)
}

// endOfBody ends the input between the tags of a request. The request may lack more than its END
// (Q8, Q9).
func (s *scanner) endOfBody(atEOF bool) (int, *scan.Token, error) {
	if !atEOF {
		return s.short()
	}
	c := &s.body
	lacks := c.bare || c.phase != afterFunction
	if lacks && !c.ended && (s.o.Tolerance != scan.Greedy || c.phase == beforeFunction || c.phase == inFunction && c.parameters == 0) {
		c.ended = true
		return s.emitAs(0, scan.TokenFiller, scan.CodeUnclosedBlock)
	}
	return s.emitAs(0, scan.TokenNone, "")
}

// endUnclosed ends a request in which another begins (Q8, Q10).
func (s *scanner) endUnclosed() (int, *scan.Token, error) {
	tok := s.newToken(scan.TokenRequestEnd)
	tok.Outcome = scan.OutcomeUnclosed
	switch c := &s.body; {
	case c.phase == afterFunction && !c.bare:
		s.repair(repairMissingBlockEnd, 0, 0)
	case c.phase != afterFunction && c.parameters == 0:
		tok.Code = scan.CodeUnclosedBlock
	}
	return s.endRequest(0)
}

// endRequest returns the token, which ends the request.
func (s *scanner) endRequest(n int) (int, *scan.Token, error) {
	s.mode = modeText
	s.text = textState{after: true, blank: true}
	return s.emit(n)
}

// beginFunction returns the tokens of the tag t, of which the first skip bytes have been returned.
func (s *scanner) beginFunction(t *tag, skip int) (int, *scan.Token, error) {
	c := &s.body
	c.functions++
	c.nameless = c.nameless || c.phase == beforeFunction && c.parameters > 0
	c.phase, c.parameters = inFunction, 0
	tok := s.field(t, skip, "function", scan.FieldToolName)
	s.queue = s.queue[:0]
	if n := t.nameEnd - t.nameAt; n > 0 {
		s.queue = append(s.queue, queued{n, scan.Token{Kind: scan.TokenValue}})
	}
	s.queue = append(s.queue, queued{t.n - t.nameEnd, scan.Token{Kind: scan.TokenFieldEnd}})
	if c.functions > 1 {
		s.repair(repairSeveralCalls, -skip, t.n-skip)
	}
	tok.NameStart, tok.NameEnd = 0, 0
	return s.emit(t.nameAt - skip)
}

// field begins the token of a field whose tag is t.
func (s *scanner) field(t *tag, skip int, name string, role scan.FieldRole) *scan.Token {
	tok := s.newToken(scan.TokenField)
	tok.Role, tok.Name = role, []byte(name)
	tok.Quiet = s.body.functions > 1 || s.body.nameless // events describe the first call
	s.repairTag(t, -skip)
	return tok
}

// beginParameter returns the tag of a parameter, with the line break that belongs to it (P1, P3).
func (s *scanner) beginParameter(t *tag, b []byte, atEOF bool) (int, *scan.Token, error) {
	rest := b[t.n:]
	n := lineBreak(rest)
	if !atEOF && n == 0 && (len(rest) == 0 || string(rest) == "\r") {
		return s.short()
	}
	s.body.parameters++
	tok := s.field(t, 0, "", scan.FieldArgument)
	tok.Name, tok.NameStart, tok.NameEnd = b[t.nameAt:t.nameEnd], t.nameAt, t.nameEnd
	switch {
	case len(tok.Name) == 0:
		tok.Code = scan.CodeBadKey
	case len(tok.Name) > s.o.MaxKey:
		tok.Code = scan.CodeLimitExceeded
	}
	s.mode, s.value = modeValue, valueState{breaks: n > 0, lone: n == 1}
	return s.emit(t.n + n)
}

// lineBreak returns the length of the line break at the start of b, 0 if there is none.
func lineBreak(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	}
	return 0
}

// scanBroken reads what cannot be read, up to a tag that ends the request (Q16).
func (s *scanner) scanBroken(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	b := src[from:]
	n := 0
	for n < len(b) && b[n] != '<' {
		n++
	}
	s.examined += n
	switch {
	case n > 0:
		return s.emitAs(n, scan.TokenFiller, "")
	case len(b) == 0 && !atEOF:
		return s.short()
	case len(b) == 0:
		return s.emitAs(0, scan.TokenNone, "")
	}
	t, m := s.tag(b, maxTag)
	switch {
	case m == matchShort && !atEOF:
		return s.short()
	case m != matchYes:
	case t.kind == tagCall && t.end:
		s.newToken(scan.TokenRequestEnd)
		return s.endRequest(t.n)
	case t.kind == tagCall:
		switch _, m := s.callFollows(b[t.n:], atEOF); m {
		case matchYes:
			s.newToken(scan.TokenRequestEnd).Outcome = scan.OutcomeUnclosed
			return s.endRequest(0)
		case matchShort:
			return s.short()
		}
	case t.kind == tagParameter && t.end:
		return s.emitAs(t.n, scan.TokenDefect, scan.CodeStrayCloser)
	}
	return s.emitAs(1, scan.TokenFiller, "")
}
