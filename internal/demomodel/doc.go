// Package demomodel is a stand-in for a language model that needs no key, no download and no
// network: a small rule-based planner behind an OpenAI-compatible server on a loopback port.
//
// The planner knows tools only from the definitions in the system prompt. The files from the ground
// up: token, arithmetic, zone and value read a question; method and fit compare it with a
// definition; plan, retry and answer make a reply; conversation reads messages; api serves.
package demomodel
