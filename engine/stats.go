package engine

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// Stats measure how well tool calling works: what models requested, how they wrote it, and what it
// cost. A call is a request that got a result from the engine, unreadable and denied requests
// included. Each counts, a second attempt too. Requests whose results an application supplies are
// not counted.
type Stats struct {
	// Replies are replies that the model or its server ended and that could have called tools.
	Replies int `json:"replies"`
	Calls   int `json:"calls"`
	// Succeeded are calls with the status success. Errors counts the others, by error type.
	Succeeded int            `json:"succeeded"`
	Errors    map[string]int `json:"errors"`

	// Malformed are calls that could not be read. UnknownNames are readable calls that name no tool
	// or no method.
	Malformed    int `json:"malformed"`
	UnknownNames int `json:"unknownNames"`
	// Checked are calls whose arguments were validated against a schema. ValidArguments are those
	// whose arguments were accepted as written, repairs by the schema included.
	Checked        int `json:"checked"`
	ValidArguments int `json:"validArguments"`
	// InventedArguments are arguments, and members of arguments, that were refused because the
	// method does not declare them.
	InventedArguments int `json:"inventedArguments"`

	// Mistakes are calls that were malformed, named nothing known, or had invalid arguments. They
	// count only if the model could write another reply. Corrected are mistakes that a valid call
	// in the very next reply corrects: a call of the same method, or of any method if none was
	// found. Each call corrects one mistake.
	Mistakes  int `json:"mistakes"`
	Corrected int `json:"corrected"`

	// Latency is that of calls whose tool ran, failed ones included.
	Latency Latency `json:"latency"`

	// RawBytes is the length of the texts that tools returned, error messages included. Bytes is
	// the length of what the model was given instead, and Tokens its estimated cost. What a
	// protocol adds around results is not counted.
	RawBytes int64 `json:"rawBytes"`
	Bytes    int64 `json:"bytes"`
	Tokens   int64 `json:"tokens"`
	// Excerpted and Summarized are calls whose result was shortened.
	Excerpted  int `json:"excerpted"`
	Summarized int `json:"summarized"`

	// Repairs counts each repair by its name: of text in requests that were calls, and of arguments
	// that were read.
	Repairs map[string]int `json:"repairs"`
}

// SuccessRate is Succeeded as a share of Calls. Like all rates it is NaN if there is nothing to
// divide by.
func (f Stats) SuccessRate() float64 { return rate(f.Succeeded, f.Calls) }

// ArgumentAccuracy is ValidArguments as a share of Checked.
func (f Stats) ArgumentAccuracy() float64 { return rate(f.ValidArguments, f.Checked) }

// UnknownNameRate is UnknownNames as a share of the calls that could be read.
func (f Stats) UnknownNameRate() float64 { return rate(f.UnknownNames, f.Calls-f.Malformed) }

// SelfCorrectionRate is Corrected as a share of Mistakes.
func (f Stats) SelfCorrectionRate() float64 { return rate(f.Corrected, f.Mistakes) }

func rate(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// MarshalJSON writes the rates too; null stands for NaN.
func (f Stats) MarshalJSON() ([]byte, error) {
	type plain Stats
	number := func(r float64) *float64 {
		if math.IsNaN(r) {
			return nil
		}
		return &r
	}
	return json.Marshal(struct {
		plain
		SuccessRate        *float64 `json:"successRate"`
		ArgumentAccuracy   *float64 `json:"argumentAccuracy"`
		UnknownNameRate    *float64 `json:"unknownNameRate"`
		SelfCorrectionRate *float64 `json:"selfCorrectionRate"`
	}{plain(f), number(f.SuccessRate()), number(f.ArgumentAccuracy()), number(f.UnknownNameRate()), number(f.SelfCorrectionRate())})
}

// counter is Stats that several goroutines add to. The zero value is ready to use.
type counter struct {
	mu    sync.Mutex
	stats Stats
}

func (c *counter) read() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.stats
	f.Errors, f.Repairs = maps.Clone(f.Errors), maps.Clone(f.Repairs)
	f.Latency.steps = slices.Clone(f.Latency.steps)
	if f.Errors == nil {
		f.Errors = map[string]int{}
	}
	if f.Repairs == nil {
		f.Repairs = map[string]int{}
	}
	return f
}

func (c *counter) add(count func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count(&c.stats)
}

// tally counts what happens in a session. It is safe for concurrent use.
type tally struct {
	stats  counter
	engine *counter

	mu sync.Mutex
	// Methods of the uncorrected mistakes in the previous reply and of the mistakes in this one; ""
	// if no method was found.
	before, now []string
}

func (t *tally) add(count func(*Stats)) {
	t.stats.add(count)
	t.engine.add(count)
}

// reply counts a reply whose requests are calls.
func (t *tally) reply(r *parser.Reply) {
	t.mu.Lock()
	t.before, t.now = t.now, nil
	mistakes := len(t.before)
	t.mu.Unlock()
	t.add(func(f *Stats) {
		f.Replies++
		f.Mistakes += mistakes
		for _, q := range r.Requests {
			switch q.Status {
			case parser.StatusReady, parser.StatusInvalid, parser.StatusIncomplete:
				for _, repair := range q.Repairs {
					increment(&f.Repairs, repair.Name)
				}
			default:
			}
		}
	})
}

// withoutTools notes a reply that could correct nothing.
func (t *tally) withoutTools() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.before, t.now = nil, nil
}

// results counts calls.
func (t *tally) results(reqs []executor.Request, results []executor.Result) {
	for i := range results {
		r := &results[i]
		malformed := reqs[i].Err != nil
		unknown := !malformed && r.Method == "" && (r.ErrorType == executor.ErrorToolNotFound || r.ErrorType == executor.ErrorMethodNotFound)
		invalid := r.ErrorType == executor.ErrorInvalidArguments
		valid := r.Arguments != nil && !invalid
		corrected := t.matchMistake(malformed || unknown || invalid, valid, r.Method)
		t.add(func(f *Stats) {
			f.Calls++
			if r.Status == protocol.StatusSuccess {
				f.Succeeded++
			} else {
				increment(&f.Errors, r.ErrorType)
			}
			f.Malformed += one(malformed)
			f.UnknownNames += one(unknown)
			f.Checked += one(valid || invalid)
			f.ValidArguments += one(valid)
			f.Corrected += one(corrected)
			for _, p := range r.Problems {
				f.InventedArguments += one(p.Unknown())
			}
			for _, repair := range r.Repaired {
				increment(&f.Repairs, repair.Repair)
				f.Repairs[repair.Repair] += repair.More
			}
			if r.Duration > 0 {
				f.Latency.add(r.Duration)
			}
			f.RawBytes += int64(r.RawBytes)
			f.Bytes += int64(len(r.ToolResult.Result))
			f.Tokens += int64(r.Tokens)
			f.Excerpted += one(r.Excerpted)
			f.Summarized += one(r.Summarized)
		})
	}
}

// matchMistake notes a mistake for the next reply to correct, and reports whether a valid call
// corrects one of the previous reply.
func (t *tally) matchMistake(wrong, valid bool, method string) (corrected bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if wrong {
		t.now = append(t.now, method)
	}
	if !valid {
		return false
	}
	i := slices.Index(t.before, method)
	if i < 0 {
		i = slices.Index(t.before, "")
	}
	if i >= 0 {
		t.before = slices.Delete(t.before, i, i+1)
	}
	return i >= 0
}

func increment(m *map[string]int, key string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key]++
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
