package benchmarks

import (
	"testing"
)

func BenchmarkIteration(b *testing.B) {
	list, err := sides(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range list {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got, err := s.run(b.Context()); err != nil || got != answer {
					b.Fatal(got, err)
				}
			}
		})
	}
}
