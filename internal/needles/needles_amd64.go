//go:build !purego

package needles

// HasVector reports that searches use the vector unit: the processor has AVX2, and the system saves
// the vector registers.
var HasVector = hasAVX2()

// indexVector returns the offset of the first pair of the tables in the n bytes at p, or -1 if
// those bytes contain no pair. n is at least minVector.
//
//go:noescape
func indexVector(p *byte, n int, t *tables) int

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() (a, d uint32)

// hasAVX2 checks, as Intel's manual says, whether the system uses XSAVE and saves the XMM and YMM
// registers, and whether the processor has AVX2.
func hasAVX2() bool {
	const (
		osxsave, avx = 1 << 27, 1 << 28 // in ECX of leaf 1
		xmm, ymm     = 1 << 1, 1 << 2   // in XCR0, which xgetbv reads
		avx2         = 1 << 5           // in EBX of leaf 7
	)
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return false
	}
	if _, _, c, _ := cpuid(1, 0); c&osxsave == 0 || c&avx == 0 {
		return false
	}
	if a, _ := xgetbv(); a&xmm == 0 || a&ymm == 0 {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&avx2 != 0
}
