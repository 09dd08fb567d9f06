package command

import (
	"errors"
	"fmt"
)

// phraseID names a problem of a call, in words for the model.
type phraseID uint8

const (
	phraseFailed phraseID = iota
	phraseFailedSilently
	phraseTooMuchOutput
	phraseNotAResult
	phraseMoreAfter
	phraseNoOutput
	phraseTooManyFiles
	phraseUnreadableFile
	phraseUnnamedFile
	phraseIrregularFile
	phraseLargeFile
	phraseWithoutNUL
	phraseWithoutHyphen
)

// phrases has the languages of tool.Call.
var phrases = [...]struct{ en, zh string }{
	phraseFailed:         {"the program failed (%s): %s", "程序失败（%s）：%s"},
	phraseFailedSilently: {"the program failed without a message: %s", "程序失败，没有给出信息：%s"},
	phraseTooMuchOutput: {
		"the program printed more than %d bytes; ask it for less, or let it write to a file",
		"程序的输出超过了 %d 字节；请让它少输出一些，或写入文件",
	},
	phraseNotAResult: {
		`the program must print one JSON object with "output", and "details" and "files" if it wants: %w`,
		`程序必须输出一个 JSON 对象，其中有 "output"，也可以有 "details" 和 "files"：%w`,
	},
	phraseMoreAfter:      {"there is more after the object", "对象之后还有其他内容"},
	phraseNoOutput:       {`"output" is missing`, `缺少 "output"`},
	phraseTooManyFiles:   {"the program returned %d files; %d are allowed", "程序返回了 %d 个文件；最多允许 %d 个"},
	phraseUnreadableFile: {"the program returned the file %q, which cannot be read: %w", "程序返回的文件 %q 无法读取：%w"},
	phraseUnnamedFile:    {"the program returned a file without a name", "程序返回了一个没有名称的文件"},
	phraseIrregularFile:  {"it is not a regular file", "它不是普通文件"},
	phraseLargeFile:      {"it has %d bytes; %d are allowed", "它有 %d 字节；最多允许 %d 字节"},
	phraseWithoutNUL:     {"a text without the character NUL", "不含 NUL 字符的文本"},
	phraseWithoutHyphen: {
		`a text that does not begin with "-", since the program would read that as an option`, `不以 "-" 开头的文本，因为程序会把它当作选项`,
	},
}

// language is the language of problems, as tool.Call names it: "zh", or else English.
type language string

// say returns a phrase, whose values are still to be filled in.
func (l language) say(id phraseID) string {
	if l == "zh" {
		return phrases[id].zh
	}
	return phrases[id].en
}

// problem returns a phrase as an error.
func (l language) problem(id phraseID, values ...any) error {
	if len(values) == 0 {
		return errors.New(l.say(id))
	}
	return fmt.Errorf(l.say(id), values...)
}
