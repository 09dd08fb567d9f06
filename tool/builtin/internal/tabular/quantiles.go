package tabular

import (
	"cmp"
	"math"
	"slices"
)

const (
	// maxKept limits the numbers that all sketches of one query keep, as far as minLevelSize
	// allows. A number has 8 bytes.
	maxKept = 4 << 20
	// The number of values at which a level of a sketch is full: at first, and after sketches had
	// to shrink as far as possible.
	initialLevelSize, minLevelSize = 4096, 32
)

// sketches are all sketches of one query. They share the limit maxKept.
type sketches struct {
	all       []*sketch
	kept      int // numbers in all sketches
	levelSize int // the number of values at which a level is full
}

func newSketches() *sketches { return &sketches{levelSize: initialLevelSize} }

// newSketch returns an empty sketch.
func (s *sketches) newSketch() *sketch {
	k := &sketch{shared: s, levels: [][]float64{nil}, second: []bool{false}}
	s.all = append(s.all, k)
	return k
}

// drop removes sketches that are not used any more.
func (s *sketches) drop(unused map[*sketch]bool) {
	s.all = slices.DeleteFunc(s.all, func(k *sketch) bool {
		if unused[k] {
			for _, level := range k.levels {
				s.kept -= len(level)
			}
		}
		return unused[k]
	})
}

// sketch keeps a sample of numbers from which it estimates quantiles. Each value of level h stands
// for 2^h numbers. When a level is full, it is sorted, and one value of each pair of neighbors goes
// to the next level: alternately the first and the second of each pair. That moves the rank of a
// number by at most 2^h. As long as no level was full, the sample is complete and the quantiles are
// exact.
type sketch struct {
	shared *sketches
	levels [][]float64
	second []bool // for each level, whether the second value of each pair goes up next
	n      int    // how many numbers were added
	off    int    // how far the rank of a quantile may be off; 0 means exact
}

func (s *sketch) add(v float64) {
	s.n++
	s.levels[0] = append(s.levels[0], v)
	s.shared.kept++
	if len(s.levels[0]) >= s.shared.levelSize {
		s.compact(0)
	}
	if s.shared.kept > maxKept && s.shared.levelSize > minLevelSize {
		s.shared.levelSize /= 2
		for _, other := range s.shared.all {
			for h := 0; h < len(other.levels); h++ {
				if len(other.levels[h]) >= s.shared.levelSize {
					other.compact(h)
				}
			}
		}
	}
}

// compact moves half of the values of level h to the next level and drops the other half, if level
// h is full. It continues with the next level.
func (s *sketch) compact(h int) {
	for ; h < len(s.levels) && len(s.levels[h]) >= s.shared.levelSize; h++ {
		if h+1 == len(s.levels) {
			s.levels, s.second = append(s.levels, nil), append(s.second, false)
		}
		level := s.levels[h]
		slices.Sort(level)
		pairs := len(level) / 2
		i := 0
		if s.second[h] {
			i = 1
		}
		s.second[h] = !s.second[h]
		for ; i < 2*pairs; i += 2 {
			s.levels[h+1] = append(s.levels[h+1], level[i])
		}
		s.levels[h] = append(level[:0], level[2*pairs:]...) // if their number is odd, one stays
		s.shared.kept -= pairs
		s.off += 1 << h
	}
}

// rankError returns how far the rank of a quantile may be off, as a fraction of s.n.
func (s *sketch) rankError() float64 {
	if s.n == 0 {
		return 0
	}
	return float64(s.off) / float64(s.n)
}

// quantile returns the q-quantile of the numbers, for q from 0 to 1. If it lies between two numbers
// of a complete sample, it is interpolated between them. The sketch must not be empty.
func (s *sketch) quantile(q float64) float64 {
	type weighted struct {
		value  float64
		weight int
	}
	var list []weighted
	for h, level := range s.levels {
		for _, v := range level {
			list = append(list, weighted{v, 1 << h})
		}
	}
	slices.SortFunc(list, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	if s.off == 0 {
		at := q * float64(len(list)-1)
		low := int(math.Floor(at))
		high := min(low+1, len(list)-1)
		return list[low].value + (at-float64(low))*(list[high].value-list[low].value)
	}
	rank := q * float64(s.n)
	passed := 0.0
	for _, w := range list {
		if passed += float64(w.weight); passed >= rank {
			return w.value
		}
	}
	return list[len(list)-1].value
}
