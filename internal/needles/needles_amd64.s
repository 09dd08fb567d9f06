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

// CLASS makes a of the 32 places that begin with those in a and, one byte further, in b: it is zero where no pair stands. A byte is looked up by
// its two halves, and each pair has a bit of its own in the tables.
#define CLASS(a, b, c, d) \
	VPSRLW  $4, a, c  \
	VPSRLW  $4, b, d  \
	VPAND   Y4, a, a  \
	VPAND   Y4, b, b  \
	VPAND   Y4, c, c  \
	VPAND   Y4, d, d  \
	VPSHUFB a, Y0, a  \
	VPSHUFB c, Y1, c  \
	VPSHUFB b, Y2, b  \
	VPSHUFB d, Y3, d  \
	VPAND   c, a, a   \
	VPAND   d, b, b   \
	VPAND   b, a, a

// func indexPairs(p *byte, n int, tables *[80]byte) int
TEXT ·indexPairs(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ tables+16(FP), DX

	VBROADCASTI128 0(DX), Y0
	VBROADCASTI128 16(DX), Y1
	VBROADCASTI128 32(DX), Y2
	VBROADCASTI128 48(DX), Y3
	VBROADCASTI128 64(DX), Y4

	// AX is where the 32 places begin that are looked at; CX is the last value that it may have, R8 the end of all places, and R9 the last value
	// with which 64 places may be looked at.
	XORQ AX, AX
	SUBQ $33, CX
	LEAQ 32(CX), R8
	LEAQ -32(CX), R9

pairs:
	VMOVDQU (SI)(AX*1), Y5
	VMOVDQU 1(SI)(AX*1), Y6
	CLASS(Y5, Y6, Y7, Y8)
	VPTEST  Y5, Y5
	JNE     pair
	ADDQ    $32, AX
	CMPQ    AX, R9
	JGT     last

double:
	VMOVDQU (SI)(AX*1), Y5
	VMOVDQU 1(SI)(AX*1), Y6
	VMOVDQU 32(SI)(AX*1), Y9
	VMOVDQU 33(SI)(AX*1), Y10
	CLASS(Y5, Y6, Y7, Y8)
	CLASS(Y9, Y10, Y11, Y12)
	VPOR    Y9, Y5, Y13
	VPTEST  Y13, Y13
	JNE     either
	ADDQ    $64, AX
	CMPQ    AX, R9
	JLE     double

last:
	CMPQ AX, CX
	JLE  pairs
	CMPQ AX, R8
	JGE  nopair
	MOVQ CX, AX // the last places, some of them for the second time
	JMP  pairs

either:
	VPTEST  Y5, Y5
	JNE     pair
	ADDQ    $32, AX
	VMOVDQA Y9, Y5

pair:
	VPXOR     Y6, Y6, Y6
	VPCMPEQB  Y6, Y5, Y5
	VPMOVMSKB Y5, BX
	NOTL      BX
	BSFL      BX, BX
	ADDQ      BX, AX
	VZEROUPPER
	MOVQ      AX, ret+24(FP)
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

// func listSingles(p *byte, n int, set *[3]byte, list *uint16, most int) (count, read int)
TEXT ·listSingles(SB), NOSPLIT, $0-56
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), R8
	MOVQ set+16(FP), DX
	MOVQ list+24(FP), DI
	MOVQ most+32(FP), R11

	VPBROADCASTB 0(DX), Y0
	VPBROADCASTB 1(DX), Y1
	VPBROADCASTB 2(DX), Y2

	// AX is where the 64 places begin that are looked at, R8 the last value that it may have, R9 which of the places count, and R10 how many
	// have been listed.
	XORQ AX, AX
	SUBQ $64, R8
	MOVQ $-1, R9
	XORQ R10, R10
	SUBQ $64, R11 // up to so many there is room for 64 more

word:
	VMOVDQU   (SI)(AX*1), Y3
	VMOVDQU   32(SI)(AX*1), Y7
	VPCMPEQB  Y0, Y3, Y4
	VPCMPEQB  Y1, Y3, Y5
	VPCMPEQB  Y2, Y3, Y6
	VPCMPEQB  Y0, Y7, Y8
	VPCMPEQB  Y1, Y7, Y9
	VPCMPEQB  Y2, Y7, Y10
	VPOR      Y5, Y4, Y4
	VPOR      Y9, Y8, Y8
	VPOR      Y6, Y4, Y4
	VPOR      Y10, Y8, Y8
	VPMOVMSKB Y4, BX
	VPMOVMSKB Y8, CX
	SHLQ      $32, CX
	ORQ       CX, BX
	ANDQ      R9, BX
	JEQ       listed

listing:
	BSFQ BX, CX
	ADDQ AX, CX
	MOVW CX, (DI)(R10*2)
	INCQ R10
	LEAQ -1(BX), CX
	ANDQ CX, BX
	JNE  listing

listed:
	ADDQ $64, AX
	CMPQ R10, R11
	JGT  full
	CMPQ AX, R8
	JLE  word
	LEAQ 64(R8), CX
	CMPQ AX, CX
	JEQ  full
	MOVQ AX, CX
	SUBQ R8, CX // so many of the last places have been looked at
	MOVQ R8, AX
	SHLQ CX, R9
	JMP  word

full:
	VZEROUPPER
	MOVQ R10, count+40(FP)
	MOVQ AX, read+48(FP)
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
