package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/chat/server"
	"github.com/vcpgo/vcp/model"
)

// serve serves the page until the context ends.
func serve(ctx context.Context, address string, models model.Options, table string) error {
	a, err := newAnalyst(models, table)
	if err != nil {
		return err
	}
	defer a.close()
	handler, chats, err := a.handler()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("Open http://%s in a browser.\n", listener.Addr())
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err = <-ended:
		return errors.Join(err, chats.Close(context.Background()))
	case <-ctx.Done():
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	down := make(chan error, 1)
	go func() { down <- web.Shutdown(ctx) }()
	return errors.Join(chats.Close(ctx), <-down) // Close ends the streams that Shutdown waits for
}

//go:embed page.html page.js page.css
var files embed.FS

// handler returns a handler for the page and its conversations. The caller must close the server.
func (a *analyst) handler() (http.Handler, *server.Server, error) {
	renderer, err := markdown.New(markdown.Options{Protocols: protocols})
	if err != nil {
		return nil, nil, err
	}
	chats, err := server.New(server.Options{
		Engine: a.engine, Store: chat.NewMemoryStore(), User: user, Renderer: renderer, System: a.system,
	})
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", http.StripPrefix("/api", chats))
	for path, name := range map[string]string{"/{$}": "page.html", "/page.js": "page.js", "/page.css": "page.css"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			markdown.Security(w.Header())
			http.ServeFileFS(w, r, files, name)
		})
	}
	return mux, chats, nil
}

// user accepts a request only if its host is this machine. A page of another site may have a domain
// name that resolves to this machine (DNS rebinding), but its requests name that domain as the
// host.
func user(r *http.Request) (server.User, error) {
	if host := (&url.URL{Host: r.Host}).Hostname(); host != "localhost" && !net.ParseIP(host).IsLoopback() {
		message := fmt.Sprintf("the host must be localhost or a loopback address (got %q)", host)
		return server.User{}, &server.Error{Status: http.StatusForbidden, Code: "foreign_host", Message: message}
	}
	return server.User{ID: "analyst"}, nil
}
