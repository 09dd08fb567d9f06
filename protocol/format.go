package protocol

import (
	"errors"
	"fmt"
	"strings"
)

// FormatRequests is FormatToolRequests for a protocol that writes one block per request, with line
// breaks between them. write appends the block of one request to b. id is the protocol's ID.
//
// FormatRequests refuses what no reader accepts: more than MaxBlocks requests, a name that is blank
// or has white space around it, more than MaxFields fields, an argument without a name, an argument
// that is written twice, and a block of more than MaxBlockBytes. write must check the characters
// and the length of names. All errors are *FormatError. FormatRequests adds the protocol's ID and
// the request's name to an error of write.
func FormatRequests(id string, requests []ToolRequest, write func(b []byte, r *ToolRequest) ([]byte, error)) (string, error) {
	var b []byte
	for i := range requests {
		r := &requests[i]
		err := checkRequest(r)
		if i == MaxBlocks {
			err = &FormatError{Reason: fmt.Sprintf("it comes after the %d requests that a reply may have", MaxBlocks)}
		}
		if i > 0 {
			b = append(b, '\n')
		}
		start := len(b)
		if err == nil {
			b, err = write(b, r)
		}
		if size := len(b) - start; err == nil && size > MaxBlockBytes {
			err = &FormatError{Reason: fmt.Sprintf("it is %d bytes long, and a request may have %d", size, MaxBlockBytes)}
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
	case fields > MaxFields:
		return refuse("", fmt.Sprintf("it has %d fields, and a request may have %d", fields, MaxFields))
	}
	seen := make(map[string]bool, len(r.Arguments))
	for _, a := range r.Arguments {
		switch {
		case a.Name == "":
			return refuse("", "an argument has no name")
		case seen[a.Name]:
			return refuse(a.Name, "the name is written twice")
		}
		seen[a.Name] = true
	}
	return nil
}
