//go:build amd64 && !purego

#include "textflag.h"

// CLASS finds pairs. a contains 32 bytes of the text, and b the bytes after each of them.
// Afterwards a byte of a is not zero if it and the byte after it are a pair. The tables contain,
// for each half of a byte, one bit for each class of pairs.
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

// func indexVector(p *byte, n int, t *tables) int
TEXT ·indexVector(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ t+16(FP), DX

	VBROADCASTI128 0(DX), Y0
	VBROADCASTI128 16(DX), Y1
	VBROADCASTI128 32(DX), Y2
	VBROADCASTI128 48(DX), Y3
	VBROADCASTI128 64(DX), Y4

	// AX is the offset of the 32 bytes that are examined, CX its maximum, and R8 the end of the
	// bytes that can begin a pair. R9 is the maximum of AX if 64 bytes are examined.
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
	MOVQ CX, AX // the last bytes, some of them for the second time
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
