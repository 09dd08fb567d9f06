package workload

import (
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// HermesOrdinary returns the inputs that Ordinary returns, with calls as JSON between tags.
func HermesOrdinary() []Input {
	return append(replies(hermesCall),
		Input{Name: "W5", About: "1 MB of openers never closed", Text: repeat("<tool_call> 啊 ", mb)},
		Input{Name: "W6", About: "200 KB of objects never closed", Text: hermesBegun + repeat(`"a": {`, 200*kb)},
		Input{Name: "W7", About: "1 MB of <tool", Text: "字" + repeat("<tool", mb)},
	)
}

// HermesHostile returns inputs that could make a slow parser of JSON between tags freeze: HJ1 to
// HJ17, each of about the given size in bytes.
func HermesHostile(size int) []Input {
	value := hermesBegun + `"x": `
	hex := strings.Repeat("0123456789abcdef", size/16)
	const small = "<tool_call>\n{\"name\": \"a_b\", \"arguments\": {\"n\": \"数数数数数数数\"}}\n</tool_call>\n"
	return []Input{
		{Name: "HJ1", About: "one call with a hex value", Text: hermesCall("files_write", "content", "啊"+hex)},
		{Name: "HJ2", About: "small valid calls", Text: repeat(small, size)},
		{Name: "HJ3", About: "`<tool_call>` repeated", Text: repeat("<tool_call>", size)},
		{Name: "HJ4", About: "openers and blanks", Text: repeat("<tool_call>"+strings.Repeat(" ", 500), size)},
		{Name: "HJ5", About: "brackets never closed", Text: value + repeat("[", size)},
		{Name: "HJ6", About: "objects never closed", Text: value + repeat(`{"a":`, size)},
		{Name: "HJ7", About: "a string never closed", Text: value + `"` + repeat("x", size)},
		{Name: "HJ8", About: "a string of backslashes", Text: value + `"` + repeat(`\\`, size)},
		{Name: "HJ9", About: "a string of tags", Text: value + `"` + repeat("</tool_call><tool_call>{", size)},
		{Name: "HJ10", About: "a key never closed", Text: hermesBegun + `"` + repeat("k", size)},
		{Name: "HJ11", About: "a number that never ends", Text: value + repeat("1", size)},
		{Name: "HJ12", About: "blanks before a value", Text: hermesBegun + `"x":` + repeat(" ", size)},
		{
			Name: "HJ13", About: "a list with commas and blanks",
			Text: value + "[1" + repeat(","+strings.Repeat(" ", 100)+"1", size),
		},
		{Name: "HJ14", About: "tags after broken JSON", Text: value + "x" + repeat("<tool_call>{ ", size)},
		{Name: "HJ15", About: "raw line breaks in a string", Text: value + `"` + repeat("\n", size)},
		{Name: "HJ16", About: "calls without tags", Text: repeat(`{"name": "a", "arguments": `, size)},
		{Name: "HJ17", About: "openers and long names", Text: repeat("<tool_call>"+strings.Repeat("k", 64)+" ", size)},
	}
}

// hermesBegun is the beginning of a call, up to the brace that opens its arguments.
const hermesBegun = `<tool_call>{"name": "a_b", "arguments": {`

func hermesCall(tool, key, value string) string {
	return "好的。\n<tool_call>\n{\"name\": \"" + tool + "\", \"arguments\": {\"path\": \"a.txt\", \"" + key + "\": " +
		string(orderedjson.String(value)) + "}}\n</tool_call>\n完成。\n"
}
