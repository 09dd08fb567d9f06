package demomodel

// Work grows faster than the length of questions and samples, and looking up a zone reads files.
const (
	maxQuestion   = 2 << 10 // bytes of a question that are read
	maxParts      = 24      // of a question
	maxJoin       = 100     // bytes between a parameter's name and its value
	maxZone       = 40      // bytes of a text that may name a zone or a city
	maxZoneChunks = 100     // chunks of a question, such as words, at which findZones looks
	maxSample     = 200     // bytes of a sample, which is a value that a definition shows
	maxSamples    = 20      // of a parameter
	maxCalls      = 8       // of a reply
	maxUnused     = 5       // parts of the question that a reply says it cannot use
	maxSentence   = 160     // characters of a sentence from a definition
	maxLines      = 60      // of one result in a reply
	maxLineLength = 300     // characters
)
