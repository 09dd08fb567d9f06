package attach_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/attach"
)

type key struct{ text [64]byte }

func TestOneValueForEachKey(t *testing.T) {
	var m attach.Map[key, int]
	a, b := new(key), new(key)
	*m.Of(a)++
	*m.Of(a)++
	require.Equal(t, []int{2, 0}, []int{*m.Of(a), *m.Of(b)})
	require.Same(t, m.Of(a), m.Of(a))
	runtime.KeepAlive(a)
}

func TestValuesOfGarbageAreDropped(t *testing.T) {
	type large struct{ data [1 << 20]byte }
	var m attach.Map[key, large]
	for range 200 {
		m.Of(new(key)).data[0] = 1
		runtime.GC()
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	require.Less(t, s.HeapAlloc, uint64(100<<20), "of 200 MiB that were attached")
}
