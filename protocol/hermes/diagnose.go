package hermes

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Diagnose says where the JSON of a call is wrong, or which brackets it lacks at its end.
func (Protocol) Diagnose(code scan.ErrorCode, text string, o protocol.PromptOptions) string {
	switch code {
	case scan.CodeAmbiguousValue, scan.CodeUnclosedValue, scan.CodeUnclosedBlock, scan.CodeStrayCloser:
	default:
		return ""
	}
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return ""
	}
	object := text[start:]
	if end := strings.LastIndex(object, tags.CallEnd); end >= 0 {
		object = object[:end]
	}
	object = strings.TrimSpace(object)
	var wrong *json.SyntaxError
	// With a space at the end, the offset tells whether the last character is wrong or more is
	// missing.
	if !errors.As(json.Unmarshal([]byte(object+" "), new(json.RawMessage)), &wrong) {
		return ""
	}
	if int(wrong.Offset) > len(object) {
		if lacks := missingClosers(object); lacks != "" {
			return phrase(o, "At its end the JSON lacks %s.", "JSON 的结尾缺少 %s。", lacks)
		}
	}
	correct := object[:max(0, min(len(object), int(wrong.Offset)-1))]
	if mark, _ := utf8.DecodeRuneInString(object[len(correct):]); strings.ContainsRune("“”‘’：，", mark) {
		return phrase(o, `%c is not a character of JSON; write " : and , everywhere in the JSON instead of “ ” ： and ，.`,
			`%c 不是 JSON 的标点；JSON 中请一律用英文标点（" : ,），不要用中文标点（“ ” ： ，）。`, mark)
	}
	line := 1 + strings.Count(correct, "\n")
	column := 1 + utf8.RuneCountInString(correct[strings.LastIndexByte(correct, '\n')+1:])
	return phrase(o, "The JSON is wrong at line %d, character %d (after %s).",
		"JSON 在第 %d 行第 %d 个字符处有误（其前为 %s）。", line, column, tail(correct))
}

func phrase(o protocol.PromptOptions, en, zh string, values ...any) string {
	return fmt.Sprintf(o.Choose(en, zh), values...)
}

// missingClosers returns the brackets that close those open at the end of a text. It returns "" if
// a string is open or more than maxExcerpt brackets are missing.
func missingClosers(text string) string {
	closers, _, quoted := brackets(text)
	if quoted || len(closers) > maxExcerpt {
		return ""
	}
	slices.Reverse(closers)
	return string(closers)
}

// maxExcerpt limits the part of a call, or the missing brackets, in a diagnosis, in bytes.
const maxExcerpt = 32

// tail returns the end of a text, without angle brackets.
func tail(text string) string {
	text = text[max(0, len(text)-maxExcerpt):]
	text = strings.ToValidUTF8(text, "")
	return strings.Join(strings.Fields(text[strings.LastIndexAny(text, "<>")+1:]), " ")
}
