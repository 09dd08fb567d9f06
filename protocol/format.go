package protocol

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// FormatRequests is FormatToolRequests for a protocol that writes one block per request, with line
// breaks between them. write appends the block of one request to b. id is the protocol's ID.
//
// FormatRequests refuses what no reader accepts:
//
//   - more than scan.MaxBlocks requests, and a block of more than scan.MaxBlockBytes
//   - a name that is blank or has white space around it
//   - more than scan.MaxFields fields
//   - an argument without a name, with a name of more than scan.MaxKeyBytes, or written twice
//
// write must check the characters of names. All errors are *FormatError. FormatRequests adds the
// protocol's ID and the request's name to an error of write.
func FormatRequests(
	id string, requests []ToolRequest, write func(b []byte, r *ToolRequest) ([]byte, error),
) (string, error) {
	var b []byte
	for i := range requests {
		r := &requests[i]
		err := checkRequest(r)
		if i == scan.MaxBlocks {
			err = &FormatError{Reason: fmt.Sprintf("it comes after the %d requests that a reply may have", scan.MaxBlocks)}
		}
		if i > 0 {
			b = append(b, '\n')
		}
		start := len(b)
		if err == nil {
			b, err = write(b, r)
		}
		if size := len(b) - start; err == nil && size > scan.MaxBlockBytes {
			err = &FormatError{Reason: fmt.Sprintf("it is %d bytes long, and a request may have %d", size, scan.MaxBlockBytes)}
		}
		if err != nil {
			refused := FormatError{Reason: err.Error()}
			if known := (*FormatError)(nil); errors.As(err, &known) {
				refused = *known
			}
			refused.Protocol, refused.ToolName = id, r.ToolName
			return "", &refused
		}
	}
	return string(b), nil
}

func checkRequest(r *ToolRequest) error {
	refuse := func(argument, reason string) error { return &FormatError{Argument: argument, Reason: reason} }
	fields := 1 + len(r.Arguments)
	if r.Command != "" {
		fields++
	}
	if r.Label != "" {
		fields++
	}
	switch name := strings.TrimSpace(r.ToolName); {
	case name == "":
		return refuse("", "the name is blank")
	case name != r.ToolName:
		return refuse("", "the name has white space around it")
	case fields > scan.MaxFields:
		return refuse("", fmt.Sprintf("it has %d fields, and a request may have %d", fields, scan.MaxFields))
	}
	seen := make(map[string]bool, len(r.Arguments))
	for _, a := range r.Arguments {
		switch {
		case a.Name == "":
			return refuse("", "an argument has no name")
		case len(a.Name) > scan.MaxKeyBytes:
			return refuse(a.Name, fmt.Sprintf("the name has %d bytes, and a name may have %d", len(a.Name), scan.MaxKeyBytes))
		case seen[a.Name]:
			return refuse(a.Name, "the name is written twice")
		}
		seen[a.Name] = true
	}
	return nil
}

// RequestOf returns the request that a scanner has read. It shares no slice with the reading.
func RequestOf(r *scan.Reading) ToolRequest {
	q := ToolRequest{ToolName: r.ToolName, Command: r.Command, Label: r.Label}
	if len(r.Arguments) > 0 {
		q.Arguments = make([]Argument, len(r.Arguments))
	}
	for i := range r.Arguments {
		a := &r.Arguments[i]
		q.Arguments[i] = Argument{Name: a.Name, Value: a.Value}
		if a.JSON {
			q.Arguments[i].Form = FormJSON
		}
	}
	return q
}
