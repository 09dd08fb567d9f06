package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/executor"
)

// maxKeptBytes limits the results that one session keeps. It exceeds what a model can read in a
// conversation, and allows for many sessions in one process.
const maxKeptBytes = 16 << 20

// keptOverhead is how many bytes are counted for a result, and for each page of it, in addition to
// the length of its text.
const keptOverhead = 64

// maxDropped limits how many ids of dropped results are remembered.
const maxDropped = 1000

// keptResults are the whole texts of results of which the model got an excerpt. The zero value is
// ready to use. It is safe for concurrent use.
type keptResults struct {
	mu      sync.Mutex
	list    []keptResult // oldest first
	bytes   int          // the sum of the bytes of the results in list
	dropped []string     // ids of dropped results, oldest first
}

type keptResult struct {
	id    string
	pages []string
	bytes int // of the text and the id, with keptOverhead
}

// keep stores a result, and drops the oldest results if they exceed maxKeptBytes together. It
// returns the number of pages, or 0 if the result alone is too long.
func (k *keptResults) keep(full executor.FullResult) (pages int) {
	if len(full.Text) > maxKeptBytes {
		return 0
	}
	r := keptResult{id: full.ID, pages: full.Pages()}
	if r.bytes = len(full.Text) + len(r.id) + keptOverhead*(1+len(r.pages)); r.bytes > maxKeptBytes {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = slices.DeleteFunc(k.list, func(old keptResult) bool {
		if old.id == r.id {
			k.bytes -= old.bytes
		}
		return old.id == r.id
	})
	k.list, k.bytes = append(k.list, r), k.bytes+r.bytes
	for k.bytes > maxKeptBytes {
		k.bytes -= k.list[0].bytes
		k.dropped = append(k.dropped, k.list[0].id)
		k.list = slices.Delete(k.list, 0, 1)
	}
	k.dropped = k.dropped[max(0, len(k.dropped)-maxDropped):]
	return len(r.pages)
}

// page returns one page of a result, counted from 1, and the number of pages. Errors are for the
// model, in its language.
func (k *keptResults) page(language, id string, number int) (page string, pages int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var ids []string
	for _, r := range k.list {
		if r.id != id {
			ids = append(ids, fmt.Sprintf("%q", r.id))
			continue
		}
		if number < 1 || number > len(r.pages) {
			return "", 0, errors.New(phraseNoSuchPage.in(language, id, number, len(r.pages)))
		}
		return r.pages[number-1], len(r.pages), nil
	}
	others := phraseNoneKept.in(language)
	if len(ids) > 0 {
		others = phraseKept.in(language, strings.Join(ids, ", "))
	}
	if slices.Contains(k.dropped, id) {
		return "", 0, errors.New(phraseNoLongerKept.in(language, id, others))
	}
	return "", 0, errors.New(phraseNotKept.in(language, id, others))
}
