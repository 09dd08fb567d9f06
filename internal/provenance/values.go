package provenance

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// Kind says what a value names.
type Kind string

// The kinds of values whose source matters.
const (
	URL     Kind = "url"
	Path    Kind = "path"
	Address Kind = "address"
	Command Kind = "command"
)

// Value is a value of a call that only foreign text contains.
type Value struct {
	Argument string
	Kind     Kind
	Text     string // up to maxShown bytes
	Source   protocol.Source
}

const (
	// maxValues limits the values of one call that are reported.
	maxValues = 8
	// maxCandidates limits the values of one call that are searched for.
	maxCandidates = 64
	// maxShown limits a reported value, in bytes.
	maxShown = 200
	// maxProse is the length in bytes from which a value counts as prose. Paths are not searched
	// for in prose.
	maxProse = 256
)

// Values returns the values of a call that may do harm and that only foreign text contains: URLs,
// paths, addresses and commands. arguments is a JSON object without secrets.
func (m *Memory) Values(arguments json.RawMessage) []Value {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.readWaiting()
	if len(m.foreign) == 0 {
		return nil
	}
	var candidates []candidate
	members, err := orderedjson.Members(arguments)
	if err != nil {
		return nil
	}
	for _, member := range members {
		for _, leaf := range leaves(member.Value) {
			candidates = appendCandidates(candidates, member.Name, leaf)
		}
	}
	candidates = candidates[:min(len(candidates), maxCandidates)]
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return len(c.folded) < minValue })
	for _, words := range m.trusted {
		if len(candidates) == 0 {
			return nil
		}
		folded := fold(m.folded[:0], words)
		candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return bytes.Contains(folded, c.folded) })
		m.folded = folded[:0]
	}
	m.findSources(candidates)
	var list []Value
	for i := range candidates {
		if c := &candidates[i]; c.found && len(list) < maxValues && !slices.ContainsFunc(candidates, c.isPartOf) {
			list = append(list, c.Value)
		}
	}
	return list
}

// isPartOf reports whether other was found and is a longer value of the same argument that contains
// c.
func (c *candidate) isPartOf(other candidate) bool {
	return other.found && other.Argument == c.Argument &&
		len(other.folded) > len(c.folded) && bytes.Contains(other.folded, c.folded)
}

// findSources finds the newest foreign text that contains each candidate.
func (m *Memory) findSources(candidates []candidate) {
	m.joined(func(_ int, p *part, folded []byte) bool {
		for j := range candidates {
			if c := &candidates[j]; bytes.Contains(folded, c.folded) {
				c.found, c.Source = true, p.source
			}
		}
		return true
	})
}

// candidate is a value that may do harm.
type candidate struct {
	Value
	folded []byte
	found  bool
}

// kinds has the names of arguments whose whole value is of a kind.
var kinds = map[string]Kind{
	"command": Command, "cmd": Command, "script": Command, "code": Command, "shell": Command, "program": Command, "query": Command,
	"sql": Command, "expression": Command, "args": Command,
	"url": URL, "uri": URL, "link": URL, "href": URL, "endpoint": URL, "webhook": URL,
	"path": Path, "file": Path, "filename": Path, "filepath": Path, "dir": Path, "directory": Path, "folder": Path, "destination": Path,
	"to": Address, "cc": Address, "bcc": Address, "recipient": Address, "address": Address, "email": Address, "host": Address,
	"hostname": Address, "server": Address, "domain": Address, "phone": Address, "account": Address, "iban": Address,
}

func appendCandidates(list []candidate, argument, value string) []candidate {
	work.Add(len(value))
	add := func(kind Kind, part string) {
		same := func(c candidate) bool { return c.Argument == argument && c.Text == part }
		if len(list) < maxCandidates && !slices.ContainsFunc(list, same) {
			shown := text.TruncateBytes(text.OneLine(part), maxShown)
			value := Value{Argument: argument, Kind: kind, Text: shown}
			list = append(list, candidate{Value: value, folded: fold(nil, part)})
		}
	}
	if kind, ok := kinds[text.FoldName(argument)]; ok {
		add(kind, value)
	}
	for part := range strings.FieldsFuncSeq(value, endsToken) {
		if len(list) == maxCandidates {
			break
		}
		part = strings.TrimRight(part, ".,:!?")
		switch {
		case strings.Contains(part, "://") || strings.HasPrefix(part, "www."):
			add(URL, part)
			if u, err := url.Parse(part); err == nil && u.Host != "" { // the rest of the URL may be data for the host
				add(Address, u.Host)
			}
		case address.MatchString(part):
			add(Address, part)
		case len(value) < maxProse && (strings.ContainsAny(part, `/\`) || strings.HasPrefix(part, "~")):
			add(Path, part)
		}
	}
	return list
}

func endsToken(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`<>()[]{}|;,=", r) }

// address is a mailbox or the address of a host, with a port or without.
var address = regexp.MustCompile(`^(?:[^@\s]+@[^@\s]+\.\pL{2,}|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|(?:[\pL\pN-]+\.)+\pL{2,}:\d+)$`)
