package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnnouncementsAreRecognized(t *testing.T) {
	for _, reply := range []string{
		"I will now look up the weather.",
		"Let me check that for you.",
		"Sure! Let me look that up.",
		"Okay, I'll search for it now…",
		"I’ll read config.json first.",
		"First, I need to check the stock.",
		"I'm going to use the calculator.",
		"I'll call weather_get to find out.",
		"**Let me fetch the page.**",
		"Of course. One moment, please.\n\nI will check the order of Eva Lind:",
		"Let me see.",
		"I'll get the current time in Tokyo.",
		"我来查一下。",
		"好的，我来查询北京的天气。",
		"好的。让我先看看文件内容：",
		"请稍等，我马上为您查询……",
		"我会使用 weather_get 工具。",
		"正在为您查询，请稍候。",
		"接下来我将读取 config.json。",
		"我需要先计算总价。",
		"让我用计算器算一下。",
	} {
		assert.True(t, isAnnouncement(reply), reply)
	}
}

func TestOtherRepliesAreNoAnnouncements(t *testing.T) {
	for _, reply := range []string{
		"",
		"Sure!",
		"好的。",
		"The capital of France is Paris.",
		"I cannot play music: none of my tools does that.",
		"I will use metric units from now on.",
		"I'll call you Bob.",
		"I'll remember that.",
		"Let me know if you need more.",
		"Let me explain. The first file is longer.",
		"Let me check: is it 14 °C in Rome?",
		"Which city shall I check?",
		"I'll check it as soon as you tell me the city.",
		"Please tell me the city. Then I'll look up the weather.",
		"If you like, I'll look it up.",
		"I will check with you tomorrow.",
		"Let me look that up. It is 14 °C in Paris.",
		"I'll read it to you: “Slow is smooth.”",
		"I will get back to you.",
		"Let me see your file, please.",
		"I looked up the weather.",
		"You should check the log.",
		"我无法播放音乐：没有这样的工具。",
		"我会记住的。",
		"我会用更简短的句子。",
		"法国的首都是巴黎。",
		"您想查哪个城市？",
		"如果您告诉我城市，我来查一下。",
		"我要看电影。",
		"我先看过了。",
		"我看到了三个文件。它们都是空的。",
		"我查到了：14 度。",
		"我来查一下。北京今天 21 度。",
		"请告诉我城市，我来查。",
	} {
		assert.False(t, isAnnouncement(reply), reply)
	}
}
