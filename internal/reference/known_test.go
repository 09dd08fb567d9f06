package reference_test

// vcpKnown are the differences that the dialect does not settle. A shape begins with the options.
var vcpKnown = append([]known{
	{`greedy.* .*X.*`, "escaped STARTs whose END does not come (B5)"},
	{"\\S+ .*`.*S.*[\\r\\n].*S?R.*", "a result in an open request that a backtick stands before (B14, C9)"},
	{"\\S+ .*#»`.*", "what stands behind the marks of a fence, on their line"},
	{"\\S+ .*`.*S.*[\\r\\n].*S.*`.*", "a code span that is closed on the line of the START that ends the request (C9)"},
	{"\\S+ .*«.*`S`.*»?.*", "what a START in a code span does to the openers before it (V15)"},
	{`\S+ .*#R.*|\S+ .*#\n#R.*|\S+ .*#[^\n]*»S.*`, "what stands behind the marks of a fence, on their line"},
	{`\S+ .*S«[^»]{0,3}E`, "which signs of a misspelt closer keep V9 from closing a value"},
	{`\S+ .*#S«\n#.*E`, "a fence that begins with its request, and a mark behind the marks that close it"},
	{`\S+ .*#S\n«#E`, "a fence that begins with its request, and a mark behind the marks that close it"},
}, placeKnown...)

// hermesKnown are those of the Hermes form.
var hermesKnown = append([]known{
	{`\S+ .*S.*T.*`, "where a request with open brackets ends that a reasoning tag stands in (C3, C12)"},
	{`\S+ .*#[^\n]*S.*\n#.*`, "where a request in fenced code ends that has open brackets (C12)"},
	{`\S+ .*#\nS\{.*\n>S.*`, "a quoted line in fenced code that the request before has opened"},
	{"\\S+ .*`S\\{`.*", "a backtick in JSON that a code span is open before (C9)"},
	{`\S+ .*S#[^\n]*".*`, "backticks or tildes with something other than an object behind them (T4)"},
	{"\\S+ .*`S[^\\n]*`.*", "a code span that is closed in a body in another form (C9, T4)"},
	{`\S+ .*#.*S"\n#E`, "a mark behind the marks that close a fence"},
	{`\S+ .*>S.*>`, "a sign of the blockquote where a value is due (T3, T12)"},
	{`\S+ .*D.*S.*F.*`, "an END of definitions in a request that cannot be read (T10)"},
	{`\S+ .*>.*S.*[\r\n].*`, "where a request in a blockquote that has open brackets ends (C12)"},
	{`\S+ .*#S.*\n>S.*`, "a quoted line in fenced code that the request before has opened"},
	{`\S+ .*S#.*#\{.*`, "a body behind the closing line of a fence (J1)"},
	{`\S+ .*"name":.*"name":.*`, "a second name that is no string: duplicate_key or missing_tool_name (section 8)"},
	{`\S+ .*#S.*[\r\n]#E`, "a mark behind the marks that close a fence"},
	{`\S+ .*S#?\s*\[.*`, "a list in a fence that begins with no object (T3)"},
	{`\S+ .*E.*\n#E.*`, "an END on the line that opens a fence (T7)"},
	{"\\S+ .*#S`T.*", "backticks before and after a tag on a line that opens no fence (C3, C5)"},
	{`\S+ .*#.*S.*E.*E.*S.*`, "an END in fenced code that a later request ends (T7)"},
}, placeKnown...)

// placeKnown are those of section 5, which both forms share.
var placeKnown = []known{
	{`\S+ .*(?:\d+[.)]|[-*+])[ \t]*[SEDFRX»«T].*#.*`, "whether a list item that begins with a mark interrupts a paragraph"},
	{`\S+ .*(?:\d+[.)]|[-*+])[ \t]*#.*`, "which lines a list item may interrupt"},
	{`\S+ .*>.*S.*[\r\n].*[T#].*`, "tags and fences in lines that a quoted request goes on in without the sign"},
	{`\S+ .*(?:\d+[.)]|[-*+])[ \t]*>.*#.*`, "a fence in a blockquote in a list item"},
	{`\S+ .*>#.*S.*[\r\n].*|\S+ .*>#.*[\r\n]>?S.*`, "a fence in a blockquote whose sign is missing on a later line"},
	{`\S+ .*T.*D.*S.*|\S+ .*D.*T.*S.*|\S+ .*D.*F.*S.*|\S+ .*D.*S.*E.*T.*`, "definitions in reasoning and in quotations, and quoted requests that reasoning takes in"},
	{`\S+ .*>[^\n]*S[^\n]*[\r\n].*«.*`, "a value in lines that a quoted request goes on in without the sign (C12)"},
	{`\S+ T.*[\r\n].*T.*T.*`, "which tags nest in a section"},
	{`\S+ T.*S.*T.*T.*`, "which tags nest in a section"},
}
