package demomodel

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
)

func TestALongDescriptionIsReadOnce(t *testing.T) {
	const words = 100_000
	// If the text before each word were read again, this would take more than ten minutes.
	require.Len(t, tokenize(strings.Repeat("time ", words)), words)
}

func TestTheSamplesOfAParameterAreLimited(t *testing.T) {
	p := protocol.Parameter{Name: "x", Type: "string", Description: "such as " + strings.Repeat("a/b, ", 1000)}
	require.Len(t, samplesOf(p, nil), maxSamples)
}

func TestALongSampleIsNotRead(t *testing.T) {
	kindWith := func(sample string) kind {
		return newParameter(protocol.Parameter{Name: "x", Type: "string", Description: "such as " + sample}, nil).kind
	}
	require.Equal(t, kindArithmetic, kindWith("(7+4)*12"))
	// The search for arithmetic would take seconds: it starts again after each open bracket.
	require.Equal(t, kindText, kindWith("1+"+strings.Repeat("(", 100_000)+"1"))
	require.Equal(t, kindText, kindWith(strings.Repeat("1+", maxSample/2)+"1"), "a byte more than maxSample")
}
