// Package server serves conversations over HTTP. A Server is a handler that an application mounts.
// It sends a user's text to the model, streams the events of the turn to every open page, stops the
// turn, and takes decisions about calls. It shows, lists and branches conversations of a
// chat.Store. docs/server.md describes the routes and their JSON.
//
// A turn does not belong to the request that began it. It continues when its page is closed, and
// each page that watches the conversation gets its events. A page that reconnects names the last
// event that it has seen and misses nothing.
//
// The application says who the user is, with Options.User. A conversation belongs to the user who
// created it, and does not exist for anyone else. Requests of other sites are refused, except those
// of Options.TrustedOrigins. The application must add encryption, authentication, and the limits of
// http.Server.
package server
