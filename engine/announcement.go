package engine

import (
	"regexp"
	"strings"
)

// maxAnnouncement limits an announcement, in bytes. A longer reply is not only an announcement.
const maxAnnouncement = 400

// isAnnouncement reports whether a reply only announces what the model will look up or do, such as
// "Let me check that." An announcement has a sentence that says so, in English or Chinese, and
// nothing else except words like "Sure!" The lists of words are short on purpose: if an answer is
// mistaken for an announcement, the user must wait for another reply.
func isAnnouncement(reply string) bool {
	if len(reply) > maxAnnouncement {
		return false
	}
	announces := false
	for _, sentence := range sentenceEnd.Split(reply, -1) {
		sentence = strings.ToLower(strings.Trim(sentence, " \t\r\n.*_\"“”"))
		sentence = strings.ReplaceAll(sentence, "’", "'")
		switch {
		case sentence == "" || courtesy.MatchString(sentence):
		case announcement.MatchString(sentence) && !exclusion.MatchString(sentence):
			announces = true
		default:
			return false
		}
	}
	return announces
}

var (
	// sentenceEnd matches the end of a sentence, but not a question mark: exclusion recognizes
	// questions by their marks.
	sentenceEnd = regexp.MustCompile(`(?:[.!:…](?:\s|$)|[。！：…\n])+`)

	// courtesy matches a sentence without content.
	courtesy = regexp.MustCompile(`^(?:` + courtesies + `)(?:,? (?:` + courtesies + `))?$`)

	// announcement matches the beginning of a sentence that says what the model will do. Verbs with
	// many other uses need an object: "I'll use the calculator" is an announcement, "I'll use
	// metric units" is not.
	announcement = regexp.MustCompile(`^` + beginning + `(?:` + englishStep + `|` + chineseStep + `)`)

	// exclusion matches the words and marks of a sentence that asks the user something, has a
	// condition, or is about an earlier or later time. Such a sentence is not an announcement.
	exclusion = regexp.MustCompile(`[?？]|\b(?:if|unless|once|until|as soon as|(?:when|after) you|later|tomorrow|` +
		`from now on|next time|in (?:the )?future|please|could you|can you|tell me)\b|` +
		`(?:查|看|搜|找|读|算)(?:到|过|完|了)|如果|要是|等你|等您|之后再|以后|今后|下次|稍后再|明天|请告诉|请提供|请问|吗`)
)

const (
	// courtesies are words without content that a sentence may consist of or begin with.
	courtesies = `sure|sure thing|okay|ok|of course|certainly|absolutely|alright|all right|great|good question|` +
		`great question|got it|understood|no problem|yes|hello|hi|one moment|just a moment|please|please wait|` +
		`hold on|thank you|thanks|` +
		`(?:i'll|i will|i can|let me) help(?: you)?(?: with (?:that|this))?|` +
		`好的?|好呀|没问题|当然(?:可以)?|可以|明白了?|收到|嗯|是的|您好|你好|请?稍等(?:一下|片刻)?|请?稍候|请等一下`

	// beginning matches words before the announcement itself.
	beginning = `(?:(?:` + courtesies + `)[,，]\s*)?(?:(?:first|now|next|then|so|首先|现在|接下来|下面|那么|然后|先)[,，]?\s*)?`

	// englishStep and chineseStep match the words that announce a step.
	englishStep = `(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to|i have to|i should) ` +
		`(?:(?:now|first|just|quickly|need to|have to|go ahead and|try to) )*` +
		`(?:(?:look|check|search|find out|find the|fetch|retrieve|query|read|open|calculate|compute|convert|see)\b|` +
		`(?:use|call|run|invoke|try) (?:\S+ ){0,3}\S*(?:tool|function|calculator|search|clock|api|_[a-z]+)|` +
		`get (?:the|that|this|it)\b)`

	chineseStep = `(?:我(?:` + chineseAdverbs + `)+|让我们?(?:` + chineseAdverbs + `)*|正在(?:` + chineseAdverbs + `)*)` +
		`(?:查|看看|看一下|看下|搜|找一下|找找|读取|读一下|计算|算一下|算算|换算|转换|获取|检索|打开|` +
		`(?:调用|使用|用)[^，。]{0,20}(?:工具|函数|接口|计算器|搜索|_[a-z]+))`

	chineseAdverbs = `现在|马上|这就|立即|立刻|首先|会|将|需要|来|先|再|正在|帮您|帮你|为您|为你|给您|给你`
)
