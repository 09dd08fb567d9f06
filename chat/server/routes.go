package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
)

// New returns a Server, which the caller closes with Close. The error names the option that is
// wrong.
func New(o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.Limits = o.Limits.orDefault(defaultLimits)
	o.Logger = cmp.Or(o.Logger, slog.Default())
	s := &Server{o: o, rooms: map[string]*room{}}
	s.closing, s.close = context.WithCancel(context.Background())
	mux := http.NewServeMux()
	for pattern, h := range map[string]handler{
		"GET /conversations":                                  s.list,
		"POST /conversations":                                 s.create,
		"GET /conversations/{id}":                             s.inRoom(s.show),
		"DELETE /conversations/{id}":                          s.inRoom(s.remove),
		"GET /conversations/{id}/events":                      s.inRoom(s.stream),
		"POST /conversations/{id}/messages":                   inRoomWith(s, s.send),
		"POST /conversations/{id}/continue":                   inRoomWith(s, s.proceed),
		"POST /conversations/{id}/decisions":                  inRoomWith(s, s.decide),
		"POST /conversations/{id}/stop":                       s.inRoom(s.stop),
		"GET /conversations/{id}/branches":                    s.inRoom(s.branches),
		"POST /conversations/{id}/branches":                   inRoomWith(s, s.branch),
		"GET /conversations/{id}/files/{seq}/{result}/{file}": s.inRoom(s.file),
	} {
		mux.Handle(pattern, s.handle(h))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, &Error{http.StatusNotFound, CodeNotFound, "no route has this path and method"})
	})
	protection := http.NewCrossOriginProtection()
	for _, origin := range o.TrustedOrigins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, errors.Join(errors.New("server: TrustedOrigins: "+origin+" is not an origin"), err)
		}
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, &Error{http.StatusForbidden, CodeCrossOrigin, "requests of pages of other origins are refused"})
	}))
	s.handler = protection.Handler(mux)
	return s, nil
}

// handler answers a request of a user.
type handler func(w http.ResponseWriter, r *http.Request, u *User) error

// handle returns an http.Handler that determines the user, limits the body of the request, and
// calls h.
func (s *Server) handle(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, err := s.o.User(r)
		if own := (*Error)(nil); err != nil && !errors.As(err, &own) {
			s.o.Logger.InfoContext(r.Context(), "request refused", "path", r.URL.Path, "error", err)
			err = &Error{http.StatusUnauthorized, CodeUnauthenticated, "it is not known who you are; log in"}
		}
		if err == nil && u.ID == "" {
			err = errors.New("server: Options.User returned a user without an ID")
		}
		if err == nil {
			u.Limits = u.Limits.orDefault(s.o.Limits)
			r.Body = http.MaxBytesReader(w, r.Body, u.Limits.BodyBytes)
			err = h(w, r, &u)
		}
		if err != nil {
			s.refuse(w, r, err)
		}
	})
}

// refuse responds with an error.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := errorOf(err)
	if e.Status >= http.StatusInternalServerError {
		s.o.Logger.WarnContext(r.Context(), "request failed", "path", r.URL.Path, "code", e.Code, "error", err)
	}
	writeJSON(w, e.Status, map[string]*Error{"error": e})
}
