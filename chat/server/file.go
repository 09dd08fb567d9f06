package server

import (
	"mime"
	"net/http"
	"slices"

	"github.com/vcpgo/vcp/chat"
)

// file responds with a file that a tool returned. The headers make a browser save the file,
// whatever its type is, and not run anything in it.
func (s *Server) file(w http.ResponseWriter, r *http.Request, _ *User, rm *room) error {
	var numbers [3]int64
	for i, name := range []string{"seq", "result", "file"} {
		var err error
		if numbers[i], err = number(name, r.PathValue(name)); err != nil {
			return err
		}
	}
	seq, result, file := numbers[0], numbers[1], numbers[2]
	page, _, err := chat.ReadPage(r.Context(), s.o.Store, rm.id, seq, 1)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(page, func(m chat.Message) bool { return m.Seq == seq && m.Outcomes != nil })
	if i < 0 || result >= int64(len(page[i].Outcomes)) || file >= int64(len(page[i].Outcomes[result].Files)) {
		return &Error{http.StatusNotFound, CodeNotFound, "there is no such file"}
	}
	f := page[i].Outcomes[result].Files[file]
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	if kind, _, err := mime.ParseMediaType(f.MediaType); err == nil {
		h.Set("Content-Type", kind)
	}
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	writeBody(w, http.StatusOK, f.Data)
	return nil
}
