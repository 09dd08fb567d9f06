package reference_test

// vcpKnown are the differences that neither the dialect nor Options.Departures settles. A shape begins with the options.
var vcpKnown = []known{
	{`\S+ .*(?:\d+[.)]|[-*+])[ \t]*(?:[SEDFRX»«T]|[\r\n]).*#.*`, "where a list item that begins with a mark, or an empty one, ends"},
	{`\S+ .*(?:\d+[.)]|[-*+])[ \t]*#.*`, "which lines a list item may interrupt"},
	{`\S+ .*>.*S.*[\r\n].*[T#].*`, "tags and fences in lines that a quoted request goes on in without the sign"},
	{`\S+ .*S[^«S]*[\]\[{}<>#].*`, "what is text in a body in another form (B7)"},
	{`\S+ .*SD.*S.*`, "what is text in a body in another form (B7)"},
	{`greedy.* .*X.*`, "what an escaped marker does to what follows it (B5)"},
	{`\S+ .*X.*`, "where markers with _ESCAPE count as markers"},
	{`\S+ .*T.*D.*S.*|\S+ .*D.*T.*S.*|\S+ .*D.*F.*S.*`, "definitions in reasoning and in quotations"},
	{"\\S+ .*«.*`S`.*»?.*", "what a START in a code span does to the openers before it (V15)"},
	{`\S+ .*#R.*|\S+ .*#\n#R.*`, "a result behind the marks of a fence"},
	{`greedy.* .*«.*「末.*,?.*«.*`, "what may stand between half a closer and a key (V7)"},
}

// hermesKnown are those of the Hermes form.
var hermesKnown = []known{}
