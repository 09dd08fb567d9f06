package tabular

// MaxGroups is the limit of the groups of one query.
const MaxGroups = maxGroups

// Layouts are the forms of dates.
var Layouts = layouts

// Quantiles estimates the quantiles of numbers with a sketch whose levels have level values each.
// off is how far a rank may be off, as a share.
func Quantiles(numbers []float64, level int) (quantile func(q float64) float64, off float64) {
	s := &sketches{level: level}
	k := s.newSketch()
	for _, n := range numbers {
		k.add(n)
	}
	return k.quantile, k.rankError()
}
