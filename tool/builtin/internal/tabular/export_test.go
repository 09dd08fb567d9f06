package tabular

// MaxGroups is the limit of the groups of one query.
const MaxGroups = maxGroups

// Layouts are the layouts in which Date reads dates.
var Layouts = layouts

// Quantiles estimates the quantiles of numbers with a sketch. A level of the sketch is full at
// levelSize values. rankError is how far the rank of a quantile may be off, as a fraction of
// len(numbers).
func Quantiles(numbers []float64, levelSize int) (quantile func(q float64) float64, rankError float64) {
	s := &sketches{levelSize: levelSize}
	k := s.newSketch()
	for _, n := range numbers {
		k.add(n)
	}
	return k.quantile, k.rankError()
}
