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
	scan.CodeAfterAmbiguous: "an earlier request in the same reply has a value that can be read in two ways; correct that one and write both again",
	scan.CodeAmbiguousValue: "a value holds what looks like another field, so it is unclear where it ends; write the request again and close each value; a value that holds such marks goes into an ESCAPE pair with a tag that is not in it",
	scan.CodeUnclosedValue:  "the last value is never closed; write the request again and close every value",
	scan.CodeBadTag:         "the tag of an ESCAPE value may hold only the letters a to z, digits, '_' and '-', at most 32 of them",
	scan.CodeUnclosedBlock:  "the request has no end marker; write it again with its end marker",
	scan.CodeStrayCloser:    "the end of a value stands where no value is open, so it is unclear what the values are; write a value that holds such marks in an ESCAPE pair with a tag that is not in it",
	scan.CodeNoFields:       "the block holds no field; write each parameter as its name, a colon and its value between the marks for values",
	scan.CodeBadKey:         "a value stands without a name before it; write the name and a colon before each value",
	scan.CodeBareValue:      "a parameter is written without marks around its value; write each value between the marks for values",
}
