// Package eval measures how well tool calling works.
//
// Offline evaluation reads replies that models have written, each with the calls that it was meant
// to make, and says what the engine makes of them. No model is called: ReadCases reads the replies,
// and a Matrix judges them with several settings of the reader.
//
// Live evaluation gives a model the tasks of a Suite, each in a directory of its own with files and
// scripted tools. It checks the calls, their effects and the final answer.
package eval
