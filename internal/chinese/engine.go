package chinese

// EngineDefinitions has the descriptions of the engine's own methods and of their parameters.
var EngineDefinitions = map[string]string{
	"Finds methods that are not listed here, and returns their definitions. After that they can be called. Search before you say that you cannot do something.": "查找这里没有列出的方法，并返回它们的定义。之后就可以调用它们。在说自己做不到之前，请先搜索。",
	"what the method should do, in a few words, such as: create calendar event":                                                                                 "用几个词说明该方法应做什么，例如：创建日历事件",
	"how many methods to return": "返回多少个方法",
	"Reads the rest of a result that was too long to be shown whole, one page at a time. The note in such a result names its id and the next page.": "读取因过长而未能完整显示的结果的其余部分，每次一页。这种结果中的说明给出了它的 id 和下一页的页码。",
	"the id that the note in the result names": "结果的说明中给出的 id",
	"the page to read, from 1":                 "要读取的页，从 1 开始",
}
