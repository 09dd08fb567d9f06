package engine

import (
	"encoding/json"
	"time"
)

// latencyBuckets are the upper bounds of the histogram's buckets: 1, 2 and 5 times the powers of
// ten from 100 µs to 1000 s. So a quantile is at most 2.5 times too high. Longer durations have one
// more bucket, without a bound.
var latencyBuckets = func() (bounds []time.Duration) {
	for step := 100 * time.Microsecond; step <= 100*time.Second; step *= 10 {
		bounds = append(bounds, step, 2*step, 5*step)
	}
	return append(bounds, 1000*time.Second)
}()

// Latency is a histogram of how long tools ran. The zero value is ready to use.
type Latency struct {
	Count      int
	Total, Max time.Duration
	steps      []int // calls by bucket of latencyBuckets; nil if there are none
}

func (l *Latency) add(d time.Duration) {
	if l.steps == nil {
		l.steps = make([]int, len(latencyBuckets)+1)
	}
	l.Count++
	l.Total += d
	l.Max = max(l.Max, d)
	step := 0
	for step < len(latencyBuckets) && d > latencyBuckets[step] {
		step++
	}
	l.steps[step]++
}

// Mean returns the mean duration, or 0 if there was no call.
func (l Latency) Mean() time.Duration { return l.Total / time.Duration(max(1, l.Count)) }

// Quantile returns a duration that the share q of all calls did not exceed, with q from 0 to 1. It
// is at most 2.5 times too high. Without a call it is 0.
func (l Latency) Quantile(q float64) time.Duration {
	seen := 0
	for step, n := range l.steps {
		seen += n
		if n > 0 && float64(seen) >= q*float64(l.Count) && step < len(latencyBuckets) {
			return min(latencyBuckets[step], l.Max)
		}
	}
	return l.Max
}

// MarshalJSON writes durations in milliseconds.
func (l Latency) MarshalJSON() ([]byte, error) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return json.Marshal(struct {
		Count   int     `json:"count"`
		TotalMs float64 `json:"totalMs"`
		MeanMs  float64 `json:"meanMs"`
		P50Ms   float64 `json:"p50Ms"`
		P95Ms   float64 `json:"p95Ms"`
		MaxMs   float64 `json:"maxMs"`
	}{l.Count, ms(l.Total), ms(l.Mean()), ms(l.Quantile(0.5)), ms(l.Quantile(0.95)), ms(l.Max)})
}
