package hermes

import "github.com/vcpgo/vcp/protocol/scan"

// ErrorMessage tells a model how to correct a request with that error.
func (Protocol) ErrorMessage(code scan.ErrorCode) string {
	if m, ok := messages[code]; ok {
		return m
	}
	return "the call cannot be read; write it exactly as the instructions say"
}

var messages = map[scan.ErrorCode]string{
	scan.CodeLimitExceeded:   "the call passes a limit of size, number or depth; write fewer or smaller calls",
	scan.CodeAfterAmbiguous:  "an earlier call in the same reply is no valid JSON object, so it is unclear where that call ends; correct that one and write both again",
	scan.CodeAmbiguousValue:  `the call is no valid JSON object; write it again as {"name": …, "arguments": {…}}, with every brace closed, strings in double quotes, and \" for a quotation mark, \\ for a backslash and \n for a line break inside of a string`,
	scan.CodeUnclosedValue:   "the last value is never closed; write the call again, with its closing quotation mark, its braces and its end tag",
	scan.CodeUnclosedBlock:   "the call is not closed; write it again, with all its braces and its end tag",
	scan.CodeStrayCloser:     `an end tag stands after the call, though no call is open, so it is unclear where the call ends; write \" for a quotation mark inside of a string`,
	scan.CodeBadKey:          `a call holds "name" and "arguments" and nothing else, and no name of an argument is empty; write each argument inside of "arguments"`,
	scan.CodeBareValue:       `"arguments" is no JSON object; write "arguments": {"name": value}`,
	scan.CodeDuplicateKey:    "a key stands twice in the call; write it once",
	scan.CodeMissingToolName: `the call does not say which tool it is for; write "name": "name of the tool"`,
}
