// Package demomodel is a stand-in for a language model that needs no key, no download and no network: an OpenAI-compatible HTTP
// server on a loopback port, behind which sits a small rule-based planner. It says so of itself wherever it is named.
//
// The planner knows no tool. It reads the definitions in the system prompt that it is sent, matches the user's words with their
// names, descriptions and parameters, takes argument values out of the user's text by what each parameter is said to be, writes
// requests in the protocol that it was given, reads the results that come back, and answers from them.
//
// A question is read in this order: it is cut into parts (part.go), each part's values are found (value.go, arithmetic.go), each
// method is tried on it (plan.go) by its words (vocabulary.go) and its parameters (parameter.go, fit.go), and the reply is written
// (reply.go, answer.go).
package demomodel
