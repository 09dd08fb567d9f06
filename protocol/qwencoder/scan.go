package qwencoder

import (
	"bytes"
	"strings"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o scan.Options) scan.Scanner {
	return &scanner{
		o: o.WithDefaults(), greedy: o.Tolerance == scan.Greedy && o.Disabled&(1<<repairMissingValueEnd) == 0,
	}
}

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		*s.NewToken(0) = next.Token
		return s.Emit(next.n)
	}
	switch s.mode {
	case modeBody:
		return s.scanBody(src, from, atEOF)
	case modeValue:
		return s.scanValue(src, from, atEOF)
	}
	return s.scanText(src, from, atEOF)
}

// Requests reads the fields of a request that has ended, and returns one reading for each function
// (Q12).
func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	readings := []scan.Reading{{}}
	var arguments scan.ArgumentSet
	for i, f := range fields {
		if f.Role == scan.FieldToolName && i > 0 {
			readings, arguments = append(readings, scan.Reading{}), scan.ArgumentSet{}
		}
		r := &readings[len(readings)-1]
		switch {
		case f.Role == scan.FieldToolName:
			r.ToolName = strings.TrimSpace(f.Value)
		case !arguments.Add(f):
			r.Fail(scan.CodeDuplicateKey, english[scan.CodeDuplicateKey])
		}
		r.Arguments = arguments.List
	}
	for i := range readings {
		if r := &readings[i]; r.ToolName == "" {
			r.Fail(scan.CodeMissingToolName, english[scan.CodeMissingToolName])
		}
	}
	scan.ShareError(readings)
	return readings
}

// Abort returns to text.
func (s *scanner) Abort(int) {
	s.mode, s.Looked, s.lead, s.queue = modeText, 0, 0, s.queue[:0]
	s.text = textState{blank: true}
}

// scanBody reads between the tags of a request.
func (s *scanner) scanBody(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	b := src[from:]
	if s.body.bare && s.body.functions == 0 {
		// The '<' of the tag has been returned as the request's start.
		t, _ := tagAt(src[from-1:], maxTextTag)
		return s.beginFunction(&t, 1)
	}
	phase := s.body.phase
	n := leading(b, s.body.white)
	if phase == broken {
		n = len(b)
		if at := bytes.IndexByte(b, '<'); at >= 0 {
			n = at
		}
	}
	s.Work += n
	switch {
	case n > 0:
		return s.EmitAs(n, scan.TokenFiller, "")
	case len(b) == 0:
		return s.endOfBody(atEOF)
	case b[0] != '<':
		return s.unreadable()
	}
	t, m := s.tag(b, maxTag)
	switch {
	case m == scan.MatchShort && !atEOF:
		return s.Wait()
	case m == scan.MatchShort:
		return s.EmitAs(len(b), scan.TokenFiller, "") // the beginning of a tag
	case m == scan.MatchNo:
		return s.unreadable()
	case t.Kind == tags.Call && t.End:
		s.NewToken(scan.TokenRequestEnd)
		if phase == inFunction {
			s.Repair(repairMissingFunctionEnd, 0, 0)
		}
		if phase != broken {
			s.repairTag(&t, 0)
		}
		return s.endRequest(t.N)
	case t.Kind == tags.Call:
		switch _, m := s.callFollows(b[t.N:], atEOF); m {
		case scan.MatchYes:
			return s.endUnclosed()
		case scan.MatchShort:
			return s.Wait()
		}
	case t.Kind == tags.Parameter && t.End && phase == broken:
		return s.EmitAs(t.N, scan.TokenDefect, scan.CodeStrayCloser)
	case t.Kind == tags.Parameter && t.End:
		s.body.phase = broken // from now on such a tag is a stray closer
		return s.EmitAs(0, scan.TokenDefect, scan.CodeAmbiguousValue)
	case phase == broken:
	case t.Kind == tags.Function && !t.End && phase != inFunction:
		return s.beginFunction(&t, 0)
	case t.Kind == tags.Parameter && phase != afterFunction:
		return s.beginParameter(&t, b, atEOF)
	case t.Kind == tags.Function && t.End && phase == inFunction:
		s.NewToken(scan.TokenFiller).Complete = true
		s.repairTag(&t, 0)
		s.body.phase = afterFunction
		return s.Emit(t.N)
	case t.Kind == tags.Response && !t.End, t.Kind == tags.Tools && t.End:
		switch evidence, m := s.standsAlone(src, from, &t, s.Base-s.body.start, atEOF); m {
		case scan.MatchYes:
			return s.EmitEvidence(t.N, evidence)
		case scan.MatchShort:
			return s.Wait()
		}
	}
	return s.unreadable()
}

