package executor

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// A batch is the state of one Execute. Only the goroutine that called Execute uses it, except for
// the mailbox, and for recheck before a retry. Handlers and hooks (an Approver, a Preview, a
// Summarize) run on goroutines of their own, and post events to the mailbox. The functions that
// check requests without running them use a batch without calls.
type batch struct {
	registry     *tool.Registry
	options      *Options
	shared       *shared
	ctx          context.Context
	conversation *Conversation
	observer     Observer
	mailbox      mailbox
	calls        []execution
	one          [1]execution  // storage for calls if there is only one, the common case
	starting     []*execution  // calls that hold all their locks; the next step starts them
	oneStarting  [1]*execution // storage for starting
	over         bool          // ctx is done, and the calls were notified
	uncommitted  bool          // Observer.Commit has failed
}

// An execution is one request on its way to its result:
//
//	pending → [[queued to ask →] [previewing →] asking → answered]
//	        → queued → running → [summarizing] → settled
//
// Any stage can be followed by settled.
type execution struct {
	batch  *batch
	req    Request
	method *tool.Entry // nil until it is resolved
	result *Result     // part of what Execute returns; no other code reads it before the call is settled

	stage   stage
	entered int         // how many stages the call has entered
	expire  stageFunc   // ends the stage when its time or the run is over
	timer   *time.Timer // fires when the stage's time is over
	overdue *time.Timer // fires when the grace time of a canceled handler or hook is over
	waited  bool        // the call waited for an approval or a lock

	question     *openQuestion      // from stage asking on
	consultation *consultation      // from stage answered on
	preview      *previewOutcome    // set at the end of stage previewing, if the Preview was in time
	approved     *Digest            // what a person approved; nil if a grant covers the method or nobody was asked
	previewed    string             // the preview that a person approved; "" if none was shown
	needs        [][]claim          // locks that are still to be acquired
	run          handlerRun         // of the handler; collects locks from stage queued on
	hostRun      *hostRun           // from stage running on; nil if the method is not host-run
	limit        time.Duration      // how long the handler may run
	cancel       context.CancelFunc // ends the context of the handler or of Summarize
	full         FullResult         // in stage summarizing

	asked, decided time.Time // as in AuditRecord
}

type stage uint8

const (
	stagePending     stage = iota
	stageQueuedToAsk       // waits until no other question is open
	stagePreviewing        // waits for the method to say what the call would do
	stageAsking
	stageAnswered
	stageQueued // waits for locks
	stageRunning
	stageSummarizing
	stageSettled
)

// A stageFunc handles what happened to a call in one of its stages, at the given time.
type stageFunc func(*batch, *execution, time.Time)

// An event tells a batch what happened on another goroutine.
type event struct {
	call   *execution
	stage  stage // the stage that the event is about; the event is ignored in any other stage
	at     time.Time
	handle stageFunc
	bytes  int // the size of an update of progress (see updateOverhead); 0 for other events
}

// shared is what all executors on one registry share. It must not refer to the registry, because
// then neither would ever be freed. The zero value is ready to use.
type shared struct {
	locks     lockTable
	abandoned abandonedCalls
	cache     resultCache
	summaries atomic.Int32 // in progress
}

// outcome is how a handler ended. The handler's goroutine fills it in, and calls the methods of an
// error for that, because these methods are application code and may panic or hang.
type outcome struct {
	text    string // for the model: the output, or the error
	bytes   int    // of the text that the handler returned
	details any
	files   []tool.File

	failed       bool // the handler or a middleware returned an error
	badArguments bool // the handler refused the arguments
	notApproved  bool // the call is not the one that was approved
	otherEffect  bool // the call would not do what was approved
	misusedNext  bool // a middleware called next twice, or too late
	problems     []schema.Problem
	late         bool // the deadline had passed when the handler failed

	panicked   bool // or the handler ended its goroutine
	panicValue any
	stack      []byte // of the panic
}

// A handlerRun is one run of a handler and its middlewares, on a goroutine of its own. Before start
// it only collects locks.
type handlerRun struct {
	owner   *execution
	ctx     context.Context
	call    tool.Call
	outcome outcome // the goroutine owns it until owner.returned

	once    runOnce
	retries atomic.Int32
	cached  atomic.Bool
	locks   []*lock
}

// Keys of the lock table: resourceKey for a resource, and allCallsKey for the limit on all calls.
// For the limit on the calls of a method or a tool, the key is the method or the tool itself.
type (
	resourceKey string
	allCallsKey struct{}
)
