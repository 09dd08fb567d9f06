// Package eval measures how well tool calling works.
//
// Offline evaluation calls no model. ReadCases reads replies that models have written, each with
// the calls that it was meant to make. A Matrix parses the replies, each with several settings of
// the parser, and counts how often the calls are those that were meant.
//
// Live evaluation gives a model the tasks of a Suite, each in a directory of its own with files and
// scripted tools. It checks the calls, their effects and the final answer.
package eval
