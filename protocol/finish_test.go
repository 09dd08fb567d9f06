package protocol_test

import (
	"testing"

	"github.com/vcpgo/vcp/protocol"
)

func TestFinishReasonsMeanWhatServersSay(t *testing.T) {
	for _, tt := range []struct {
		word     string
		want     protocol.FinishReason
		complete bool
	}{
		{"stop", protocol.FinishStop, true},
		{"STOP", protocol.FinishStop, true},
		{"tool_calls", protocol.FinishStop, true},
		{"function_call", protocol.FinishStop, true},
		{"eos", protocol.FinishStop, true},
		{"eos_token", protocol.FinishStop, true},
		{"stop_sequence", protocol.FinishStop, true},
		{"end_turn", protocol.FinishStop, true},
		{"tool_use", protocol.FinishStop, true},
		{"COMPLETE", protocol.FinishStop, true},
		{"TOOL_CALL", protocol.FinishStop, true},
		{"length", protocol.FinishLength, false},
		{"MAX_TOKENS", protocol.FinishLength, false},
		{"max_length", protocol.FinishLength, false},
		{"model_length", protocol.FinishLength, false},
		{"", protocol.FinishUnknown, false},
		{"null", protocol.FinishUnknown, false},
		{"content_filter", "content_filter", false},
		{"abort", "abort", false},
		{"insufficient_system_resource", "insufficient_system_resource", false},
		{"refusal", "refusal", false},
		{"pause_turn", "pause_turn", false},
		{"model_context_window_exceeded", "model_context_window_exceeded", false},
		{"SAFETY", "SAFETY", false},
		{"error", "error", false},
		{"stop ", "stop ", false},
		{"not_stop", "not_stop", false},
		{"unheard of", "unheard of", false},
	} {
		if got := protocol.ParseFinishReason(tt.word); got != tt.want {
			t.Errorf("%q means %q, want %q", tt.word, got, tt.want)
		}
		if got := protocol.FinishReason(tt.word).Complete(); got != tt.complete {
			t.Errorf("a reply that ended with %q is complete: %t, want %t", tt.word, got, tt.complete)
		}
	}
}
