// Package eval measures how well tool calling works.
//
// Offline evaluation takes replies that models have written, each with the calls that it was meant
// to make, and compares these with the calls that the engine runs. No model is called. ReadCases
// reads the replies, and a Matrix counts the outcomes for several settings of the parser.
//
// Live evaluation gives a model the tasks of a Suite, each in a directory of its own with files and
// scripted tools. It checks the calls, their effects and the final answer.
package eval
