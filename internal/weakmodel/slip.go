package weakmodel

// A Slip is a kind of mistake.
type Slip string

// The slips are mistakes that small models made in trials by hand, or according to published
// analyses of errors.
const (
	// None makes no mistake.
	None Slip = ""

	Fenced      Slip = "fenced"       // the request is in a code fence
	InReasoning Slip = "in_reasoning" // the request is in a reasoning section, sometimes with text after it
	OtherForm   Slip = "other_form"   // the form of another protocol
	BareJSON    Slip = "bare_json"    // a JSON call without marks
	FencedJSON  Slip = "fenced_json"  // a JSON call in a code fence
	JSONBody    Slip = "json_body"    // the right marks around JSON of another shape
	ColonBody   Slip = "colon_body"   // the right marks around lines of "name: value"
	WrongMark   Slip = "wrong_mark"   // a misspelled opening mark
	Quoted      Slip = "quoted"       // the request is in a blockquote
	Escaped     Slip = "escaped"      // all marks are neutralized, as in foreign text
	EscapedBody Slip = "escaped_body" // the marks between the first and the last are neutralized, as in foreign text

	EmptyReply    Slip = "empty_reply"    // the reply is empty
	Announces     Slip = "announces"      // the reply only says what the model will do
	MissingEnd    Slip = "missing_end"    // no end mark, and text after the request
	MissingCloser Slip = "missing_closer" // a value or an object that is not closed
	WrongCloser   Slip = "wrong_closer"   // a value or an object with another closing mark
	Truncated     Slip = "truncated"      // the token limit ends the reply within the request

	UnknownTool     Slip = "unknown_tool"     // a tool that does not exist
	CloseName       Slip = "close_name"       // the tool's name with a letter missing
	ArgumentName    Slip = "argument_name"    // an argument by another name
	ExtraArgument   Slip = "extra_argument"   // an argument that the method does not have
	MissingArgument Slip = "missing_argument" // a required argument is missing
	WrongType       Slip = "wrong_type"       // words in place of a number or a boolean
	GroupedNumber   Slip = "grouped_number"   // a number with commas between thousands
	WrongZone       Slip = "wrong_zone"       // a time zone that does not exist
	WrongPath       Slip = "wrong_path"       // a path that does not exist

	FabricatedResult Slip = "fabricated_result" // the reply continues with a result that the model invented
	ClaimsSuccess    Slip = "claims_success"    // the reply says that it is done before the call has run
	Placeholder      Slip = "placeholder"       // a second request uses the result of the first, which has not run yet
	Repeats          Slip = "repeats"           // the same call again, although the model has its result
	CopiesExample    Slip = "copies_example"    // after a mistake the model copies any request that it is shown
	ThreeMistakes    Slip = "three_mistakes"    // a fence, then an unknown tool, then a missing argument
)

// Slips are all kinds of mistake, in the order of reports.
var Slips = []Slip{
	Fenced, InReasoning, OtherForm, BareJSON, FencedJSON, JSONBody, ColonBody, WrongMark, Quoted, Escaped, EscapedBody,
	EmptyReply, Announces, MissingEnd, MissingCloser, WrongCloser, Truncated,
	UnknownTool, CloseName, ArgumentName, ExtraArgument, MissingArgument, WrongType, GroupedNumber, WrongZone, WrongPath,
	FabricatedResult, ClaimsSuccess, Placeholder, Repeats, CopiesExample, ThreeMistakes,
}
