package protocoltest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// draws is the number of replies or requests that most rules draw. A rule draws fewer if each takes
// long, or if they hardly differ.
const draws = 400

// maxRepairs is the number of bits of scan.Options.Disabled.
const maxRepairs = 64

func introduces(s *subject) error {
	id := s.ID()
	for _, c := range id {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return fmt.Errorf("the ID %q has characters other than lower-case letters and digits", id)
		}
	}
	repairs := s.Repairs()
	if id == "" || len(repairs) > maxRepairs {
		return fmt.Errorf("the ID is %q, and there are %d repairs; the ID must not be empty, and there may be at most %d repairs",
			id, len(repairs), maxRepairs)
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
var surroundings = [][2]string{
	{"", ""}, {"Let me look.\n", "\nDone."}, {"好的：", " 完成"}, {"- a\n- b\n\n", "\n\n> quoted\n"},
}

// sameAtEveryLevel compares strict with safe. The rule roundTrip reads clean requests at greedy,
// too.
func sameAtEveryLevel(s *subject) error {
	for range draws {
		text := s.must(s.request()) + s.hostile(true)
		o := parser.Options{Finish: pick(s.rnd, finishes[:]), Tolerance: scan.Strict}
		strict := s.read(text, o)
		o.Tolerance = scan.Safe
		safe := s.read(text, o)
		repaired := false
		for _, q := range safe.Requests {
			repaired = repaired || len(q.Repairs) > 0
		}
		if !repaired && !sameReply(&strict, &safe) {
			return fmt.Errorf("nothing is repaired, but strict and safe differ\ninput  %q\nstrict %s\nsafe   %s",
				text, strict.AppendJSON(nil), safe.AppendJSON(nil))
		}
	}
	return nil
}

func truncatedNeverRuns(s *subject) error {
	for range draws / 8 {
		request := s.request()
		text := s.must(request)
		for end := range len(text) {
			o := parser.Options{Tolerance: pick(s.rnd, levels[:]), Finish: pick(s.rnd, finishes[:])}
			if o.Finish == protocol.FinishStop {
				o.Tolerance = scan.Strict // other levels may repair a missing end mark at the end of the reply
			}
			reply := s.read(text[:end], o)
			for _, got := range ready(&reply) {
				// Other levels may repair an end mark that is almost complete.
				if o.Tolerance == scan.Strict || !sameRequest(&request, &got) {
					return fmt.Errorf("truncated at byte %d, with the finish reason %q, the request is ready at %s\n"+
						"truncated %q\nwritten   %q", end, o.Finish, o.Tolerance, text[:end], text)
				}
			}
		}
	}
	return nil
}

func shownNeverRuns(s *subject) error {
	for range draws / 8 {
		fence := "\n~~~~~~~~~~~~~~\n" // long, so that no mark of a protocol closes it
		text := "Write it so:\n" + fence + s.must(plainRequest) + fence
		o := parser.Options{Tolerance: pick(s.rnd, levels[:]), Finish: protocol.FinishStop}
		reply := s.read(text, o)
		if len(reply.Ready()) > 0 {
			return fmt.Errorf("at %s the request is ready\ninput %q", o.Tolerance, text)
		}
	}
	return nil
}

func anySplit(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		wantEvents, want := s.feed(text, nil, o)
		for _, cuts := range [][]int{everyOffset(text), someOffsets(s.rnd, text)} {
			gotEvents, got := s.feed(text, cuts, o)
			if !sameReply(&want, &got) {
				return fmt.Errorf("split at %v the reply differs\ninput %q\nwhole %s\nsplit %s",
					cuts, text, want.AppendJSON(nil), got.AppendJSON(nil))
			}
			if fmt.Sprint(wantEvents) != fmt.Sprint(gotEvents) {
				return fmt.Errorf("split at %v the events differ\ninput %q\nwhole %+v\nsplit %+v", cuts, text, wantEvents, gotEvents)
			}
		}
	}
	return nil
}

