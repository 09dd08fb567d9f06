package server

import (
	"slices"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/tool"
)

// pageMessage is a message in the form for web pages.
type pageMessage struct {
	chat.Message
	// HTML is the message as Options.Renderer renders it.
	HTML string `json:"html,omitempty"`
}

// shown returns stored messages in the form for web pages. Their files have names but no data; a
// web page requests the data of a file separately.
func (s *Server) shown(list []chat.Message) []pageMessage {
	out := make([]pageMessage, len(list))
	for i := range list {
		m := pageMessage{Message: list[i]}
		m.Outcomes = slices.Clone(m.Outcomes)
		for k := range m.Outcomes {
			m.Outcomes[k].Files = withoutData(m.Outcomes[k].Files)
		}
		if s.o.Renderer != nil {
			m.HTML = string(s.o.Renderer.AppendMessage(nil, &list[i]))
		}
		out[i] = m
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
