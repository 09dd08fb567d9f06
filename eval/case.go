package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/vcpgo/vcp/internal/definition"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// MaxLine limits a line of a file of cases, in bytes, with its line feed.
const MaxLine = 16 << 20

// A Case is a reply that a model has written, and the calls that it was meant to make.
type Case struct {
	// ID names the case in reports. It is the field "id" of the line, shortened to 200 bytes; a
	// value that is not a string is written as JSON. Without an id, ID is FILE:LINE.
	ID string
	// Protocol is the ID of the protocol that the reply is written in, or "" if the line names no
	// protocol.
	Protocol string
	Line     int // in its file, from 1
	Reply    string
	Finish   protocol.FinishReason
	// Expect are the calls that must run, in any order. No other call must run.
	Expect []Expectation

	registry *tool.Registry
}

// A CaseError reports a line that is not a case.
type CaseError struct {
	File string
	Line int // from 1
	Err  error
}

// Error names the place and the reason.
func (e *CaseError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the reason.
func (e *CaseError) Unwrap() error { return e.Err }

// ReadCases reads a file of cases, one JSON object on each line; docs/evaluation.md describes the
// fields. Blank lines are skipped. A line that is not a case yields a *CaseError, and reading
// continues. A line of more than MaxLine bytes yields a *CaseError and ends the sequence; any other
// error of reading ends it, too. file is the name that errors and IDs contain.
func ReadCases(r io.Reader, file string) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 0, 64<<10), MaxLine)
		number := 0
		for lines.Scan() {
			number++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			c, err := readCase(lines.Bytes())
			if err != nil {
				if !yield(Case{}, &CaseError{File: file, Line: number, Err: err}) {
					return
				}
				continue
			}
			c.Line = number
			if c.ID == "" {
				c.ID = fmt.Sprintf("%s:%d", file, number)
			}
			if !yield(c, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			err = fmt.Errorf("the line is longer than %d MiB, the limit", MaxLine>>20)
			yield(Case{}, &CaseError{File: file, Line: number + 1, Err: err})
		case err != nil:
			yield(Case{}, fmt.Errorf("cannot read %s: %w", file, err))
		}
	}
}

// maxID limits an id, in bytes.
const maxID = 200

// readCase reads one line.
func readCase(line []byte) (Case, error) {
	var fields struct {
		ID       json.RawMessage `json:"id"`
		Protocol string          `json:"protocol"`
		Tools    json.RawMessage `json:"tools"`
		Reply    *string         `json:"reply"`
		Finish   *string         `json:"finish"`
		Expect   *[]Expectation  `json:"expect"`
	}
	if err := decodeStrictly(line, &fields); err != nil {
		return Case{}, err
	}
	switch {
	case fields.Reply == nil:
		return Case{}, errors.New(`the field "reply" is missing`)
	case fields.Expect == nil:
		return Case{}, errors.New(`the field "expect" is missing; write [] if no call is expected`)
	case len(*fields.Expect) > maxCalls:
		return Case{}, fmt.Errorf("expect has %d calls; allowed are %d, because no more requests of a reply run",
			len(*fields.Expect), maxCalls)
	}
	c := Case{
		ID: text.TruncateBytes(orderedjson.NonNullText(fields.ID), maxID), Protocol: fields.Protocol,
		Reply: *fields.Reply, Expect: *fields.Expect, Finish: protocol.FinishStop, registry: tool.NewRegistry(),
	}
	if fields.Finish != nil {
		switch *fields.Finish {
		case "stop", "length":
			c.Finish = protocol.FinishReason(*fields.Finish)
		case "unknown":
			c.Finish = protocol.FinishUnknown
		default:
			return Case{}, fmt.Errorf("finish is %q; allowed are stop, length and unknown", *fields.Finish)
		}
	}
	if fields.Tools != nil {
		if err := definition.Register(c.registry, fields.Tools, succeed); err != nil {
			return Case{}, fmt.Errorf("tools: %w", err)
		}
	}
	return c, nil
}

// succeed is the handler of every tool of a case. It does nothing.
func succeed(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: "ok"}, nil }
