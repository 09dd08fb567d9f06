package model

import (
	"encoding/json"
	"math"

	"github.com/vcpgo/vcp/engine"
)

// usageOf reads what a reply cost; nil where that cannot be read, which takes nothing from the reply.
func usageOf(raw json.RawMessage) *engine.Usage {
	var shape struct {
		Prompt     json.RawMessage `json:"prompt_tokens"`
		Completion json.RawMessage `json:"completion_tokens"`
	}
	if json.Unmarshal(raw, &shape) != nil {
		return nil
	}
	prompt, ok := wholeNumber(shape.Prompt)
	completion, also := wholeNumber(shape.Completion)
	if !ok && !also {
		return nil
	}
	return &engine.Usage{PromptTokens: prompt, CompletionTokens: completion}
}

// wholeNumber reads a number from 0 on, however it is written: 7, 7.0, "7".
func wholeNumber(raw json.RawMessage) (n int, ok bool) {
	var number json.Number // takes strings too
	if json.Unmarshal(raw, &number) != nil {
		return 0, false
	}
	f, err := number.Float64()
	if err != nil || f < 0 || f > math.MaxInt32 || f != math.Trunc(f) {
		return 0, false
	}
	return int(f), true
}
