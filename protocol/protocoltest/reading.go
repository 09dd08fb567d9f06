package protocoltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// draws is the number of replies or requests for most rules.
const draws = 400

func introduces(s *subject) error {
	id := s.ID()
	for _, c := range id {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return fmt.Errorf("the ID %q has other characters than lower-case letters and digits", id)
		}
	}
	repairs := s.Repairs()
	if id == "" || len(repairs) > 64 {
		return fmt.Errorf("the ID is %q and there are %d repairs; there are to be an ID and at most 64", id, len(repairs))
	}
	names := map[string]bool{}
	for _, r := range repairs {
		if r.Name == "" || r.Doc == "" || names[r.Name] || r.Level != scan.Safe && r.Level != scan.Greedy {
			return fmt.Errorf("the repair %+v has no name, no doc, the name of another, or a level that is neither safe nor greedy", r)
		}
		names[r.Name] = true
	}
	for _, code := range scan.ErrorCodes() {
		for _, language := range []string{"", "en", "zh"} {
			if s.ErrorMessage(code, protocol.PromptOptions{Language: language}) == "" {
				return fmt.Errorf("ErrorMessage(%q) is empty in the language %q", code, language)
			}
		}
	}
	return nil
}

// surroundings are texts before and after a request.
var surroundings = [][2]string{{"", ""}, {"Let me look.\n", "\nDone."}, {"好的：", " 完成"}, {"- a\n- b\n\n", "\n\n> quoted\n"}}

func roundTrip(s *subject) error {
	for range draws {
		requests := []protocol.ToolRequest{s.request(), s.request()}[:1+s.rnd.IntN(2)]
		text, err := s.FormatToolRequests(requests)
		if err != nil {
			return fmt.Errorf("FormatToolRequests refuses requests with plain names and UTF-8 values: %w\n%+q", err, requests)
		}
		if err := s.readsBack(requests, text); err != nil {
			return err
		}
		// Any name is refused or reads back.
		odd := protocol.ToolRequest{
			ToolName: s.hostile(false), Command: pick(s.rnd, []string{"", "", "list"}), Label: s.hostile(false),
			Arguments: []protocol.Argument{{Name: s.hostile(false), Value: s.hostile(false)}, {Name: pick(s.rnd, []string{"x", "name", "tool_name", "id"}), Value: "y"}},
		}
		if text, err = s.FormatToolRequests([]protocol.ToolRequest{odd}); err != nil {
			continue
		}
		if err := s.readsBack([]protocol.ToolRequest{odd}, text); err != nil {
			return err
		}
	}
	return nil
}

// refuses writes requests over a limit, and names that no request may have.
func refuses(s *subject) error {
	many := slices.Repeat([]protocol.ToolRequest{{ToolName: "a_b"}}, scan.MaxBlocks+1)
	wide := protocol.ToolRequest{ToolName: "a_b"}
	for i := range scan.MaxFields + 1 {
		wide.Arguments = append(wide.Arguments, protocol.Argument{Name: "x" + strconv.Itoa(i) + "y", Value: "v"})
	}
	long := protocol.ToolRequest{ToolName: "a_b", Arguments: []protocol.Argument{{Name: "x", Value: strings.Repeat("v", scan.MaxBlockBytes)}}}
	cases := [][]protocol.ToolRequest{many, {wide}, {long}, {{}}, {{ToolName: " "}}}
	carrier, carries := s.Protocol.(protocol.ArgumentCarrier)
	for _, name := range []string{"", "path", "a b", "name", "tool_name", "id", "request_id", "command", strings.Repeat("x", scan.MaxKeyBytes+1)} {
		request := []protocol.ToolRequest{{ToolName: "a_b", Arguments: []protocol.Argument{{Name: "x", Value: "w"}, {Name: name, Value: "v"}}}}
		if carries && !carrier.CarriesArgument(name) {
			cases = append(cases, request)
			continue
		}
		text, err := s.FormatToolRequests(request)
		if err == nil {
			err = s.readsBack(request, text)
		}
		if carries && err != nil {
			return fmt.Errorf("an argument %q is carried and does not read back: %w", name, err)
		}
	}
	for _, requests := range cases {
		text, err := s.FormatToolRequests(requests)
		var refused *protocol.FormatError
		switch {
		case err == nil && s.readsBack(requests, text) != nil:
			return fmt.Errorf("%d requests, the first %.200q, are written and do not read back", len(requests), fmt.Sprint(requests[0]))
		case err != nil && !errors.As(err, &refused):
			return fmt.Errorf("%.200q is refused with an error that is no *protocol.FormatError: %w", fmt.Sprint(requests[0]), err)
		}
	}
	return nil
}

