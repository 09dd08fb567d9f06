package schema

// A phrase is a text for the model, as an index of phrases.
type phrase int

const (
	phraseNone phrase = iota

	// What was expected.
	phraseAValue
	phraseAnyValue
	phraseNothing
	phraseBooleanWords
	phraseAsJSON
	phraseAsJSONOrList
	phraseWithMembers
	phraseRequired
	phraseValueBecause
	phraseOneArgument
	phraseNoArguments
	phraseNoSuchArgument
	phraseListedValue
	phraseAndMore
	phraseAtLeast
	phraseAtMost
	phraseMoreThan
	phraseLessThan
	phraseMultipleOf
	phraseInFormat
	phraseDateTime
	phraseDuration
	phraseMatching
	phraseNoFurther
	phraseNoneTwice
	phraseMoreMatching
	phraseFewerMatching
	phraseNoneRuledOut
	phraseOneForm
	phraseListedForm
	phraseAcceptedValue
	phraseAcceptedArguments
	phraseCheckableArguments
	phraseFewerElements
	phraseSmallNumber
	phraseTextUTF8
	phraseNameUTF8
	phraseJSONValue
	phraseJSONObject
	phraseFewerBytes
	phraseOneValue

	// What was received.
	phraseUnknownName
	phraseOtherBytes
	phraseNotJSON
	phraseByteCount
	phraseTwoValues
	phraseLongerNumber
	phraseTooMany
	phraseAlike
	phraseTooMuch
	phraseLongText
	phraseAList
	phraseEmptyObject
	phraseLargeObject
	phraseObjectWith

	// Units, of which there is one.
	phraseCharacter
	phraseElement
	phraseMember

	// Why a text cannot be read.
	phraseInvalidJSON
	phraseEmptyList
	phraseMissingElement
	phraseMixedLines
	phraseTwoCommas
	phraseOpenQuotes
	phraseTextBesideQuotes
	phraseQuotedJSON
	phraseNeitherForm
	phraseOpenBrackets
	phraseSeparateThousands
	phraseDecimalComma
	phraseTextOrNothing
	phraseElementOrNothing
	phraseOtherSeparators
	phraseLastTwo
	phraseIndentedLines
	phraseMarkersOrText

	// How the parts are put together.
	phraseOr
	phraseInParentheses
	phraseProblem
	phraseProblemMissing
	phraseProblemUnknown
	phraseProblemListed
	phraseProblemNearest
	phraseAllArguments
	phraseRefusal
	phraseBetween
	phraseComma
	phraseFurtherProblems

	phraseCount
)

