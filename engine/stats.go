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
// cost. A call is a request that got a result from the engine, including unreadable and denied
// requests. A repeated request is another call. A request that is dispatched in mode manual counts
// when Session.Execute runs it.
type Stats struct {
	// Replies are replies that could have called tools. A run counts a reply only if the model or
	// its server ended it; ProcessCycle counts each.
	Replies int `json:"replies"`
	Calls   int `json:"calls"`
	// Succeeded are calls with the status success. Errors counts the others, by error type.
	Succeeded int            `json:"succeeded"`
	Errors    map[string]int `json:"errors"`

	// Malformed are calls that could not be read. UnknownNames are readable calls that name no
	// known tool or method.
	Malformed    int `json:"malformed"`
	UnknownNames int `json:"unknownNames"`
	// Checked are calls whose arguments were validated against a schema. ValidArguments are those
	// whose arguments were accepted, with or without repairs.
	Checked        int `json:"checked"`
	ValidArguments int `json:"validArguments"`
	// InventedArguments are arguments, and members of arguments, that were refused because the
	// method does not declare them.
	InventedArguments int `json:"inventedArguments"`

	// Mistakes are calls that were malformed, named an unknown method, or had invalid arguments.
	// They count only if the model could write another reply. Corrected are mistakes that a valid
	// call in the very next reply corrects: a call of the same method, or of any method if the
	// mistake named no known method. Each call corrects at most one mistake.
	Mistakes  int `json:"mistakes"`
	Corrected int `json:"corrected"`

	// Latency is how long tools ran, including those that failed.
	Latency Latency `json:"latency"`

	// RawBytes is the length of the texts that tools returned, including error messages. Bytes is
	// the length of the texts that the model was given, which may be shortened, and Tokens their
	// estimated cost. What a protocol adds around results is not counted.
	RawBytes int64 `json:"rawBytes"`
	Bytes    int64 `json:"bytes"`
	Tokens   int64 `json:"tokens"`
	// Excerpted and Summarized are calls whose result was shortened.
	Excerpted  int `json:"excerpted"`
	Summarized int `json:"summarized"`

	// Repairs counts repairs by name: both of the text of requests and of their arguments.
	Repairs map[string]int `json:"repairs"`
}

// SuccessRate is Succeeded as a share of Calls. Each rate is NaN if its divisor is 0.
func (s Stats) SuccessRate() float64 { return rate(s.Succeeded, s.Calls) }

// ArgumentAccuracy is ValidArguments as a share of Checked.
func (s Stats) ArgumentAccuracy() float64 { return rate(s.ValidArguments, s.Checked) }

// UnknownNameRate is UnknownNames as a share of the calls that could be read.
func (s Stats) UnknownNameRate() float64 { return rate(s.UnknownNames, s.Calls-s.Malformed) }

// SelfCorrectionRate is Corrected as a share of Mistakes.
func (s Stats) SelfCorrectionRate() float64 { return rate(s.Corrected, s.Mistakes) }

func rate(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// MarshalJSON writes the rates too; a rate that is NaN becomes null.
func (s Stats) MarshalJSON() ([]byte, error) {
	type plain Stats
	number := func(rate float64) *float64 {
		if math.IsNaN(rate) {
			return nil
		}
		return &rate
	}
	return json.Marshal(struct {
		plain
		SuccessRate        *float64 `json:"successRate"`
		ArgumentAccuracy   *float64 `json:"argumentAccuracy"`
		UnknownNameRate    *float64 `json:"unknownNameRate"`
		SelfCorrectionRate *float64 `json:"selfCorrectionRate"`
	}{
		plain(s), number(s.SuccessRate()), number(s.ArgumentAccuracy()),
		number(s.UnknownNameRate()), number(s.SelfCorrectionRate()),
	})
}

// counter contains Stats to which several goroutines add. The zero value is ready to use.
type counter struct {
	mu    sync.Mutex
	stats Stats
}

// read returns a copy of the statistics.
func (c *counter) read() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Errors, s.Repairs = maps.Collect(maps.All(s.Errors)), maps.Collect(maps.All(s.Repairs)) // never nil
	s.Latency.buckets = slices.Clone(s.Latency.buckets)
	return s
}

