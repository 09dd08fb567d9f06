package executor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/tool/schema"
)

// notes returns the beginning of a result. It tells the model that a person changed the arguments,
// or that unknown arguments were dropped. It is "" if neither happened.
func (c *execution) notes() string {
	if !c.result.Edited && len(c.result.Repaired) == 0 {
		return ""
	}
	language := c.batch.conversation.language()
	return c.editNote().in(language) + c.dropNote().in(language)
}

// editNote names the arguments that a person used instead of the model's.
func (c *execution) editNote() words {
	if !c.result.Edited {
		return words{}
	}
	arguments := short(string(c.method.MaskArguments(c.result.Arguments)))
	return sentence("[The user changed the arguments of this call to %s]\n", "[用户已把这次调用的参数改为 %s]\n", arguments)
}

// dropNote names the unknown arguments that were dropped, and the arguments that the method takes.
func (c *execution) dropNote() words {
	var dropped []string
	for _, r := range c.result.Repaired {
		if name := strconv.Quote(r.Path); r.Repair == schema.UnknownArgument && !slices.Contains(dropped, name) {
			dropped = append(dropped, name)
		}
	}
	if dropped == nil {
		return words{}
	}
	note := sentence("[Dropped unknown arguments: %s.", "[已忽略未知参数：%s。", strings.Join(dropped, ", "))
	return note.and(usage(c.method)).with("]\n")
}
