package protocol

import "strings"

// FinishReason says why a model stopped writing: one of the constants, or a word that a model
// server uses.
type FinishReason string

const (
	// FinishUnknown is a reply that ended without a reason. A lost connection looks the same, so
	// such a reply is never complete.
	FinishUnknown FinishReason = ""
	// FinishStop is a reply that the model ended itself. It is complete.
	FinishStop FinishReason = "stop"
	// FinishLength is a reply that was truncated at the token limit.
	FinishLength FinishReason = "length"
)

// finishWords are the words of model servers, in lower case. Any other word, such as
// content_filter, abort, refusal, pause_turn or error, says that a reply ended, not that it is
// complete.
var finishWords = map[string]FinishReason{
	// The OpenAI API, and vLLM, SGLang, llama.cpp, Ollama, DeepSeek and Mistral, which follow it.
	"stop":          FinishStop,
	"tool_calls":    FinishStop,
	"function_call": FinishStop,
	"length":        FinishLength,
	// Text Generation Inference of Hugging Face, and Together.
	"eos_token":     FinishStop,
	"eos":           FinishStop,
	"stop_sequence": FinishStop,
	// The Anthropic API, also on Bedrock.
	"end_turn": FinishStop,
	"tool_use": FinishStop,
	// The Cohere API.
	"complete":  FinishStop,
	"tool_call": FinishStop,
	// The Anthropic and Gemini APIs, and gateways to them; Mistral; servers built on transformers.
	"max_tokens":   FinishLength,
	"model_length": FinishLength,
	"max_length":   FinishLength,
}

// ParseFinishReason returns what the word of a model server means: FinishStop or FinishLength,
// whatever the case of its letters, or FinishUnknown for "" and "null". Any other word is returned
// as it is.
func ParseFinishReason(word string) FinishReason {
	if word == "null" {
		return FinishUnknown
	}
	if reason, ok := finishWords[strings.ToLower(word)]; ok {
		return reason
	}
	return FinishReason(word)
}

// Complete reports whether the reason means that the model wrote all that it intended. Only the
// requests of a complete reply may run.
func (r FinishReason) Complete() bool { return ParseFinishReason(string(r)) == FinishStop }
