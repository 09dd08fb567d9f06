package schema

import (
	"encoding/json"
	"sync"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/orderedjson"
)

// Text is one argument as a request contains it.
type Text struct {
	Name  string
	Value string
	// JSON reports that Value is one JSON value. Otherwise Value is text whose meaning depends on
	// the schema.
	JSON bool
}

// ObjectOptions are the options of ObjectWith. With the zero value, ObjectWith behaves like Object.
type ObjectOptions struct {
	// DropUnknown drops arguments that the schema neither declares nor forbids, with the repair
	// UnknownArgument. In four cases they are refused, as by Object: if the declared arguments are
	// wrong; if more than MaxPlaces arguments are unknown; if an unknown name is similar to that of
	// an absent declared argument, or is too long or too short to be compared; or if an unknown
	// value is an object or a list, which may contain the declared arguments.
	DropUnknown bool
	// Language is the language of problems: Chinese if it is "zh", otherwise English.
	Language string
}

// request reads the arguments of one request and collects their values and findings.
type request struct {
	coercer
	parameters *parameters
	args       []Text          // a copy, so that the caller's slice may stay on the stack
	slots      []slot          // one for each of parameters.declared, and then one for each of others
	others     map[string]int  // undeclared arguments that the schema accepts: index in slots, by name
	unknown    []*Text         // undeclared arguments that the schema does not accept
	several    []readings      // one for each argument with several declarations
	reported   map[string]bool // names of arguments with a finding
	found      []finding
}

// slot contains an argument that the method gets.
type slot struct {
	arg   *Text // nil if a declared argument is absent
	value any
	read  bool // value is set
}

// reading is the value of an argument as one of its declarations reads it.
type reading struct {
	value    any
	repaired repairLog
}

// readings are the readings of one argument that differ in value.
type readings struct {
	slot int // index in request.slots
	list []reading
}

// requests reuses requests, because allocation is most of the cost of a short call.
var requests = sync.Pool{New: func() any { return &request{others: map[string]int{}} }}

// maxKept limits the arguments of a request that is reused. Larger requests are not reused, so that
// the pool does not keep their memory.
const maxKept = 64

func newRequest(ps *parameters, args []Text, l language) *request {
	r := requests.Get().(*request)
	r.parameters, r.analysis, r.language, r.left, r.grown = ps, ps.analysis, l, maxWork, 0
	r.slots = append(r.slots, make([]slot, len(ps.declared))...)
	r.args = append(r.args, args...)
	return r
}

// release returns r to the pool, unless it is too large. The results of readArguments do not refer
// to r.
func (r *request) release() {
	if max(len(r.slots), len(r.args)) > maxKept {
		return
	}
	clear(r.others)
	clear(r.slots)
	clear(r.args)
	r.slots, r.args, r.path = r.slots[:0], r.args[:0], r.path[:0]
	r.repaired = repairLog{}
	r.unknown, r.reported, r.found, r.several = nil, nil, nil, nil
	requests.Put(r)
}

// fail adds a finding about the argument of that name.
func (r *request) fail(name string, p Problem) {
	r.found = append(r.found, finding{path: []string{name}, Problem: p})
	if r.reported == nil {
		r.reported = map[string]bool{}
	}
	r.reported[name] = true
}

// readValue reads the text or the JSON of one argument.
func (r *request) readValue(arg *Text, p *schemaInfo) (any, *Problem) {
	if !arg.JSON {
		return r.read(arg.Value, p)
	}
	v, err := orderedjson.Read(arg.Value)
	if err != nil {
		received := r.because(r.describe(arg.Value), message.In(err, string(r.language)))
		return nil, &Problem{Code: CodeEncoding, Expected: r.say("a JSON value"), Received: received}
	}
	v, _ = r.fit(v, p.node)
	return v, nil
}

// other returns the index of the slot for an undeclared argument.
func (r *request) other(name string) int {
	i, known := r.others[name]
	if !known {
		i = len(r.slots)
		r.slots, r.others[name] = append(r.slots, slot{}), i
	}
	return i
}

// name returns the name of the argument in a slot.
func (r *request) name(i int) string {
	if i < len(r.parameters.declared) {
		return r.parameters.declared[i].name
	}
	return r.slots[i].arg.Name
}

// all returns the values of the arguments, by name.
func (r *request) all() map[string]any {
	values := make(map[string]any, len(r.slots))
	for i := range r.slots {
		if s := &r.slots[i]; s.read {
			values[r.name(i)] = s.value
		}
	}
	return values
}

// surelyFits reports whether a fast check accepts the arguments.
func (r *request) surelyFits() bool {
	if !r.parameters.fast || len(r.found)+len(r.others) > 0 {
		return false
	}
	left := maxFastElements
	for i := range r.slots {
		s, d := &r.slots[i], &r.parameters.declared[i]
		if s.read && !d.fast.accepts(s.value, &left) || !s.read && d.required {
			return false
		}
	}
	return true
}

// encode writes the values in the schema's order. size is an estimate of the result's length.
func (r *request) encode(size int) json.RawMessage {
	out := make([]byte, 1, size+16)
	out[0] = '{'
	for i := range r.slots {
		if s := &r.slots[i]; s.read {
			out = append(orderedjson.AppendString(out, r.name(i)), ':')
			out = append(orderedjson.Append(out, s.value), ',')
		}
	}
	if n := len(out); n > 1 {
		out = out[:n-1] // without the last comma
	}
	return append(out, '}')
}
