// Package attach attaches values to objects of other packages. A value is dropped when its object
// is garbage collected.
package attach

import (
	"runtime"
	"sync"
	"weak"
)

// Map attaches one value to each key. It drops the value when the key is garbage collected. The
// value must not refer to the key; otherwise neither is ever collected. The zero value is ready to
// use. A Map is safe for concurrent use.
type Map[K, V any] struct {
	values sync.Map // from weak.Pointer[K] to *V
}

// Of returns the value that is attached to the key. The first call for a key attaches a zero V. The
// caller may change the value; the Map does not synchronize such changes.
func (m *Map[K, V]) Of(key *K) *V {
	k := weak.Make(key)
	if v, ok := m.values.Load(k); ok {
		return v.(*V)
	}
	v, loaded := m.values.LoadOrStore(k, new(V))
	if !loaded {
		runtime.AddCleanup(key, func(k weak.Pointer[K]) { m.values.Delete(k) }, k)
	}
	return v.(*V)
}