// changesNothing checks that a scanner does not change its input.
func changesNothing(s *subject) error {
	for range draws {
		text, o := s.reply(), s.options()
		w := &witness{Protocol: s.Protocol}
		at := &subject{Protocol: w, rnd: s.rnd}
		if _, _, err := at.feed(text, someOffsets(s.rnd, text), o); err != nil {
			return fmt.Errorf("reading %q failed: %w", text, err)
		}
		if w.changed {
			return fmt.Errorf("the scanner has written to the text that it reads\ninput %q", text)
		}
	}
	return nil
}

// witness is a protocol that checks whether its scanners change their input.
type witness struct {
	protocol.Protocol
	changed bool
}

func (w *witness) NewScanner(o scan.Options) scan.Scanner {
	return &watchedScanner{w.Protocol.NewScanner(o), w}
}

type watchedScanner struct {
	scan.Scanner
	by *witness
}

func (w *watchedScanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	before := bytes.Clone(src)
	n, tok, err := w.Scanner.Scan(src, from, atEOF)
	w.by.changed = w.by.changed || !bytes.Equal(before, src)
	return n, tok, err
}

func (w *watchedScanner) Extend(src []byte, from int) bool {
	before := bytes.Clone(src)
	extender, ok := w.Scanner.(scan.Extender)
	ok = ok && extender.Extend(src, from)
	w.by.changed = w.by.changed || !bytes.Equal(before, src)
	return ok
}

// readsBack reads written requests, with text around them.
func (s *subject) readsBack(requests []protocol.ToolRequest, text string) error {
	around := pick(s.rnd, surroundings)
	input := around[0] + text + around[1]
	o := parser.Options{Tolerance: pick(s.rnd, levels[:]), Finish: pick(s.rnd, finishes[:]), TakesArgument: declaredIn(requests)}
	reply, err := s.read(input, o)
	if err != nil {
		return err
	}
	got := ready(&reply)
	if len(got) != len(requests) || len(got) != len(reply.Requests) {
		return fmt.Errorf("of %d written requests %d are ready at %s, of %d found\n%+q\ninput %q\nread %s", len(requests), len(got), o.Tolerance, len(reply.Requests), requests, input, reply.AppendJSON(nil))
	}
	for i := range got {
		if !sameRequest(&requests[i], &got[i]) {
			return fmt.Errorf("a request reads back as another\nwritten %+q\nread    %+q\ninput   %q", requests[i], got[i], input)
		}
		if repairs := reply.Requests[i].Repairs; len(repairs) > 0 {
			return fmt.Errorf("a written request needs the repairs %v\ninput %q", repairs, input)
		}
	}
	return nil
}

// declaredIn returns what reports that a method declares each argument that requests have for it.
func declaredIn(requests []protocol.ToolRequest) func(toolName, argument string) bool {
	return func(toolName, argument string) bool {
		return slices.ContainsFunc(requests, func(r protocol.ToolRequest) bool {
			return r.ToolName == toolName && slices.ContainsFunc(r.Arguments, func(a protocol.Argument) bool { return a.Name == argument })
		})
	}
}

