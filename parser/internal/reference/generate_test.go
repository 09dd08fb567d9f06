package reference_test

import (
	"math/rand/v2"
	"strings"
)

// A kind is a way to generate the pieces of an input. If an input fails, shrink removes pieces.
type kind struct {
	name string
	draw func(*rand.Rand) []string
}

var vcpKinds = []kind{{"tokens", drawTokens}, {"lines", drawLines}, {"damaged", drawDamaged}, {"unmarked", drawUnmarked}}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

var (
	startMarkers = []string{
		"<<<[TOOL_REQUEST]>>>", "<<<[TOOL_REQUEST]>>>", "<<<[TOOL_REQUEST]>>>", "<<<[TOOL_REQUEST]>>>", "<<<[tool_request]>>>",
		"<<[TOOL_REQUEST]>>", "<<<[TOOL REQUEST]>>>", "＜＜＜[TOOL_REQUEST]＞＞＞", "<<<TOOL_REQUEST>>>",
	}
	endMarkers = []string{
		"<<<[END_TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>",
		"<<<[/TOOL_REQUEST]>>>", "<<<[end_tool_request]>>>", "<<[END TOOL_REQUEST]>>", "《《END_TOOL_REQUEST》》",
	}
	otherMarkers = []string{
		"<<<[TOOL_RESULT]>>>", "<<<[END_TOOL_RESULT]>>>", "<<<[TOOL_DEFINITION]>>>", "<<<[END_TOOL_DEFINITION]>>>",
		"<<<[TOOL_REQUEST_ESCAPE]>>>", "<<<[END_TOOL_REQUEST_ESCAPE]>>>", "&lt;&lt;[TOOL_REQUEST]&gt;&gt;", "&lt;&lt;[END_TOOL_REQUEST]&gt;&gt;",
		"<<<[TOOL_REQUESTS]>>>", "<<", ">>>",
	}
	keys = []string{
		"tool_name", "tool_name", "tool_name", "path", "path", "command", "command1", "command2", "path1", "路径", "toolName",
		"request_id", "x", "**path**", `"path"`, "'path'", "“path”", "`path`", "**path", `"path`, `tool\_name`,
	}
	separators = []string{":", ":", ":", ":", ": ", "：", "=", "", ":\n", `: "`, `:"`, "： “", ": ”", "= '", ":** ", ":**", `"`}
	openers    = []string{
		"「始」", "「始」", "「始」", "「始」", "「始ESCAPE」", "「始ESCAPE:t」", "「始exp」", "{始}", "『始』", "「 始 」", "「始ESCAPE:网」",
	}
	closers = []string{
		"「末」", "「末」", "「末」", "「末」", "「末ESCAPE」", "「末ESCAPE:t」", "「末exp」", "{末}", "『末』", "「 末 」", "「末ESCAPE:网」", "「末", "「末escape」",
	}
	words = []string{
		"a_b", "src", "see ", "北京", "好的，", "done.", ",", "，", " ", " ", "-", "- ", "# ", "// ", "> ", "**", "`", "`", "``", "\"", "'", "{", "}",
		"key: v", "dry_run: true", "Note: x", "1. ", "{\"tool_name\":\"x\"}", "<b>", "</b>", "\\", "\u200b", "　", ";", "末", "完",
	}
	breaks = []string{"\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r"}
	fences = []string{"```", "```", "~~~", "````", "```vcp", "```json", "~~~tool_request", "   ```", "    ```", "> ```", "- ```", "``` x", "1. ```"}
	tags   = []string{"<think>", "</think>", "<think>", "</think>", "<reasoning>", "</reasoning>", "<Thinking>", "</thinking >", "<think a=\"b\">"}
)

// drawTokens draws pieces of markers, keys, values, fences, tags, blanks and prose in any order.
func drawTokens(r *rand.Rand) []string {
	var pieces []string
	for range 2 + r.IntN(16) {
		switch n := r.IntN(100); {
		case n < 15:
			pieces = append(pieces, pick(r, startMarkers))
		case n < 25:
			pieces = append(pieces, pick(r, endMarkers))
		case n < 30:
			pieces = append(pieces, pick(r, otherMarkers))
		case n < 45:
			pieces = append(pieces, pick(r, keys)+pick(r, separators)+pick(r, openers))
		case n < 55:
			pieces = append(pieces, pick(r, closers))
		case n < 60:
			pieces = append(pieces, pick(r, openers))
		case n < 65:
			pieces = append(pieces, "\n"+pick(r, fences)+"\n")
		case n < 70:
			pieces = append(pieces, pick(r, tags))
		case n < 82:
			pieces = append(pieces, pick(r, breaks))
		default:
			pieces = append(pieces, pick(r, words))
		}
	}
	return pieces
}

