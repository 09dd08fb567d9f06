package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/jsonerror"
)

// readJSON reads the body of a request: one JSON object without unknown members. A missing body is
// an empty object.
func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && kind != "application/json" {
		return &Error{http.StatusUnsupportedMediaType, CodeBadRequest, "the body must be JSON: set Content-Type to application/json"}
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, endErr := d.Token(); !errors.Is(endErr, io.EOF) {
			err = cmp.Or(endErr, errors.New("text follows the object"))
		}
	}
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case err == nil, errors.Is(err, io.EOF): // io.EOF means that there is no body
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the deadline was for the body
		return nil
	case errors.As(err, &tooLarge):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{http.StatusRequestTimeout, CodeBadRequest, fmt.Sprintf("the request did not arrive within %v", readTime)}
	}
	return badRequest("the body must be a JSON object with the members %s: %v", members(v), jsonerror.Explain(err))
}

// members returns the names of the JSON members of the struct that v points to.
func members(v any) string {
	var names []string
	for field := range reflect.TypeOf(v).Elem().Fields() {
		names = append(names, field.Tag.Get("json"))
	}
	return strings.Join(names, ", ")
}

// writeJSON writes v as a JSON response.
func writeJSON(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil { // such as for a time after the year 9999 from an application's Store
		status, data = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"the response cannot be encoded as JSON"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	writeBody(w, status, data)
}

// writeBody writes a response with a body. A client that does not read it within writeTime is
// disconnected.
func writeBody(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	c := http.NewResponseController(w)
	_ = c.SetWriteDeadline(time.Now().Add(writeTime)) // not every ResponseWriter has deadlines
	_, _ = w.Write(data)
	_ = c.Flush()
	_ = c.SetWriteDeadline(time.Time{}) // the connection may serve another request
}