// sameRequest reports whether the request that was read means the request that was written. A plain
// argument may have become a JSON string of the same meaning, a JSON string its text, and any JSON
// plain text as it is.
func sameRequest(written, read *protocol.ToolRequest) bool {
	if written.ToolName != read.ToolName || written.Command != read.Command || written.Label != read.Label || len(written.Arguments) != len(read.Arguments) {
		return false
	}
	for i, a := range written.Arguments {
		b := read.Arguments[i]
		same := a.Value == b.Value
		switch {
		case a.Form == protocol.FormPlain && b.Form == protocol.FormJSON:
			same = isString(b.Value, a.Value)
		case a.Form == protocol.FormJSON && b.Form == protocol.FormPlain:
			same = same || isString(a.Value, b.Value)
		}
		if a.Name != b.Name || !same {
			return false
		}
	}
	return true
}

// isString reports whether value is the JSON string that means text.
func isString(value, text string) bool {
	var got string
	return strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &got) == nil && got == text
}

func sameAtEveryLevel(s *subject) error {
	for range draws {
		text := s.must(s.request()) + s.hostile(true)
		o := parser.Options{Finish: pick(s.rnd, finishes[:]), Tolerance: scan.Strict}
		strict, err := s.read(text, o)
		if err != nil {
			return err
		}
		o.Tolerance = scan.Safe
		safe, err := s.read(text, o)
		if err != nil {
			return err
		}
		repaired := false
		for _, q := range safe.Requests {
			repaired = repaired || len(q.Repairs) > 0
		}
		if !repaired && !sameReply(&strict, &safe) {
			return fmt.Errorf("nothing is mended, and strict and safe differ\ninput  %q\nstrict %s\nsafe   %s", text, strict.AppendJSON(nil), safe.AppendJSON(nil))
		}
	}
	return nil
}

func cutNeverRuns(s *subject) error {
	for range draws / 8 {
		request := s.request()
		text := s.must(request)
		for end := range len(text) {
			o := parser.Options{Tolerance: pick(s.rnd, levels[:]), Finish: pick(s.rnd, finishes[:])}
			if o.Finish == protocol.FinishStop {
				o.Tolerance = scan.Strict // other levels may repair a missing end mark at the end of the reply
			}
			reply, err := s.read(text[:end], o)
			if err != nil {
				return err
			}
			for _, got := range ready(&reply) {
				// Other levels may repair an end mark that is almost complete.
				if o.Tolerance == scan.Strict || !sameRequest(&request, &got) {
					return fmt.Errorf("cut at byte %d, with the finish reason %q, it is ready at %s\ncut     %q\nwritten %q", end, o.Finish, o.Tolerance, text[:end], text)
				}
			}
		}
	}
	return nil
}

func shownNeverRuns(s *subject) error {
	for range draws / 8 {
		text := "Write it so:\n\n~~~~~~~~~~~~~~\n" + s.must(plainRequest) + "\n~~~~~~~~~~~~~~\n"
		o := parser.Options{Tolerance: pick(s.rnd, levels[:]), Finish: protocol.FinishStop}
		reply, err := s.read(text, o)
		if err != nil {
			return err
		}
		if len(reply.Ready()) > 0 {
			return fmt.Errorf("at %s it is ready\ninput %q", o.Tolerance, text)
		}
	}
	return nil
}

func anyCut(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		wantTold, want, err := s.feed(text, nil, o)
		if err != nil {
			return fmt.Errorf("reading %q failed: %w", text, err)
		}
		for _, cuts := range [][]int{everyOffset(text), someOffsets(s.rnd, text)} {
			gotTold, got, err := s.feed(text, cuts, o)
			if err != nil {
				return fmt.Errorf("reading %q cut at %v failed: %w", text, cuts, err)
			}
			if !sameReply(&want, &got) {
				return fmt.Errorf("cut at %v it reads as another\ninput %q\nwhole %s\ncut   %s", cuts, text, want.AppendJSON(nil), got.AppendJSON(nil))
			}
			if fmt.Sprint(wantTold) != fmt.Sprint(gotTold) {
				return fmt.Errorf("cut at %v something else is told\ninput %q\nwhole %+v\ncut   %+v", cuts, text, wantTold, gotTold)
			}
		}
	}
	return nil
}

