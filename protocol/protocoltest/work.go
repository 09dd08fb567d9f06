package protocoltest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// A scanner must hold back fewer than maxHoldBack bytes of text.
const maxHoldBack = 128

// opening returns the common start of all requests.
func (s *subject) opening() string {
	a, b := s.must(plainRequest), s.must(protocol.ToolRequest{ToolName: "clock_now"})
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// holdsNothingBack streams text without requests. Some of the text is the first third of the common
// start of all requests, which must not be held back either. A whole opening mark may be held back.
func holdsNothingBack(s *subject) error {
	prose := strings.Repeat("She sells 海贝 at the sea-shore, a < b. ", 20)
	texts := []string{prose}
	for _, c := range []string{"<", "[", "{", `"`, "`", " "} {
		texts = append(texts, strings.Repeat(c, 2000))
	}
	opening := s.opening()
	for n := 1; n < len(opening)/3; n++ {
		texts = append(texts, strings.Repeat(opening[:n], 200), opening[:n]+prose, strings.Repeat(opening[:n]+" x ", 100))
	}
	for _, text := range texts {
		for _, level := range levels {
			p := s.newParser(parser.Options{Tolerance: level, Logger: quiet})
			var events []parser.Event
			shown := 0
			for i := range len(text) {
				events = p.Feed(events[:0], []byte(text[i:i+1]))
				for _, e := range events {
					if e.Kind == parser.EventText {
						shown += len(e.Data)
					}
				}
				if held := i + 1 - shown; held >= maxHoldBack {
					return fmt.Errorf("at %s %d bytes of text are held back after %q", level, held, text[:i+1])
				}
			}
		}
	}
	return nil
}

const (
	smallInput    = 16 << 10 // bytes
	inputGrowth   = 8        // the large input has this many times the size of the small one
	maxWorkGrowth = 20       // linear work grows 8 times, quadratic work 64 times
	workPiece     = 16       // bytes
)

// errUncounted says that a rule about work was not checked.
var errUncounted = errors.New("not checked: the scanner has no method Examined() int that returns how many bytes it has examined so far")

// linearWork compares the work for an input with the work for an input of eight times its size. It
// counts the bytes that the scanner examined, as the scanner's method Examined() int returns them.
// Without that method it returns errUncounted, because time is not a measure of work on a busy
// machine.
func linearWork(s *subject) error {
	opening := s.opening()
	unit := s.withValue("x")
	inputs := map[string]func(n int) string{
		"prose":                      repeated("She sells 海贝 at the sea-shore, a < b. \n"),
		"small requests":             repeated(unit + "\n"),
		"openings":                   repeated(opening),
		"openings and blanks":        repeated(opening + strings.Repeat(" ", 300)),
		"half openings":              repeated(opening[:(len(opening)+1)/2]),
		"requests without end":       repeated(unit[:len(unit)-1]),
		"requests without beginning": repeated(unit[1:]),
		"a request that never ends": func(n int) string {
			return unit[:len(unit)*2/3] + strings.Repeat(unit[len(unit)/3:len(unit)*2/3], n/len(unit)*3)
		},
		"a request with a large value":  func(n int) string { return s.withValue(strings.Repeat("x", n)) },
		"a value of requests":           func(n int) string { return s.withValue(strings.Repeat(unit, n/len(unit)+1)) },
		"a value of quotes and slashes": func(n int) string { return s.withValue(strings.Repeat(`\"`, n/2)) },
		"results":                       repeated(s.FormatToolResults([]protocol.ToolResult{plainResult}) + "x\n"),
	}
	for name, input := range inputs {
		for _, piece := range []int{0, workPiece} {
			small, large := s.examined(input(smallInput), piece), s.examined(input(inputGrowth*smallInput), piece)
			if small == 0 {
				return errUncounted
			}
			if large > maxWorkGrowth*small {
				how := "whole"
				if piece > 0 {
					how = fmt.Sprintf("in pieces of %d bytes", piece)
				}
				return fmt.Errorf("%s, read %s: an input of %d times the size takes %.1f times the work",
					name, how, inputGrowth, float64(large)/float64(small))
			}
		}
	}
	return nil
}

func repeated(unit string) func(n int) string {
	return func(n int) string { return strings.Repeat(unit, n/len(unit)+1) }
}

// withValue writes a request with one argument.
func (s *subject) withValue(value string) string {
	return s.must(protocol.ToolRequest{ToolName: "a_b", Arguments: []protocol.Argument{{Name: "x", Value: value}}})
}

// examined reads a text in pieces of the given number of bytes, or whole if piece is 0. It returns
// how many bytes the scanner examined, or 0 if it does not count.
func (s *subject) examined(text string, piece int) int {
	c := counter{Protocol: s.Protocol}
	p := (&subject{Protocol: &c}).newParser(parser.Options{Logger: quiet})
	var events []parser.Event
	for part := range slices.Chunk([]byte(text), cmp.Or(piece, len(text))) {
		events = p.Feed(events[:0], part)
	}
	p.Close(events[:0], protocol.FinishStop)
	return c.examined
}

// counter is a protocol that adds up the examined bytes of its scanners.
type counter struct {
	protocol.Protocol
	examined int
}

func (c *counter) NewScanner(o scan.Options) scan.Scanner {
	return &countingScanner{c.Protocol.NewScanner(o), c}
}

type countingScanner struct {
	scan.Scanner
	to *counter
}

func (c *countingScanner) Extend(src []byte, from int) bool {
	e, ok := c.Scanner.(scan.Extender)
	return ok && e.Extend(src, from)
}

func (c *countingScanner) Release() {
	if e, ok := c.Scanner.(scan.Meter); ok {
		c.to.examined += e.Examined()
	}
	if r, ok := c.Scanner.(scan.Releaser); ok {
		r.Release()
	}
}