var (
	prefixes = []string{"", "", "", "", "> ", ">", "- ", "  ", "    ", "1. ", "   ", "> > ", "* ", "\t", "2. "}
	lineBody = []string{
		"好的，我来看一下。", "Let me look.", "", "", "and so on", "注意：请写 `「始」` 和 `「末」`。", "17 > 4", "# Title", "---", "Use `code` here.", "a ` b",
		"dry_run: true", "limit=10", "Note: x", "{\"tool_name\": \"x\"}", "<invoke name=\"x\">", "</invoke>", "see 「始」x「末」", "a「末」", "b「始」",
		"**bold**", "`<<<[TOOL_REQUEST]>>>`", "`<<<[TOOL_REQUEST]>>> tool_name:「始」x「末」 <<<[END_TOOL_REQUEST]>>>`", "`", "「末ESCAPE」",
		"only_matching:", "，", "status:「始」success「末」",
	}
)

// drawLines draws whole lines: fences, quotes, list items, markers, fields, tags and prose.
func drawLines(r *rand.Rand) []string {
	var pieces []string
	brk := pick(r, []string{"\n", "\n", "\n", "\r\n"})
	for range 3 + r.IntN(14) {
		prefix := ""
		if r.IntN(3) == 0 {
			prefix = pick(r, prefixes)
		}
		var body string
		switch n := r.IntN(100); {
		case n < 17:
			body = pick(r, startMarkers)
		case n < 32:
			body = pick(r, endMarkers)
		case n < 37:
			body = pick(r, otherMarkers)
		case n < 57:
			body = pick(r, keys) + pick(r, separators) + pick(r, openers) + pick(r, words)
			if r.IntN(6) > 0 {
				body += pick(r, closers)
			}
			if r.IntN(4) == 0 {
				body += ","
			}
		case n < 70:
			body = pick(r, fences)
		case n < 77:
			body = pick(r, tags)
		default:
			body = pick(r, lineBody)
		}
		pieces = append(pieces, prefix, body, brk)
	}
	return pieces
}

// drawDamaged draws a well-formed reply and damages it.
func drawDamaged(r *rand.Rand) []string {
	var pieces []string
	for range 1 + r.IntN(3) {
		if r.IntN(2) == 0 {
			pieces = append(pieces, pick(r, lineBody), "\n")
		}
		fence := ""
		switch r.IntN(8) {
		case 0:
			fence = pick(r, []string{"```", "~~~", "```vcp"})
			pieces = append(pieces, fence, "\n")
		case 1:
			pieces = append(pieces, "<think>", "\n", "plan", "\n")
			if r.IntN(2) == 0 {
				pieces = append(pieces, "</think>", "\n")
			}
		case 2:
			pieces = append(pieces, pick(r, prefixes))
		}
		pieces = append(pieces, "<<<[TOOL_REQUEST]>>>", "\n", "tool_name", ":", "「始」", "a_b", "「末」", ",", "\n")
		for range r.IntN(4) {
			n := r.IntN(3)
			pieces = append(pieces, pick(r, keys), ":", []string{"「始」", "「始ESCAPE」", "「始ESCAPE:t」"}[n], pick(r, words))
			if r.IntN(3) == 0 {
				pieces = append(pieces, "\n", pick(r, lineBody))
			}
			pieces = append(pieces, []string{"「末」", "「末ESCAPE」", "「末ESCAPE:t」"}[n], "\n")
		}
		pieces = append(pieces, "<<<[END_TOOL_REQUEST]>>>", "\n")
		if fence != "" {
			pieces = append(pieces, fence[:3], "\n")
		}
	}
	if r.IntN(6) == 0 {
		pieces = append(pieces, "<<<[TOOL_RESULT]>>>", "\n", "result", ":", "「始」", "x", "「末」", "\n", "<<<[END_TOOL_RESULT]>>>", "\n")
	}
	return damage(r, pieces)
}

