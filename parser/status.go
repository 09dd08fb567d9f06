package parser

// Status is the state of a request in a reply.
type Status string

const (
	// StatusReady is a request that is complete, or was made complete by repairs that
	// Options.Tolerance allows. Only such a request may run.
	StatusReady Status = "ready"
	// StatusInvalid is a request that cannot be trusted. Its error tells the model how to correct
	// it.
	StatusInvalid Status = "invalid"
	// StatusIncomplete is a request in which the reply was truncated.
	StatusIncomplete Status = "incomplete"
	// StatusQuoted is a request in code, in a blockquote or in a definition.
	StatusQuoted Status = "quoted"
	// StatusReasoning is a request in a reasoning section.
	StatusReasoning Status = "reasoning"
)