// add calls count to change the statistics.
func (c *counter) add(count func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count(&c.stats)
}

// tally counts what happens in a session. It is safe for concurrent use.
type tally struct {
	stats  counter
	engine *counter // the engine's statistics, to which the session adds too

	mu sync.Mutex
	// previous contains the methods of the mistakes in the previous reply that are not corrected
	// yet, and current those of the mistakes in the current reply. A call that named no known
	// method is "".
	previous, current []string
}

func (t *tally) add(count func(*Stats)) {
	t.stats.add(count)
	t.engine.add(count)
}

// countReply counts a reply, its repairs, and the mistakes of the reply before: the model has now
// had the chance to correct them.
func (t *tally) countReply(r *parser.Reply) {
	t.mu.Lock()
	t.previous, t.current = t.current, nil
	mistakes := len(t.previous)
	t.mu.Unlock()
	t.add(func(s *Stats) {
		s.Replies++
		s.Mistakes += mistakes
		for _, q := range r.Requests {
			if isQuoted(&q) {
				continue
			}
			for _, repair := range q.Repairs {
				increment(&s.Repairs, repair.Name)
			}
		}
	})
}

// skipReply drops the mistakes of the reply before without counting them, because the model could
// not correct them: tools were not available in this reply.
func (t *tally) skipReply() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.previous, t.current = nil, nil
}

// countResults counts requests and their results as calls. results[i] is the result of reqs[i].
func (t *tally) countResults(reqs []executor.Request, results []executor.Result) {
	for i := range results {
		r := &results[i]
		malformed := reqs[i].Err != nil
		notFound := r.ErrorType == executor.ErrorToolNotFound || r.ErrorType == executor.ErrorMethodNotFound
		unknown := !malformed && r.Method == "" && notFound
		invalid := r.ErrorType == executor.ErrorInvalidArguments
		valid := r.Arguments != nil && !invalid
		corrected := t.matchMistake(malformed || unknown || invalid, valid, r.Method)
		t.add(func(s *Stats) {
			s.Calls++
			if r.Status == protocol.StatusSuccess {
				s.Succeeded++
			} else {
				increment(&s.Errors, r.ErrorType)
			}
			s.Malformed += toInt(malformed)
			s.UnknownNames += toInt(unknown)
			s.Checked += toInt(valid || invalid)
			s.ValidArguments += toInt(valid)
			s.Corrected += toInt(corrected)
			for _, p := range r.Problems {
				s.InventedArguments += toInt(p.Unknown())
			}
			for _, repair := range r.Repaired {
				increment(&s.Repairs, repair.Repair)
				s.Repairs[repair.Repair] += repair.More
			}
			if r.Duration > 0 {
				s.Latency.add(r.Duration)
			}
			s.RawBytes += int64(r.RawBytes)
			s.Bytes += int64(len(r.ToolResult.Result))
			s.Tokens += int64(r.Tokens)
			s.Excerpted += toInt(r.Excerpted)
			s.Summarized += toInt(r.Summarized)
		})
	}
}

// matchMistake examines a call of the method. If the call is wrong, it is added to the mistakes of
// the current reply. If it is valid, matchMistake reports whether it corrects a mistake of the
// previous reply.
func (t *tally) matchMistake(wrong, valid bool, method string) (corrected bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if wrong {
		t.current = append(t.current, method)
	}
	if !valid {
		return false
	}
	i := slices.Index(t.previous, method)
	if i < 0 {
		i = slices.Index(t.previous, "")
	}
	if i >= 0 {
		t.previous = slices.Delete(t.previous, i, i+1)
	}
	return i >= 0
}

func increment(m *map[string]int, key string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key]++
}

// toInt returns 1 for true and 0 for false.
func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