func conserves(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		o.Quoted = parser.QuotedSkip
		reply, err := s.read(text, o)
		if err != nil {
			return err
		}
		if reply.Reasoning != "" {
			continue // a tag of the parser
		}
		gone := make([]bool, len(text))
		for i, q := range reply.Requests {
			if q.ID != strconv.Itoa(i+1) || q.Span.Start < 0 || q.Span.End > len(text) || q.Span.Start > q.Span.End {
				return fmt.Errorf("request %q is the number %d, and stands at %v\ninput %q", q.ID, i+1, q.Span, text)
			}
			if q.RawBlock != "" && q.RawBlock != text[q.Span.Start:q.Span.End] {
				return fmt.Errorf("the raw block of request %s is not what stands at %v: %q\ninput %q", q.ID, q.Span, q.RawBlock, text)
			}
			if q.Status != parser.StatusQuoted {
				take(gone, q.Span)
			}
		}
		for _, d := range reply.Dropped {
			take(gone, d.Span)
		}
		var left []byte
		for i := range gone {
			if !gone[i] {
				left = append(left, text[i])
			}
		}
		if string(left) != reply.Text.String() {
			return fmt.Errorf("the text is not the input less its requests and what was dropped\ninput %q\nread  %s\nwant  %q", text, reply.AppendJSON(nil), left)
		}
	}
	return nil
}

func take(gone []bool, at parser.Span) {
	for i := at.Start; i < at.End; i++ {
		gone[i] = true
	}
}

func neverFails(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		if s.rnd.IntN(2) == 0 {
			o.Limits = parser.Limits{BlockBytes: s.rnd.IntN(200), Blocks: s.rnd.IntN(3), Fields: s.rnd.IntN(3), KeyBytes: s.rnd.IntN(12)}
		}
		if _, err := s.read(text, o); err != nil {
			return err
		}
		_, _, err := s.feed(text, someOffsets(s.rnd, text), o)
		if err != nil {
			return fmt.Errorf("reading %q in pieces failed: %w", text, err)
		}
	}
	return nil
}

func toldStaysTrue(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		if s.rnd.IntN(2) == 0 {
			text = s.must(s.request())
		}
		events, reply, err := s.feed(text, someOffsets(s.rnd, text), o)
		if err != nil {
			return err
		}
		pieces := map[[2]string]string{}
		for _, e := range events {
			key := [2]string{e.request, e.name}
			switch e.kind {
			case parser.EventArgumentDelta:
				pieces[key] += e.data
			case parser.EventArgumentVoided:
				delete(pieces, key)
			case parser.EventRequestStarted:
				if i, err := strconv.Atoi(e.request); err != nil || i > len(reply.Requests) {
					return errors.Join(fmt.Errorf("a request %q is told of that is none\ninput %q", e.request, text), err)
				}
			}
		}
		for _, q := range reply.Ready() {
			for _, a := range q.Arguments {
				if data, ok := pieces[[2]string{q.ID, a.Name}]; ok && data != a.Value {
					return fmt.Errorf("of argument %q other text was told than was read\ninput %q\ntold %q\nread %q", a.Name, text, data, a.Value)
				}
			}
		}
	}
	return nil
}

// oneOfEach reads requests in which two arguments have the same name. If they also have the same
// value, they may be listed once.
func oneOfEach(s *subject) error {
	const first, second = "quixa", "quixb"
	text := strings.ReplaceAll(s.must(protocol.ToolRequest{ToolName: "files_write", Arguments: []protocol.Argument{
		{Name: first, Value: "notes.md"}, {Name: second, Value: "passwords.txt"},
	}}), second, first)
	for _, level := range levels {
		reply, err := s.read(text, parser.Options{Tolerance: level, Finish: protocol.FinishStop})
		if err != nil {
			return err
		}
		for _, q := range reply.Ready() {
			for i, a := range q.Arguments {
				if slices.ContainsFunc(q.Arguments[:i], func(b protocol.Argument) bool { return b.Name == a.Name }) {
					return fmt.Errorf("at %s a request with two values for %q is ready; Requests is to refuse it with %q\ninput %q", level, a.Name, scan.CodeDuplicateKey, text)
				}
			}
		}
	}
	return nil
}
