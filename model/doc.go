// Package model is engine.Model over any server that speaks the OpenAI chat completions API, streamed.
//
// A reply counts as complete only where the server named a finish reason. A stream can end in many other ways that look alike from
// afar (a cut connection, a proxy's error page, an empty answer), and whatever of that is not an error ends without a Finished
// delta. The same holds of native calls: they are handed on when the reply is complete.
package model