var (
	objectPieces = []string{
		`"tool_name"`, `"name"`, `"arguments"`, `"path"`, `"command1"`, `"command2"`, `"path1"`, `"request_id"`, `"a_b"`, `"x"`, `""`,
		`"\ud83d\ude00"`, `"\ud83d"`, "\"`\"", `"</think>"`, `"「末」"`, "1", "true", "null", "{}", `[1, {"k": 2}]`, `{"k": 1, "k": 2}`,
		`"路径"`, `"a b"`,
	}
	objects = []string{
		`{"tool_name": "a_b"}`,
		`{"tool_name": "a_b", "path": "src"}`,
		`{"name": "a_b", "arguments": {"n": 1}}`,
		`{"name": "a_b", "arguments": {}, "tool_name": "x"}`,
		"{\n  \"tool_name\": \"a_b\",\n  \"list\": [1, 2]\n}",
		`{"tool_name": "a_b", "command1": "c", "command2": "d", "x2": null}`,
	}
	plainLines = []string{
		"tool_name: a_b", "path: src", "n: 1", "command: c", "command1: c", "command2: d", "list: [1, 2]", "x: y,", `x: "y"`, "x: |",
		"x:", "Note: z", "路径: p", "path：src", "request_id: 7", "path = src", "- x: y", "`x`: y", "x: 「末", "x: </think>", "tool_name: c_d", "x: 完",
	}
)

// drawUnmarked draws requests whose values have no marks around them.
func drawUnmarked(r *rand.Rand) []string {
	var pieces []string
	for range 1 + r.IntN(3) {
		if r.IntN(3) == 0 {
			pieces = append(pieces, pick(r, lineBody), "\n")
		}
		outer := ""
		switch r.IntN(8) {
		case 0:
			outer = pick(r, []string{"```", "~~~", "```vcp"})
			pieces = append(pieces, outer, "\n")
		case 1:
			pieces = append(pieces, "<think>", "\n")
		case 2:
			pieces = append(pieces, pick(r, prefixes))
		case 3:
			pieces = append(pieces, pick(r, []string{"`", "``", "a ", "「始」"}))
		}
		pieces = append(pieces, pick(r, startMarkers))
		if r.IntN(4) > 0 {
			pieces = append(pieces, pick(r, []string{"\n", "\n", " ", "\n\n", "\u3000", "\r\n"}))
		}
		fence := pick(r, []string{"", "", "", "```", "```json", "~~~~", "``` a b"})
		if fence != "" {
			pieces = append(pieces, fence, "\n")
		}
		switch n := r.IntN(10); {
		case n < 3:
			pieces = append(pieces, pick(r, objects))
		case n < 6:
			pieces = append(pieces, "{", pick(r, []string{"\"tool_name\"", "\"name\""}), ":", pick(r, objectPieces))
			for range r.IntN(4) {
				pieces = append(pieces, ",", pick(r, objectPieces), ":", pick(r, objectPieces))
			}
			pieces = append(pieces, "}")
		default:
			for range 1 + r.IntN(5) {
				pieces = append(pieces, pick(r, plainLines), pick(r, breaks))
			}
		}
		pieces = append(pieces, pick(r, []string{"\n", "\n", "", " "}))
		if fence != "" {
			pieces = append(pieces, fence[:3], "\n")
		}
		pieces = append(pieces, pick(r, endMarkers), pick(r, breaks))
		if outer != "" {
			pieces = append(pieces, outer[:3], "\n")
		}
	}
	if r.IntN(3) > 0 {
		return pieces
	}
	return damage(r, pieces)
}

// damage removes, copies and swaps pieces, writes some in lower case, and removes characters.
func damage(r *rand.Rand, pieces []string) []string {
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(pieces)), r.IntN(len(pieces))
		switch r.IntN(5) {
		case 0:
			if len(pieces) > 1 {
				pieces = append(pieces[:i:i], pieces[i+1:]...)
			}
		case 1:
			pieces = append(pieces[:i:i], append([]string{pieces[j]}, pieces[i:]...)...)
		case 2:
			pieces[i], pieces[j] = pieces[j], pieces[i]
		case 3:
			pieces[i] = strings.ToLower(pieces[i])
		case 4:
			if n := []rune(pieces[i]); len(n) > 0 {
				k := r.IntN(len(n))
				pieces[i] = string(n[:k]) + string(n[k+1:])
			}
		}
	}
	return pieces
}
