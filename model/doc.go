// Package model implements engine.Model for any server that speaks the OpenAI chat completions API,
// streamed.
//
// A reply counts as complete only if the server names a finish reason. A stream can end in many
// other ways: a lost connection, an error page of a proxy, an empty response. If such an end is not
// an error, the reply ends without a Finished delta. Native calls, too, are delivered only when the
// reply is complete.
package model
