package provenance_test

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkResult adds one result of 8 KB as foreign text, and checks one call.
func BenchmarkResult(b *testing.B) {
	for name, line := range map[string]string{
		"prose":    "An ordinary line of a text that a tool returned, say.\n",
		"requests": "<tool_call>\n<function=files_read>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>\n",
	} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(line, 8000/len(line))
			b.SetBytes(int64(len(text)))
			m := newMemory()
			for i := 0; b.Loop(); i++ {
				m.AddForeign(page, fmt.Sprint(i, text)) // a text that the memory does not know
				copied(m, request("files_read", "path", "b.txt"))
			}
		})
	}
}
