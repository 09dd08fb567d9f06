#include "textflag.h"

// PAIR adds to Y13 where Y11 holds the pair's first byte and Y12, one byte further, its second.
#define PAIR(first, second) \
	VPCMPEQB first, Y11, Y14  \
	VPCMPEQB second, Y12, Y15 \
	VPAND    Y15, Y14, Y14    \
	VPOR     Y14, Y13, Y13

// SINGLE adds to Y13 where Y11 holds the byte.
#define SINGLE(c) \
	VPCMPEQB c, Y11, Y14 \
	VPOR     Y14, Y13, Y13

// func indexBoth(p *byte, n int, set *[11]byte) int
TEXT ·indexBoth(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ set+16(FP), DX

	VPBROADCASTB 0(DX), Y0
	VPBROADCASTB 1(DX), Y1
	VPBROADCASTB 2(DX), Y2
	VPBROADCASTB 3(DX), Y3
	VPBROADCASTB 4(DX), Y4
	VPBROADCASTB 5(DX), Y5
	VPBROADCASTB 6(DX), Y6
	VPBROADCASTB 7(DX), Y7
	VPBROADCASTB 8(DX), Y8
	VPBROADCASTB 9(DX), Y9
	VPBROADCASTB 10(DX), Y10

	// AX is where the 32 places begin that are looked at; CX is the last value that it may have, R8 the end of all places.
	XORQ AX, AX
	SUBQ $33, CX
	LEAQ 32(CX), R8

loop:
	VMOVDQU  (SI)(AX*1), Y11
	VMOVDQU  1(SI)(AX*1), Y12
	VPCMPEQB Y0, Y11, Y13
	VPCMPEQB Y1, Y12, Y15
	VPAND    Y15, Y13, Y13
	PAIR(Y2, Y3)
	PAIR(Y4, Y5)
	PAIR(Y6, Y7)
	SINGLE(Y8)
	SINGLE(Y9)
	SINGLE(Y10)
	VPMOVMSKB Y13, BX
	TESTL     BX, BX
	JNE       found
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLE       loop
	CMPQ      AX, R8
	JGE       none
	MOVQ      CX, AX // the last places, some of them for the second time
	JMP       loop

found:
	BSFL BX, BX
	ADDQ BX, AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

none:
	VZEROUPPER
	MOVQ $-1, ret+24(FP)
	RET

// func indexPairs(p *byte, n int, set *[10]byte) int
TEXT ·indexPairs(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ set+16(FP), DX

	VPBROADCASTB 0(DX), Y0
	VPBROADCASTB 1(DX), Y1
	VPBROADCASTB 2(DX), Y2
	VPBROADCASTB 3(DX), Y3
	VPBROADCASTB 4(DX), Y4
	VPBROADCASTB 5(DX), Y5
	VPBROADCASTB 6(DX), Y6
	VPBROADCASTB 7(DX), Y7
	VPBROADCASTB 8(DX), Y8
	VPBROADCASTB 9(DX), Y9

	// The registers are used as in indexBoth.
	XORQ AX, AX
	SUBQ $33, CX
	LEAQ 32(CX), R8

pairs:
	VMOVDQU  (SI)(AX*1), Y11
	VMOVDQU  1(SI)(AX*1), Y12
	VPCMPEQB Y0, Y11, Y13
	VPCMPEQB Y1, Y12, Y15
	VPAND    Y15, Y13, Y13
	PAIR(Y2, Y3)
	PAIR(Y4, Y5)
	PAIR(Y6, Y7)
	PAIR(Y8, Y9)
	VPMOVMSKB Y13, BX
	TESTL     BX, BX
	JNE       pair
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLE       pairs
	CMPQ      AX, R8
	JGE       nopair
	MOVQ      CX, AX // the last places, some of them for the second time
	JMP       pairs

pair:
	BSFL BX, BX
	ADDQ BX, AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

nopair:
	VZEROUPPER
	MOVQ $-1, ret+24(FP)
	RET

// func indexSingles(p *byte, n int, set *[3]byte) int
TEXT ·indexSingles(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ set+16(FP), DX

	VPBROADCASTB 0(DX), Y0
	VPBROADCASTB 1(DX), Y1
	VPBROADCASTB 2(DX), Y2

	// AX is where the 32 places begin that are looked at; CX is the last value that it may have.
	XORQ AX, AX
	SUBQ $32, CX

singles:
	VMOVDQU   (SI)(AX*1), Y3
	VPCMPEQB  Y0, Y3, Y4
	VPCMPEQB  Y1, Y3, Y5
	VPCMPEQB  Y2, Y3, Y6
	VPOR      Y5, Y4, Y4
	VPOR      Y6, Y4, Y4
	VPMOVMSKB Y4, BX
	TESTL     BX, BX
	JNE       single
	CMPQ      AX, CX
	JGE       nosingle
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLE       singles
	MOVQ      CX, AX // the last places, some of them for the second time
	JMP       singles

single:
	BSFL BX, BX
	ADDQ BX, AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

nosingle:
	VZEROUPPER
	MOVQ $-1, ret+24(FP)
	RET

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() (a, d uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-8
	XORL CX, CX
	XGETBV
	MOVL AX, a+0(FP)
	MOVL DX, d+4(FP)
	RET
