package message_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/message"
)

var catalog = message.Catalog{
	"the file %q has %v, and %d may be read": "文件 %q 有 %v，最多可读 %d",
	"%[1]s before %[2]s":                     "%[2]s 之前是 %[1]s",
	"%d row":                                 "%d 行",
	"cannot be read: %v":                     "无法读取：%v",
	"it is empty":                            "内容为空",
	"file does not exist":                    "文件不存在",
}

func TestATextIsWrittenInItsLanguage(t *testing.T) {
	for _, test := range []struct {
		name             string
		text             *message.Text
		english, chinese string
	}{
		{
			"values", catalog.Text("the file %q has %v, and %d may be read", "a", catalog.Count(2, "%d row"), 1),
			`the file "a" has 2 rows, and 1 may be read`, `文件 "a" 有 2 行，最多可读 1`,
		},
		{
			"a count of one", catalog.Text("cannot be read: %v", catalog.Count(1, "%d row")),
			"cannot be read: 1 row", "无法读取：1 行",
		},
		{"another order", catalog.Text("%[1]s before %[2]s", "a", "b"), "a before b", "b 之前是 a"},
		{
			"a text in a text", catalog.Text("cannot be read: %v", catalog.Text("it is empty")),
			"cannot be read: it is empty", "无法读取：内容为空",
		},
		{
			"an error of the catalog", catalog.Text("cannot be read: %v", fs.ErrNotExist),
			"cannot be read: file does not exist", "无法读取：文件不存在",
		},
		{
			"an error of one language", catalog.Text("cannot be read: %v", errors.New("EOF")),
			"cannot be read: EOF", "无法读取：EOF",
		},
		{"a text that the catalog lacks", catalog.Text("%d left", 3), "3 left", "3 left"},
		{"a percent sign", catalog.Text("100%%"), "100%", "100%"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.english, test.text.In("en"))
			assert.Equal(t, test.english, test.text.In(""))
			assert.Equal(t, test.english, test.text.Error())
			assert.Equal(t, test.chinese, test.text.In("zh"))
		})
	}
}

func TestErrorsKeepTheirCauses(t *testing.T) {
	err := catalog.Text("cannot be read: %v", fs.ErrNotExist)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// wordless wraps an error and adds no words.
type wordless struct{ error }

func (w wordless) Unwrap() error { return w.error }

func TestAWrapperWithoutWordsKeepsTheLanguages(t *testing.T) {
	text := catalog.Text("it is empty")
	assert.Equal(t, "内容为空", message.In(wordless{text}, "zh"))
	assert.Equal(t, "a: it is empty", message.In(fmt.Errorf("a: %w", text), "zh"), "this wrapper adds words")
	assert.Equal(t, "it is empty", message.In(wordless{text}, "en"))
}

func TestAPrinterWritesInItsLanguage(t *testing.T) {
	p := catalog.Printer("zh")
	assert.Equal(t, "无法读取：3 行", p.Say("cannot be read: %v", catalog.Count(3, "%d row")))
}
