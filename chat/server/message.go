package server

import (
	"slices"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/tool"
)

// pageMessage is a message in the form for pages.
type pageMessage struct {
	chat.Message
	// HTML is the message as Options.Renderer renders it.
	HTML string `json:"html,omitempty"`
}

// shown returns a stored message in the form for pages. Its files have names but no data; a page
// requests the data of a file separately.
func (s *Server) shown(m *chat.Message) pageMessage {
	out := pageMessage{Message: *m}
	out.Outcomes = slices.Clone(m.Outcomes)
	for i := range out.Outcomes {
		out.Outcomes[i].Files = withoutData(out.Outcomes[i].Files)
	}
	if s.o.Renderer != nil {
		out.HTML = string(s.o.Renderer.AppendMessage(nil, m))
	}
	return out
}

// withoutData returns files without their contents.
func withoutData(files []tool.File) []tool.File {
	list := make([]tool.File, len(files))
	for i := range files {
		list[i] = tool.File{Name: files[i].Name, MediaType: files[i].MediaType}
	}
	return list
}
