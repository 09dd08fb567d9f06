// Package demomodel is a substitute for a language model that needs no key, no download and no
// network. It is a small rule-based planner with an OpenAI-compatible server on a loopback port.
//
// The planner knows tools only from the definitions in the system prompt. The files token, value,
// arithmetic, date, range, question and zone read a question; method and fit compare it with a
// definition; plan and answer make a reply; conversation reads messages; api serves.
package demomodel
