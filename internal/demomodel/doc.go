// Package demomodel is a stand-in for a language model that needs no key, no download and no
// network: a small rule-based planner behind an OpenAI-compatible server on a loopback port.
//
// The planner knows no tool. It reads the definitions in the system prompt, matches the words of
// the question with them, takes arguments from the question, writes requests in the protocol that
// it was given, and answers from their results. The files from the ground up: token, arithmetic,
// zone and value read a question; method and fit compare it with a definition; plan, retry and
// answer make a reply; planner reads the conversation; api is the way in.
package demomodel
