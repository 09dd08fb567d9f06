package reference_test

import "math/rand/v2"

var hermesKinds = []kind{
	{"tokens", drawHermesTokens},
	{"lines", drawHermesLines},
	{"damaged", drawHermesDamaged},
	{"bare", drawHermesBare},
	{"brackets", drawHermesBrackets},
}

var (
	callStarts = []string{"<tool_call>", "<tool_call>", "<tool_call>", "<tool_call>", "<TOOL_CALL>", "<tool-call>", "< tool_call >", "<toolcall>"}
	callEnds   = []string{"</tool_call>", "</tool_call>", "</tool_call>", "</tool_call>", "</Tool_Call>", "</ tool_call>", "</tool call>"}
	callOthers = []string{"<tool_response>", "</tool_response>", "<tools>", "</tools>", "<function=a>", "</function>", "<tool_calls>", "</tool_"}
	jsonPieces = []string{
		"{", "}", "[", "]", ",", ":", `"`, `"`, "'", `\`, `"name":`, `"name":"a_b"`, `"name": "c_d",`, `"arguments":`, `"arguments":{`,
		`"arguments":{"x":1}`, `"x":`, `"y":"b"`, "1", "0", "12", "-", ".5", "true", "True", "null", "None", "nul",
		`"id":7,`, `"s\u00e9"`, `\d`, `\n`,
		`{"name":"a_b","arguments":{"x":"v"}}`, `{"name":"a_b"}`, `"type":"function"`, `"type": "`, `"function":{`, `\'`,
		`"parameters":{`, "a_b", "a_b(", ", ", " ", "//",
	}
)

// drawHermesTokens draws tags, pieces of JSON, fences, reasoning tags and blanks in any order.
func drawHermesTokens(r *rand.Rand) []string {
	var pieces []string
	for range 2 + r.IntN(16) {
		switch n := r.IntN(100); {
		case n < 14:
			pieces = append(pieces, pick(r, callStarts))
		case n < 24:
			pieces = append(pieces, pick(r, callEnds))
		case n < 28:
			pieces = append(pieces, pick(r, callOthers))
		case n < 72:
			pieces = append(pieces, pick(r, jsonPieces))
		case n < 77:
			pieces = append(pieces, "\n"+pick(r, fences)+"\n")
		case n < 81:
			pieces = append(pieces, pick(r, tags))
		case n < 93:
			pieces = append(pieces, pick(r, breaks))
		default:
			pieces = append(pieces, pick(r, words))
		}
	}
	return pieces
}

var bareCalls = []string{
	`{"name": "a_b", "arguments": {"x": "v"}}`,
	`{"name": "a_b", "arguments": {}}`,
	`{"arguments": {"x": [1, {"y": 2}]}, "name": "c_d"}`,
	"{\n  \"name\": \"a_b\",\n  \"arguments\": {\n    \"x\": \"</think> ` <tool_call>\"\n  }\n}",
	`{"name": "", "arguments": {"x": 1, "x": 2}}`,
}

// drawHermesBare draws replies that contain calls without tags, and little else.
func drawHermesBare(r *rand.Rand) []string {
	var pieces []string
	if r.IntN(4) == 0 {
		pieces = append(pieces, pick(r, []string{"\ufeff", "\n", "  ", "\r\n\t", "ok ", "<think>x</think>\n", "> ", "    "}))
	}
	fence := pick(r, []string{"", "", "", "```", "```json", "~~~"})
	if fence != "" {
		pieces = append(pieces, fence, "\n")
	}
	for range 1 + r.IntN(3) {
		if r.IntN(3) > 0 {
			pieces = append(pieces, pick(r, bareCalls))
		} else {
			pieces = append(pieces, "{")
			for range 1 + r.IntN(4) {
				pieces = append(pieces, pick(r, jsonPieces))
			}
			pieces = append(pieces, "}")
		}
		pieces = append(pieces, pick(r, []string{"\n", "\n", "", " ", ","}))
	}
	if fence != "" && r.IntN(5) > 0 {
		pieces = append(pieces, fence[:3], "\n")
	}
	if r.IntN(8) == 0 {
		pieces = append(pieces, pick(r, []string{"done", "</tool_call>", "<", "</tool_", "\n\n"}))
	}
	if r.IntN(3) > 0 {
		return pieces
	}
	return damage(r, pieces)
}

// drawHermesBrackets draws calls with a bracket too many or too few.
func drawHermesBrackets(r *rand.Rand) []string {
	values := []string{
		"1", `"v"`, "{}", "[]", `{"k": 1}`, `{"k": 1, "l": 2}`, `[{"k": 1, "l": 2}]`, `{"k": {"l": []}}`, `{"k": [1, 2]}`,
		`"},{"`, "null", "True",
	}
	heads := []string{`"name": "a_b"`, `"name": "a_b"`, `"id": 7, "name": "a_b"`, `"type": "function"`}
	tails := []string{"", "}", "}}", "}}", "}}}", "} }", "}\n}\n", "]", "},"}
	var pieces []string
	for range 1 + r.IntN(2) {
		pieces = append(pieces, pick(r, callStarts), "\n", "{", pick(r, heads), `, "arguments": {`)
		for i := range r.IntN(4) {
			if i > 0 {
				pieces = append(pieces, ", ")
			}
			pieces = append(pieces, pick(r, []string{"\"x\"", "\"y\"", "\"id\"", "\"Name\"", "\"z\""}), ": ", pick(r, values))
		}
		pieces = append(pieces, "}")
		if r.IntN(6) == 0 {
			pieces = append(pieces, ", \"id\": 7")
		}
		pieces = append(pieces, pick(r, tails), pick(r, []string{"\n", "", " "}), pick(r, callEnds), "\n")
	}
	if r.IntN(3) > 0 {
		return pieces
	}
	return damage(r, pieces)
}

// drawHermesLines draws whole lines.
func drawHermesLines(r *rand.Rand) []string {
	var pieces []string
	for range 3 + r.IntN(12) {
		prefix := ""
		if r.IntN(4) == 0 {
			prefix = pick(r, prefixes)
		}
		var body string
		switch n := r.IntN(100); {
		case n < 18:
			body = pick(r, callStarts)
		case n < 33:
			body = pick(r, callEnds)
		case n < 37:
			body = pick(r, callOthers)
		case n < 55:
			body = pick(r, []string{
				`{"name":"a_b","arguments":{"x":"v"}}`, `{"name": "c_d"}`, `{"type":"function","function":{"name":"a_b"}}`,
				`{"function": {`, `{"name":"a_b",`, `"arguments":{"x":1}}`, `[{"name":"a_b"},{"name":"c_d"}]`,
			})
		case n < 62:
			body = pick(r, callStarts) + "{\"name\":\"a_b\"}" + pick(r, callEnds)
		case n < 76:
			body = pick(r, fences)
		case n < 82:
			body = pick(r, tags)
		default:
			body = pick(r, []string{"好的。", "Let me look.", "", "`<tool_call>`", "a ` b", "# Title", "x </tool_call> y", "\"x\": 1,", "and"})
		}
		pieces = append(pieces, prefix, body, "\n")
	}
	return pieces
}

// drawHermesDamaged draws a well-formed reply and damages it.
func drawHermesDamaged(r *rand.Rand) []string {
	var pieces []string
	for range 1 + r.IntN(3) {
		if r.IntN(3) == 0 {
			pieces = append(pieces, "Let me look.", "\n")
		}
		fence := ""
		switch r.IntN(8) {
		case 0:
			fence = pick(r, []string{"```", "~~~", "```hermes"})
			pieces = append(pieces, fence, "\n")
		case 1:
			pieces = append(pieces, "<think>", "plan", "</think>", "\n")
		}
		pieces = append(pieces, "<tool_call>", "\n", "{", "\"name\"", ":", "\"a_b\"", ",", "\"arguments\"", ":", "{")
		for i := range r.IntN(3) {
			if i > 0 {
				pieces = append(pieces, ",")
			}
			value := pick(r, []string{"1", `"v"`, `[1,{"a":2}]`, `"a\"b"`, "True", "\"line\nline\""})
			pieces = append(pieces, pick(r, []string{`"x"`, `"y"`, `"path"`}), ":", value)
		}
		pieces = append(pieces, "}", "}", "\n", "</tool_call>", "\n")
		if fence != "" {
			pieces = append(pieces, fence[:3], "\n")
		}
	}
	return damage(r, pieces)
}