// phrases has each phrase in each language.
var phrases = [phraseCount]struct{ en, zh string }{
	phraseAValue:             {"a value", "一个值"},
	phraseAnyValue:           {"any value", "任意值"},
	phraseNothing:            {"nothing", "无"},
	phraseBooleanWords:       {"boolean (true or false)", "boolean（true 或 false）"},
	phraseAsJSON:             {"%s, written as JSON", "%s（写成 JSON）"},
	phraseAsJSONOrList:       {"%s, written as JSON or with commas", "%s（写成 JSON，或用逗号分隔）"},
	phraseWithMembers:        {", with %s", "，成员：%s"},
	phraseRequired:           {"%s, required", "%s，必填"},
	phraseValueBecause:       {"a value, because %s is given", "一个值，因为已给出 %s"},
	phraseOneArgument:        {"one of the arguments %s", "以下参数之一：%s"},
	phraseNoArguments:        {"no arguments", "没有参数"},
	phraseNoSuchArgument:     {"no such argument", "没有这个参数"},
	phraseListedValue:        {"one of %s", "以下之一：%s"},
	phraseAndMore:            {" and %d more", "，以及另外 %d 个"},
	phraseAtLeast:            {"at least %s", "至少 %s"},
	phraseAtMost:             {"at most %s", "至多 %s"},
	phraseMoreThan:           {"more than %s", "大于 %s"},
	phraseLessThan:           {"less than %s", "小于 %s"},
	phraseMultipleOf:         {"a multiple of %s", "%s 的倍数"},
	phraseInFormat:           {"text in the format %s", "格式为 %s 的文本"},
	phraseDateTime:           {`text in the format date-time, such as "2006-01-02T15:04:05Z"`, `格式为 date-time 的文本，例如 "2006-01-02T15:04:05Z"`},
	phraseDuration:           {`a duration such as "1m30s"`, `时长，例如 "1m30s"`},
	phraseMatching:           {"text that matches %s", "匹配 %s 的文本"},
	phraseNoFurther:          {"no further elements", "没有更多元素"},
	phraseNoneTwice:          {"no element twice", "没有重复的元素"},
	phraseMoreMatching:       {"more elements of the form that its schema names", "更多符合 schema 所列形式的元素"},
	phraseFewerMatching:      {"fewer elements of the form that its schema names", "更少符合 schema 所列形式的元素"},
	phraseNoneRuledOut:       {"a value other than those that its schema rules out", "schema 没有排除的值"},
	phraseOneForm:            {"exactly one of several forms", "多种形式中恰好一种"},
	phraseListedForm:         {"one of the forms that its schema lists", "schema 所列形式之一"},
	phraseAcceptedValue:      {"a value that its schema accepts", "schema 接受的值"},
	phraseAcceptedArguments:  {"arguments that the schema accepts", "schema 接受的参数"},
	phraseCheckableArguments: {"arguments that can be checked against the schema", "可以按 schema 检查的参数"},
	phraseFewerElements:      {"fewer elements, or fewer within one another", "更少的元素，或更浅的嵌套"},
	phraseSmallNumber:        {"a number of at most 1000 digits, with an exponent of at most 1000", "至多 1000 位、指数至多 1000 的数"},
	phraseTextUTF8:           {"text in UTF-8", "UTF-8 文本"},
	phraseNameUTF8:           {"a name in UTF-8", "UTF-8 名称"},
	phraseJSONValue:          {"a JSON value", "一个 JSON 值"},
	phraseJSONObject:         {"a JSON object", "一个 JSON 对象"},
	phraseFewerBytes:         {"at most %d bytes in all", "总共至多 %d 字节"},
	phraseOneValue:           {"one value", "一个值"},

	phraseUnknownName:  {"an unknown argument", "未知参数"},
	phraseOtherBytes:   {"other bytes", "其他字节"},
	phraseNotJSON:      {"text that is not JSON: %v", "不是 JSON 的文本：%v"},
	phraseByteCount:    {"%d bytes", "%d 字节"},
	phraseTwoValues:    {"two: %s and %s", "两个值：%s 和 %s"},
	phraseLongerNumber: {"a longer one", "更长的数"},
	phraseTooMany:      {"%s too many", "多出 %s"},
	phraseAlike:        {"elements %d and %d alike", "元素 %d 和 %d 相同"},
	phraseTooMuch:      {"more than can be checked against the schema", "超出可以按 schema 检查的数量"},
	phraseLongText:     {"%q (%d bytes)", "%q（%d 字节）"},
	phraseAList:        {"a list of %d", "有 %d 个元素的列表"},
	phraseEmptyObject:  {"an empty object", "空对象"},
	phraseLargeObject:  {"an object of %d members", "有 %d 个成员的对象"},
	phraseObjectWith:   {"an object with %s", "成员为 %s 的对象"},

	phraseCharacter: {"character", "个字符"},
	phraseElement:   {"element", "个元素"},
	phraseMember:    {"member", "个成员"},

	phraseInvalidJSON:       {"not JSON: %v", "不是 JSON：%v"},
	phraseEmptyList:         {"an empty list is written []", "空列表写成 []"},
	phraseMissingElement:    {"an element is missing", "缺少一个元素"},
	phraseMixedLines:        {"it has commas, and lines without", "有的行带逗号，有的行不带"},
	phraseTwoCommas:         {"it has two kinds of commas", "使用了两种逗号"},
	phraseOpenQuotes:        {"quotation marks stay open", "引号没有闭合"},
	phraseTextBesideQuotes:  {"there is text beside quotation marks", "引号之外还有文字"},
	phraseQuotedJSON:        {"it is JSON in quotation marks", "是引号中的 JSON"},
	phraseNeitherForm:       {"it is neither JSON nor a plain list", "既不是 JSON，也不是普通列表"},
	phraseOpenBrackets:      {"an element opens brackets or quotation marks and does not close them", "有元素的括号或引号没有闭合"},
	phraseSeparateThousands: {"its commas may separate thousands", "逗号可能是千位分隔符"},
	phraseDecimalComma:      {"a comma may stand for a decimal point", "逗号可能是小数点"},
	phraseTextOrNothing:     {"it may be text or stand for nothing", "可能是文字，也可能表示没有值"},
	phraseElementOrNothing:  {"an element may be text or stand for nothing", "有元素可能是文字，也可能表示没有值"},
	phraseOtherSeparators:   {"; or | or a tab may separate elements", "; 或 | 或制表符可能是分隔符"},
	phraseLastTwo:           {"its last comma may be followed by one element or by two", "最后一个逗号之后可能是一个元素，也可能是两个"},
	phraseIndentedLines:     {"its lines are indented differently", "各行的缩进不同"},
	phraseMarkersOrText:     {"its bullets or numbers may be text", "项目符号或编号可能是文字"},

	phraseOr:              {" or ", " 或 "},
	phraseInParentheses:   {" (%s)", "（%s）"},
	phraseProblem:         {"%s: expected %s, got %s", "%s：需要%s，收到%s"},
	phraseProblemMissing:  {"%s: expected %s, got nothing", "%s：缺少，需要%s"},
	phraseProblemUnknown:  {"%s: unknown argument", "%s：未知参数"},
	phraseProblemListed:   {"%s: unknown argument, expected %s", "%s：未知参数，需要%s"},
	phraseProblemNearest:  {" (did you mean %s?)", "（是否应为 %s？）"},
	phraseAllArguments:    {"arguments", "参数"},
	phraseRefusal:         {"invalid arguments: %s", "参数无效：%s"},
	phraseBetween:         {"; ", "；"},
	phraseComma:           {", ", "、"},
	phraseFurtherProblems: {"; and %d more", "；另有 %d 个问题"},
}
