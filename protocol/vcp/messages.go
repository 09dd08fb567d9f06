package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// ErrorMessage tells a model how to correct a request with that error.
func (Protocol) ErrorMessage(code scan.ErrorCode) string {
	if m, ok := messages[code]; ok {
		return m
	}
	return "the request cannot be read; write it exactly as the instructions say"
}

var messages = map[scan.ErrorCode]string{
	scan.CodeLimitExceeded:  "the request passes a limit of size or number; write fewer or smaller requests",
	scan.CodeAfterAmbiguous: "an earlier request in the same reply has a value that can be read in two ways; mend that one and write both again",
	scan.CodeAmbiguousValue: "a value holds what looks like another field, so it is unclear where it ends; close each value, and write text that holds such marks between 「始ESCAPE:tag」 and 「末ESCAPE:tag」 with a tag that is not in the text",
	scan.CodeUnclosedValue:  "the last value is never closed; write the request again and close every value",
	scan.CodeBadTag:         "the tag of an ESCAPE value may hold only the letters a to z, digits, '_' and '-', at most 32 of them",
	scan.CodeUnclosedBlock:  "the request has no end marker; write it again with its end marker",
	scan.CodeStrayCloser:    "the end of a value stands where no value is open, so it is unclear what the values are; write text that holds such marks between 「始ESCAPE:tag」 and 「末ESCAPE:tag」",
	scan.CodeNoFields:       "the block holds no field; write each parameter as name:「始」value「末」",
	scan.CodeBadKey:         "a value stands without a name before it; write name:「始」value「末」",
	scan.CodeBareValue:      "a parameter is written without marks around its value; write name:「始」value「末」",
}
