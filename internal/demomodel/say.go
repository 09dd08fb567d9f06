package demomodel

import "github.com/vcpgo/vcp/internal/chinese"

// A sayer writes a sentence in the language of the question.
type sayer func(format string, values ...any) string

func newSayer(question string) sayer {
	language := "en"
	if hasHan(question) {
		language = "zh"
	}
	return chinese.DemoModel.Printer(language).Say
}

// introduce says what the planner is, then text, and then how to use a real model.
func (say sayer) introduce(text string) string {
	return say("I am vcp-demo-planner, a small rule-based planner, not a language model. ") + text +
		say("For other answers, point vcp at a real model: `vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME`.")
}
