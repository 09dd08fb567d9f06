package provenance_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine/internal/provenance"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestUnracedOldestTextIsRemoved(t *testing.T) {
	longtest.SkipIfRaced(t)
	m := newMemory()
	req := request("files_read", "path", "a.txt")
	m.AddForeign(page, written(vcp.Protocol{}, req))
	half := provenance.MaxForeign / 2
	m.AddForeign(mail, strings.Repeat("x", half))
	_, ok := copied(m, req)
	require.True(t, ok)
	m.AddForeign(mail, strings.Repeat("y", half))
	_, ok = copied(m, req)
	require.False(t, ok)

	m.AddForeign(mail, strings.Repeat("z", 2*provenance.MaxForeign)+written(vcp.Protocol{}, req))
	_, ok = copied(m, req)
	require.True(t, ok, "the end of a long text is kept")
}

// Text is examined only when a call must be checked.
func TestNothingIsExaminedBeforeACall(t *testing.T) {
	m := newMemory()
	require.Zero(t, work.Count(func() {
		for i := range 100 {
			m.AddForeign(page, strings.Repeat(fmt.Sprint("<tool_call>", i), 1000))
			m.AddTrusted(fmt.Sprint("words", i))
			m.SetLive(fmt.Sprint("words", i))
		}
	}))
}

// The calls of one reply use the same Memory at the same time.
func TestMemoryIsSafeForConcurrentUse(t *testing.T) {
	m := newMemory()
	req := request("files_read", "path", "a.txt")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				m.AddForeign(page, fmt.Sprint(i, j, written(vcp.Protocol{}, req)))
				m.SetLive(fmt.Sprint("words", i, j))
				_, ok := copied(m, req)
				assert.True(t, ok)
				m.Values(json.RawMessage(`{"path":"a.txt"}`))
			}
		})
	}
	wg.Wait()
}
