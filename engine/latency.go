package engine

import (
	"encoding/json"
	"slices"
	"time"
)

// latencyBounds are the upper bounds of the histogram's buckets: 1, 2 and 5 times the powers of ten
// from 100 µs to 1000 s. A bound is at most 2.5 times the bound below it. So a quantile between the
// first bound and the last is at most 2.5 times too high. Longer durations are counted in one more
// bucket, without a bound.
var latencyBounds = func() (bounds []time.Duration) {
	for power := 100 * time.Microsecond; power <= 100*time.Second; power *= 10 {
		bounds = append(bounds, power, 2*power, 5*power)
	}
	return append(bounds, 1000*time.Second)
}()

// Latency is a histogram of how long tools ran. The zero value is ready to use.
type Latency struct {
	Count      int
	Total, Max time.Duration
	buckets    []int // the number of calls in each bucket; nil if Count is 0
}

func (l *Latency) add(d time.Duration) {
	if l.buckets == nil {
		l.buckets = make([]int, len(latencyBounds)+1)
	}
	l.Count++
	l.Total += d
	l.Max = max(l.Max, d)
	bucket, _ := slices.BinarySearch(latencyBounds, d)
	l.buckets[bucket]++
}

// Mean returns the mean duration, or 0 if there was no call.
func (l Latency) Mean() time.Duration { return l.Total / time.Duration(max(1, l.Count)) }

// Quantile returns a duration that the share q of all calls did not exceed, with q from 0 to 1. It
// is at most 2.5 times too high if the exact quantile is from 100 µs to 1000 s. For a lower
// quantile it is at most 100 µs, and for a higher one it is Max. It is 0 if there was no call.
func (l Latency) Quantile(q float64) time.Duration {
	seen := 0
	for bucket, n := range l.buckets {
		seen += n
		if n > 0 && float64(seen) >= q*float64(l.Count) && bucket < len(latencyBounds) {
			return min(latencyBounds[bucket], l.Max)
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
