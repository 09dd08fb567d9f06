package engine

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// request returns the messages for the next ModelRequest. The system message ends with the prompt
// and, after it, settings.replies. The note, unless it is "", ends the messages of this request
// only.
func (c *runConversation) request(prompt, replies, note string) []protocol.Message {
	if prompt != c.prompt {
		c.unshare()
		c.prompt, c.shown[0].Content = prompt, joinParagraphs(c.system, withReplies(prompt, replies))
	}
	c.fit()
	c.sent = true
	shown := c.shown
	if note != "" {
		shown = withNote(shown, note)
	}
	if shown[0].Content == "" && len(shown[0].Images) == 0 {
		shown = shown[1:]
	}
	return slices.Clip(shown)
}

// withReplies returns a prompt that ends with settings.replies. A prompt without tools stays "".
func withReplies(prompt, replies string) string {
	if prompt == "" {
		return ""
	}
	return joinLines(prompt, replies)
}

// withNote returns messages with a note at the end: in the last message or, if that is a reply, in
// a message of its own.
func withNote(shown []protocol.Message, note string) []protocol.Message {
	shown = slices.Clone(shown)
	last := &shown[len(shown)-1]
	if last.Role == protocol.RoleAssistant {
		return append(shown, protocol.Message{Role: protocol.RoleUser, Content: note})
	}
	last.Content = joinParagraphs(last.Content, note)
	return shown
}
