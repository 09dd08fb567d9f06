package provenance

import (
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

// Value is a value of a call. Foreign text contains it, and the words of the user and of the
// application do not.
type Value struct {
	Argument string
	Kind     Kind
	Text     string // up to maxShown bytes
	Source   protocol.Source
}

const (
	// maxValues limits the reported values of one argument, so that they do not hide those of
	// another.
	maxValues = 8
	// maxShown limits a reported value, in bytes.
	maxShown = 200
	// minProse is the length in bytes from which a value counts as prose. Paths are not searched
	// for in prose.
	minProse = 256
)

// Values returns the values of a call that may do harm and that only foreign text contains: URLs,
// paths, addresses and commands. arguments is a JSON object with its secrets masked.
func (m *Memory) Values(arguments json.RawMessage) []Value {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.readWaiting()
	if len(m.foreign) == 0 {
		return nil
	}
	members, err := orderedjson.Members(arguments)
	if err != nil {
		return nil
	}
	var candidates []candidate
	known := map[string]bool{}
	for _, member := range members {
		for _, leaf := range leaves(member.Value) {
			candidates = appendCandidates(candidates, known, member.Name, leaf)
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	var trusted []byte
	for _, words := range m.trusted {
		trusted = append(fold(trusted, words), 0)
	}
	search := newSubstrings(trusted, len(candidates))
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return search.last(c.folded) >= 0 })
	m.findSources(candidates)
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return !c.found })
	return withoutParts(candidates)
}

// findSources sets the Source of each candidate that foreign text contains. It is the source of the
// newest such text. If a candidate occurs more than maxPlaces times, the text may be an older one.
func (m *Memory) findSources(candidates []candidate) {
	if len(candidates) == 0 {
		return
	}
	var all []byte
	var parts []*part
	var ends []int // ends[i] is the end of parts[i] in all
	for _, p := range m.foreign {
		for i := range p.parts {
			all = append(all, p.parts[i].folded...)
			parts, ends = append(parts, &p.parts[i]), append(ends, len(all))
		}
	}
	search := newSubstrings(all, len(candidates))
	for i := range candidates {
		c := &candidates[i]
		if at := search.last(c.folded); at >= 0 {
			n, _ := slices.BinarySearch(ends, at+len(c.folded))
			c.found, c.Source = true, parts[n].source
		}
	}
}

// withoutParts returns up to maxValues values of each argument. It omits values that are part of a
// longer value of the same argument. Candidates of one argument must be next to each other.
func withoutParts(candidates []candidate) (list []Value) {
	for len(candidates) > 0 {
		argument := candidates[0].Argument
		n := slices.IndexFunc(candidates, func(c candidate) bool { return c.Argument != argument })
		if n < 0 {
			n = len(candidates)
		}
		var all []byte
		for i := range n {
			all = append(append(all, candidates[i].folded...), 0)
		}
		search := newSubstrings(all, n) // a part of a longer value occurs twice in all
		reported := 0
		for i := range n {
			c := &candidates[i]
			if reported < maxValues && !search.hasTwo(c.folded) {
				reported++
				c.Text = text.TruncateBytes(text.OneLine(c.Text), maxShown)
				list = append(list, c.Value)
			}
		}
		candidates = candidates[n:]
	}
	return list
}

// candidate is a value that may do harm.
type candidate struct {
	Value
	folded []byte // the folded form of the value
	found  bool   // whether foreign text contains it
}

// kinds maps names of arguments, as text.FoldName returns them, to the kind of their whole value.
var kinds = map[string]Kind{
	"command": Command, "cmd": Command, "script": Command, "code": Command, "shell": Command, "program": Command, "query": Command,
	"sql": Command, "expression": Command, "args": Command,
	"url": URL, "uri": URL, "link": URL, "href": URL, "endpoint": URL, "webhook": URL,
	"path": Path, "file": Path, "filename": Path, "filepath": Path, "dir": Path, "directory": Path, "folder": Path, "destination": Path,
	"to": Address, "cc": Address, "bcc": Address, "recipient": Address, "address": Address, "email": Address, "host": Address,
	"hostname": Address, "server": Address, "domain": Address, "phone": Address, "account": Address, "iban": Address,
}

// appendCandidates appends the values that may do harm in one argument, or in one string within it.
// It omits values of fewer than minValue folded bytes, and values that it has appended before.
// known contains those: its keys consist of the argument's name and the folded value.
func appendCandidates(list []candidate, known map[string]bool, argument, value string) []candidate {
	work.Add(len(value))
	add := func(kind Kind, part string) {
		folded := fold(nil, part)
		if key := argument + "\x00" + string(folded); len(folded) >= minValue && !known[key] {
			known[key] = true
			list = append(list, candidate{Value: Value{Argument: argument, Kind: kind, Text: part}, folded: folded})
		}
	}
	if kind, ok := kinds[text.FoldName(argument)]; ok {
		add(kind, value)
	}
	for part := range strings.FieldsFuncSeq(value, endsToken) {
		part = strings.TrimRight(part, ".,:!?")
		switch {
		case strings.Contains(part, "://") || strings.HasPrefix(part, "www."):
			add(URL, part)
			if u, err := url.Parse(part); err == nil && u.Host != "" { // the rest of the URL may be data for the host
				add(Address, u.Host)
			}
		case address.MatchString(part):
			add(Address, part)
		case len(value) < minProse && (strings.ContainsAny(part, `/\`) || strings.HasPrefix(part, "~")):
			add(Path, part)
		}
	}
	return list
}

func endsToken(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`<>()[]{}|;,=", r) }

// address matches an email address, an IPv4 address with or without a port, or a host with a port.
var address = regexp.MustCompile(`^(?:[^@\s]+@[^@\s]+\.\pL{2,}|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|(?:[\pL\pN-]+\.)+\pL{2,}:\d+)$`)
