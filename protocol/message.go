package protocol

// Role is the speaker of a message.
type Role string

// The roles of a conversation, spelt as model servers spell them.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is one turn of a conversation as a model sees it.
type Message struct {
	Role    Role
	Content string
}

// FinishReason says why a model stopped writing.
type FinishReason string

const (
	// FinishUnknown is a reply that ended without saying why: a cut connection looks the same, so it is never complete.
	FinishUnknown FinishReason = ""
	// FinishStop is a reply that the model ended itself.
	FinishStop FinishReason = "stop"
	// FinishLength is a reply cut at the token limit.
	FinishLength FinishReason = "length"
)
