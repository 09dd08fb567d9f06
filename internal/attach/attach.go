// Package attach attaches values to other values, and drops them together.
package attach

import (
	"runtime"
	"sync"
	"weak"
)

// Map attaches one value to each key. The value is dropped when the key is garbage. The value must
// not refer to the key; otherwise neither is ever dropped. The zero value is ready to use. A Map is
// safe for concurrent use.
type Map[K, V any] struct {
	values sync.Map // by weak.Pointer[K], of *V
}

// Of returns the value that is attached to the key, at first a zero value of V. The caller may
// change the value; the Map does not synchronize such changes.
func (m *Map[K, V]) Of(key *K) *V {
	k := weak.Make(key)
	if v, ok := m.values.Load(k); ok {
		return v.(*V)
	}
	v, there := m.values.LoadOrStore(k, new(V))
	if !there {
		runtime.AddCleanup(key, func(k weak.Pointer[K]) { m.values.Delete(k) }, k)
	}
	return v.(*V)
}