func conserves(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		o.Quoted = parser.QuotedSkip
		reply := s.read(text, o)
		if reply.Reasoning != "" {
			continue // the parser has read a reasoning tag
		}
		gone := make([]bool, len(text))
		for i, q := range reply.Requests {
			if q.ID != strconv.Itoa(i+1) || q.Span.Start < 0 || q.Span.End > len(text) || q.Span.Start > q.Span.End {
				return fmt.Errorf("request %d has the ID %q and the span %v; IDs count from 1, and spans are in the input\ninput %q",
					i+1, q.ID, q.Span, text)
			}
			if q.RawBlock != "" && q.RawBlock != text[q.Span.Start:q.Span.End] {
				return fmt.Errorf("the raw block of request %s is not the text of its span %v: %q\ninput %q",
					q.ID, q.Span, q.RawBlock, text)
			}
			if q.Status != parser.StatusQuoted {
				removeSpan(gone, q.Span)
			}
		}
		for _, d := range reply.Dropped {
			removeSpan(gone, d.Span)
		}
		var left []byte
		for i := range gone {
			if !gone[i] {
				left = append(left, text[i])
			}
		}
		if string(left) != reply.Text.String() {
			return fmt.Errorf("the text is not the input less its requests and what was dropped\ninput %q\nread  %s\nwant  %q",
				text, reply.AppendJSON(nil), left)
		}
	}
	return nil
}

// removeSpan records that the bytes at a span are gone.
func removeSpan(gone []bool, at parser.Span) {
	for i := at.Start; i < at.End; i++ {
		gone[i] = true
	}
}

func neverFails(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		if s.rnd.IntN(2) == 0 {
			o.Limits = parser.Limits{
				BlockBytes: s.rnd.IntN(200), Blocks: s.rnd.IntN(3), Fields: s.rnd.IntN(3), KeyBytes: s.rnd.IntN(12),
			}
		}
		s.read(text, o)
		s.feed(text, someOffsets(s.rnd, text), o)
	}
	return nil
}

func eventsMatchReply(s *subject) error {
	for range 2 * draws {
		text, o := s.reply(), s.options()
		if s.rnd.IntN(2) == 0 {
			text = s.must(s.request())
		}
		events, reply := s.feed(text, someOffsets(s.rnd, text), o)
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
					return errors.Join(fmt.Errorf("an event names the unknown request %q\ninput %q", e.request, text), err)
				}
			}
		}
		for _, q := range reply.Ready() {
			for _, a := range q.Arguments {
				if data, ok := pieces[[2]string{q.ID, a.Name}]; ok && data != a.Value {
					return fmt.Errorf("the events of argument %q have another text than the reply\ninput  %q\nevents %q\nreply  %q",
						a.Name, text, data, a.Value)
				}
			}
		}
	}
	return nil
}

// oneOfEach reads a request in which two arguments have the same name and different values.
func oneOfEach(s *subject) error {
	const first, second = "quixa", "quixb" // words that occur nowhere else in the request
	text := strings.ReplaceAll(s.must(protocol.ToolRequest{ToolName: "files_write", Arguments: []protocol.Argument{
		{Name: first, Value: "notes.md"}, {Name: second, Value: "passwords.txt"},
	}}), second, first)
	for _, level := range levels {
		reply := s.read(text, parser.Options{Tolerance: level, Finish: protocol.FinishStop})
		for _, q := range reply.Ready() {
			for i, a := range q.Arguments {
				if slices.ContainsFunc(q.Arguments[:i], func(b protocol.Argument) bool { return b.Name == a.Name }) {
					return fmt.Errorf("at %s a request with two values for %q is ready; Requests must refuse it with %q\ninput %q",
						level, a.Name, scan.CodeDuplicateKey, text)
				}
			}
		}
	}
	return nil
}
