package parser

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// repairAs adds the repair of that name, with an empty span at an offset. It returns false if the
// protocol has no such repair.
func (b *block) repairAs(name string, at int) bool {
	i := b.d.repairs.index(name)
	if i >= 0 {
		b.repairs = append(b.repairs, repairAt{i, at, at})
	}
	return i >= 0
}

// endUnclosed records the repairs or the error of a block without an end mark, in which another
// block or a result begins.
func (b *block) endUnclosed(tok *scan.Token) {
	b.fail(tok.Code)
	switch {
	case len(tok.Repairs) > 0:
		n := len(b.repairs)
		b.repairs = appendRepairs(b.repairs, b.w.at(), tok.Repairs)
		for i := n; i < len(b.repairs); i++ { // text after the last closer is not part of the block
			r := &b.repairs[i]
			r.start, r.end = min(r.start, b.lastCloser), min(r.end, b.lastCloser)
		}
	case b.d.o.Tolerance == scan.Greedy && b.code == "" && b.d.repairs.allows(scan.RepairMissingBlockEnd):
		b.repairAs(scan.RepairMissingBlockEnd, b.lastCloser)
	default:
		b.fail(scan.CodeUnclosedBlock)
	}
}

// endWithoutMark returns the end of a block that has no end mark: its last closer. If the block has
// no field, or its open value is not stored, the block ends at readTo, up to which it was read.
func (b *block) endWithoutMark(readTo int) int {
	if b.code == scan.CodeNoFields && b.lastCloser == b.body || b.oversize && b.open {
		return readTo
	}
	return b.lastCloser
}

// endAtEOF ends a block that is open at the end of the reply, and returns the block's end.
func (b *block) endAtEOF(finish protocol.FinishReason) (end int) {
	eof := b.w.end()
	if !b.open {
		switch {
		case b.holdsEnd, b.place != placeText: // no repair applies (docs/dialect.md, rows B9 and C12)
			b.fail(scan.CodeUnclosedBlock)
		case b.code == "" && finish.Complete() && !b.repairAs(scan.RepairMissingBlockEnd, b.lastCloser):
			b.fail(scan.CodeUnclosedBlock)
		}
		b.truncation = &Truncation{At: b.wholeEnd}
		return b.endWithoutMark(eof)
	}
	b.truncation = &Truncation{At: b.wholeEnd}
	if b.mayCloseAtEnd() && finish.Complete() && b.closeAtEnd() {
		return b.possible.end
	}
	if b.placeEnded && b.place != placeText || b.endAfterDefinition {
		b.ambiguousValue(eof) // the value contains a mark that may belong to another request
	}
	b.fail(scan.CodeUnclosedValue)
	if !b.oversize {
		f := b.lastField()
		if f.streams() {
			b.truncation.Argument = string(b.nameOf(f))
		}
		f.end = eof
		last := len(b.fields) - 1
		b.unclosed = b.listFields(b.fields[last:])
		b.unclosed[0].Open = true
		b.fields = b.fields[:last] // a value that was never closed is not an argument
	}
	return eof
}

// closeAtEnd closes the last value and its request at the end mark in the value. It returns false
// if the protocol has no such repair.
func (b *block) closeAtEnd() bool {
	f := b.lastField()
	end := b.possible.start
	raw := b.w.bytes(f.start, end)
	if f.rule == scan.TextExact {
		raw = nil // the token of the mark includes the line break before it
	}
	if n := len(raw); n > 0 && raw[n-1] == '\n' {
		end--
		if n > 1 && raw[n-2] == '\r' {
			end--
		}
	} else if n > 0 && raw[n-1] == '\r' {
		end--
	}
	if !b.repairAs(scan.RepairUnclosedValue, end) {
		return false
	}
	f.end = end
	b.open = false
	b.endDelta(f)
	b.repairs = append(b.repairs, b.possible.repairs...)
	return true
}

// dropRepairs removes the repairs after end, the offset at which the block ends.
func (b *block) dropRepairs(end int) {
	if len(b.repairs) > 0 {
		b.repairs = slices.DeleteFunc(b.repairs, func(r repairAt) bool { return r.end > end })
	}
}
