package needles

// minVector is the length from which on the vector unit may be used: 32 bytes and the one behind them.
const minVector = 33

// useVector tells that the processor has AVX2 and the system keeps its registers.
var useVector = hasAVX2()

// indexBoth returns the first i below n-1 where p[i:i+2] is a pair of set or p[i] one of its singles, -1 where there is none. n is at least
// minVector.
//
//go:noescape
func indexBoth(p *byte, n int, set *[2*maxPairs + maxSingles]byte) int

// indexPairs returns the first i below n-1 where p[i:i+2] is a pair of tables, -1 where there is none. n is at least minVector.
//
//go:noescape
func indexPairs(p *byte, n int, tables *pairTables) int

// indexSingles returns the first i below n where p[i] is one of set, -1 where there is none. n is at least 32.
//
//go:noescape
func indexSingles(p *byte, n int, set *[maxSingles]byte) int

// listSingles writes the places i below n where p[i] is one of set to list, in order, and returns how many they are and up to where it has
// read: to n, or to where list, of which most is the length, may be too short for 64 more. n and most are at least 64.
//
//go:noescape
func listSingles(p *byte, n int, set *[maxSingles]byte, list *uint16, most int) (count, read int)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() (a, d uint32)

// hasAVX2 asks as Intel's manual says: that the system uses XSAVE, that it keeps the XMM and YMM registers, that the unit is there.
func hasAVX2() bool {
	const (
		osxsave, avx = 1 << 27, 1 << 28
		xmm, ymm     = 1 << 1, 1 << 2
		avx2         = 1 << 5
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
