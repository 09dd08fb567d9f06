package benchmarks

import (
	"fmt"
	"testing"
)

func BenchmarkQuestion(b *testing.B) {
	for _, calls := range []int{1, len(cities)} {
		list, err := sides(b.Context(), calls)
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range list {
			b.Run(fmt.Sprintf("%s/calls=%d", s.name, calls), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if got, err := s.run(b.Context()); err != nil || got != answer {
						b.Fatal(got, err)
					}
				}
			})
		}
	}
}