// unreadable returns the token of a byte that cannot be read. After the first one nothing can be
// trusted (Q16).
func (s *scanner) unreadable() (int, *scan.Token, error) {
	if s.body.phase == broken {
		return s.EmitAs(1, scan.TokenFiller, "")
	}
	s.body.phase = broken
	return s.EmitAs(1, scan.TokenDefect, scan.CodeAmbiguousValue)
}

// endOfBody returns the last tokens of a request in which the input ends. The request may lack more
// than its END (Q8, Q9).
func (s *scanner) endOfBody(atEOF bool) (int, *scan.Token, error) {
	c := &s.body
	if atEOF && c.bare && c.phase == broken {
		s.endMissing = true
	}
	lacksMore := c.bare && c.phase != broken || c.phase < afterFunction
	unrepairable := c.phase == beforeFunction || c.phase == inFunction && c.parameters == 0
	if atEOF && lacksMore && !c.reportedUnclosed && (unrepairable || s.o.Tolerance != scan.Greedy) {
		c.reportedUnclosed = true
		return s.EmitAs(0, scan.TokenFiller, scan.CodeUnclosedBlock)
	}
	return s.End(atEOF)
}

// endUnclosed ends a request in which another begins (Q8, Q10).
func (s *scanner) endUnclosed() (int, *scan.Token, error) {
	tok := s.NewToken(scan.TokenRequestEnd)
	tok.Outcome = scan.OutcomeUnclosed
	switch c := &s.body; {
	case c.phase == afterFunction && !c.bare:
		s.Repair(repairMissingBlockEnd, 0, 0)
	case c.phase < afterFunction && c.parameters == 0:
		tok.Code = scan.CodeUnclosedBlock
	}
	return s.endRequest(0)
}

// endRequest returns the token, which ends the request.
func (s *scanner) endRequest(n int) (int, *scan.Token, error) {
	s.mode, s.text = modeText, textState{blank: true}
	return s.Emit(n)
}

// beginFunction returns the tokens of the tag t. skip is how many bytes of the tag have been
// returned already.
func (s *scanner) beginFunction(t *tag, skip int) (int, *scan.Token, error) {
	c := &s.body
	c.functions++
	c.nameless = c.nameless || c.phase == beforeFunction && c.parameters > 0
	c.phase, c.parameters = inFunction, 0
	s.field(t, skip, "function", scan.FieldToolName)
	s.queue = append(s.queue[:0],
		queued{t.nameEnd - t.nameAt, scan.Token{Kind: scan.TokenValue}},
		queued{t.N - t.nameEnd, scan.Token{Kind: scan.TokenFieldEnd}})
	if c.functions > 1 {
		s.Repair(repairSeveralCalls, -skip, t.N-skip)
	}
	return s.Emit(t.nameAt - skip)
}

// field begins the token of a field whose tag is t.
func (s *scanner) field(t *tag, skip int, name string, role scan.FieldRole) *scan.Token {
	tok := s.NewToken(scan.TokenField)
	tok.Role, tok.Name = role, []byte(name)
	tok.Quiet = s.body.functions > 1 || s.body.nameless // events describe the first call
	s.repairTag(t, -skip)
	return tok
}

// beginParameter returns the tag of a parameter, with the line break that belongs to it (P1, P3).
func (s *scanner) beginParameter(t *tag, b []byte, atEOF bool) (int, *scan.Token, error) {
	rest := b[t.N:]
	n, _ := scan.TextLine.Cut(rest)
	if !atEOF && n == 0 && (len(rest) == 0 || string(rest) == "\r") {
		return s.Wait()
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
	s.mode, s.value = modeValue, valueState{openingBreak: n}
	return s.Emit(t.N + n)
}
