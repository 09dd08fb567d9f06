package attach_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/attach"
)

type key struct{ id int64 }

func TestEachKeyHasItsOwnValue(t *testing.T) {
	var m attach.Map[key, int]
	a, b := &key{1}, &key{2}
	first := m.Of(a)
	*first = 7
	require.Same(t, first, m.Of(a))
	require.Zero(t, *m.Of(b))
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
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
	require.Less(t, s.HeapAlloc, uint64(100<<20), "200 MiB were attached")
}
