package parser_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/longtest"
)

func allCuts(input string) []int {
	var cuts []int
	for i := 1; i < len(input); i++ {
		cuts = append(cuts, i)
	}
	return cuts
}

func someCuts(rnd *rand.Rand, input string) []int {
	var cuts []int
	for at := rnd.IntN(9); at < len(input); at += 1 + rnd.IntN(40) {
		cuts = append(cuts, at)
	}
	return cuts
}

// cutsInTwo is the number of places at which "make test" cuts a case in two. All places would take
// most of this package's time, and reading byte by byte finds nearly the same errors. "make
// test-long" tries all of them.
const cutsInTwo = 16

// cuttings returns the ways in which a case is cut: in random pieces, in two, and, up to 64 KB,
// byte by byte and rune by rune. A short input is cut in two at every offset, a long one near its
// tokens and at 200 random offsets. "make test" takes a sample of the cuts in two.
func cuttings(input string) [][]int {
	rnd := rand.New(rand.NewPCG(uint64(len(input)), 5))
	ways := [][]int{someCuts(rnd, input), someCuts(rnd, input), someCuts(rnd, input)}
	if len(input) <= 1<<16 {
		ways = append(ways, allCuts(input))
		var runes []int
		for at := range input {
			if at > 0 {
				runes = append(runes, at)
			}
		}
		ways = append(ways, runes)
	}
	offsets := allCuts(input)
	if len(input) > 4<<10 {
		offsets = offsetsNearTokens(input)
		for range 200 {
			offsets = append(offsets, 1+rnd.IntN(len(input)-1))
		}
	}
	for _, at := range longtest.Sample(cutsInTwo, offsets) {
		ways = append(ways, []int{at})
	}
	return ways
}

const (
	// A long input is cut at all offsets within nearToken bytes of the start or the end of a token.
	nearToken = 64
	// Only the first and the last edgeTokens tokens of an input count, because the tokens between
	// them repeat the same text.
	edgeTokens = 16
)

// anyToken matches a marker, or a key with its separator, an opener, or a closer, in their exact
// spelling.
var anyToken = regexp.MustCompile(`<<<\[[A-Z_]+\]>>>|[a-z_]+:|「始[^」]{0,40}」|「末[^」]{0,40}」`)

// offsetsNearTokens returns the offsets inside input that are near the start or the end of a token,
// in order.
func offsetsNearTokens(input string) []int {
	tokens := anyToken.FindAllStringIndex(input, -1)
	if len(tokens) > 2*edgeTokens {
		tokens = slices.Concat(tokens[:edgeTokens], tokens[len(tokens)-edgeTokens:])
	}
	var offsets []int
	next := 1 // the first offset that is not listed yet
	for _, token := range tokens {
		for _, edge := range token {
			for at := max(next, edge-nearToken); at <= edge+nearToken && at < len(input); at++ {
				offsets = append(offsets, at)
				next = at + 1
			}
		}
	}
	return offsets
}

func TestOffsetsNearTokensAreWithin64Bytes(t *testing.T) {
	far := strings.Repeat(".", 1000)
	span := func(from, to int) (offsets []int) {
		for at := from; at <= to; at++ {
			offsets = append(offsets, at)
		}
		return offsets
	}
	for _, c := range []struct {
		name, input string
		want        []int
	}{
		{"64 bytes on either side of a start and an end", far + "「始」" + far, span(1000-64, 1009+64)},
		{"never the ends of the input", "「末」x", span(1, 9)},
		{"no offset twice", far + "path:「始」a「末」" + far, span(1000-64, 1024+64)},
		{"both edges of a long token", far + "「始" + strings.Repeat("字", 40) + "」" + far, span(1000-64, 1129+64)},
		{"text without tokens", far, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := offsetsNearTokens(c.input); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	many := strings.Repeat(".", 100) + strings.Repeat("「始」"+far, 100)
	if got, want := len(offsetsNearTokens(many)), 2*edgeTokens*(len("「始」")+2*nearToken+1); got != want {
		t.Errorf("%d offsets are near 100 tokens that are far apart, want %d: only the first and last %d tokens count",
			got, want, edgeTokens)
	}
}
