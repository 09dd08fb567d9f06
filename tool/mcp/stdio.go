package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/process"
)

// exitTime is how long a server may take to exit after its standard input was closed, and again
// after it was asked to terminate. After the exit, its pipes may stay open for the same time.
const exitTime = time.Second

// childTransport is the transport to a server that runs as a child process. Each message is one
// line. The SDK's own transport ends at the first line that is not a message, and reports neither
// the exit status nor the standard error.
type childTransport struct {
	session *session
	conn    *childConn // nil before Connect
}

// end ends the server, if it was started.
func (t *childTransport) end() {
	if t.conn != nil {
		_ = t.conn.Close()
	}
}

// Connect starts the server. It implements sdk.Transport.
func (t *childTransport) Connect(context.Context) (sdk.Connection, error) {
	config := t.session.config
	program, err := process.Program(config.Command[0], config.Dir)
	if err != nil {
		return nil, errorf("the server cannot be started: %v", err)
	}
	cmd := exec.Command(program, config.Command[1:]...)
	cmd.Dir, cmd.Env = config.Dir, process.Environment(nil, config.Env)
	process.OwnGroup(cmd)
	// Unlike those of exec.Cmd, these pipes have deadlines, and Wait does not wait for processes
	// that inherited them.
	var pipes pipes
	stdin, stdout, stderr := pipes.open(), pipes.open(), pipes.open()
	if pipes.err != nil {
		pipes.closeAll()
		return nil, pipes.err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin.r, stdout.w, stderr.w
	if err := cmd.Start(); err != nil {
		pipes.closeAll()
		return nil, errorf("the server cannot be started: %v", err)
	}
	for _, f := range []*os.File{stdin.r, stdout.w, stderr.w} {
		_ = f.Close() // the child has its own
	}
	c := &childConn{
		session: t.session, cmd: cmd, stdin: stdin.w, stdout: stdout.r, stderr: stderr.r,
		incoming: make(chan incomingMessages), closing: make(chan struct{}), exited: make(chan struct{}),
	}
	var messages, errs sync.WaitGroup
	messages.Go(c.readMessages)
	errs.Go(func() { _, _ = io.Copy(t.session.output, c.stderr) })
	go c.wait(&messages, &errs)
	t.conn = c
	return c, nil
}

// pipes opens pipes and can close all of them.
type pipes struct {
	files []*os.File // both ends of each pipe
	err   error      // the last error of open
}

type pipe struct{ r, w *os.File }

func (p *pipes) open() pipe {
	r, w, err := os.Pipe()
	if err != nil {
		p.err = err
		return pipe{}
	}
	p.files = append(p.files, r, w)
	return pipe{r, w}
}

func (p *pipes) closeAll() {
	for _, f := range p.files {
		_ = f.Close()
	}
}

// childConn is the connection to a child process.
type childConn struct {
	session        *session
	cmd            *exec.Cmd
	stdin          *os.File
	stdout, stderr *os.File

	writing  sync.Mutex // held while a message is written
	incoming chan incomingMessages
	queue    []jsonrpc.Message // the rest of a batch; only Read uses it

	closeOnce sync.Once
	closing   chan struct{} // closed by the first Close
	exited    chan struct{} // closed when the child has exited and its process group was killed
}

type incomingMessages struct {
	messages []jsonrpc.Message
	err      error
}

// SessionID implements sdk.Connection.
func (c *childConn) SessionID() string { return "" }

// Read returns the next message of the server. After the last one, the error is io.EOF or says why
// the standard output could not be read.
func (c *childConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(c.queue) == 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closing:
			return nil, io.EOF
		case next := <-c.incoming:
			if next.err != nil {
				return nil, next.err
			}
			c.queue = next.messages
		}
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	return next, nil
}

// Write sends one message. If ctx ends after only a part of the message was written, Write reports
// the connection as lost.
func (c *childConn) Write(ctx context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.session.listing.sent(m)
	if _, ok := m.(*jsonrpc.Response); ok {
		// The SDK sends a response without a deadline, and its Close waits until the response is
		// sent. So the end of the session cancels the response.
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(c.session.life, cancel)()
		defer c.session.backlog.answered()
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = c.stdin.SetWriteDeadline(time.Unix(1, 0)) // a time in the past interrupts Write
		close(interrupted)
	})
	n, err := c.stdin.Write(append(line, '\n'))
	if n > 0 {
		deliveryFrom(ctx).begin()
	}
	canceled := !stop()
	if canceled {
		<-interrupted // otherwise the deadline could be set during the next message
		_ = c.stdin.SetWriteDeadline(time.Time{})
	}
	if err != nil && (n > 0 || !canceled) {
		c.session.end(errorf("the server does not read its standard input: %v", err))
	}
	return err
}

// Close ends the server. It closes the standard input, then asks the process group to terminate,
// and then kills the group; each next step follows if the server has not exited after exitTime. It
// returns when the server has exited.
func (c *childConn) Close() error {
	c.closeOnce.Do(func() {
		close(c.closing)
		_ = c.stdin.Close()
		for _, end := range []func(*exec.Cmd){process.TerminateGroup, process.KillGroup} {
			select {
			case <-c.exited:
				return
			case <-time.After(exitTime):
				end(c.cmd)
			}
		}
	})
	<-c.exited
	return nil
}

// wait waits for the child's exit, kills the rest of its process group, and closes exited when errs
// is done. When messages is done too, it closes the pipes. messages and errs stand for the
// goroutines that read the standard output and the standard error.
func (c *childConn) wait(messages, errs *sync.WaitGroup) {
	err := c.cmd.Wait()
	process.KillGroup(c.cmd)
	// Close the pipes if a process that left the group keeps them open.
	timeout := time.AfterFunc(exitTime, func() {
		_ = c.stdout.Close()
		_ = c.stderr.Close()
	})
	defer timeout.Stop()
	errs.Wait()
	c.session.output.exited(err)
	close(c.exited)
	messages.Wait()
	_ = c.stdin.Close()
	_ = c.stdout.Close()
	_ = c.stderr.Close()
}

// readMessages passes the server's messages to Read until the standard output ends.
func (c *childConn) readMessages() {
	pass := func(i incomingMessages) bool {
		select {
		case c.incoming <- i:
			return true
		case <-c.closing:
			return false
		}
	}
	r := bufio.NewReaderSize(c.stdout, 64<<10)
	for {
		line, err := readLine(r)
		if messages := decodeMessages(line); messages != nil {
			for _, m := range messages {
				if excess := c.session.received(m, len(line)/len(messages)); excess != nil {
					err = excess
				}
			}
			if !pass(incomingMessages{messages: messages}) {
				break
			}
		} else if noise := c.session.output.noise(line); noise != nil {
			err = noise
		}
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
				c.session.end(errorf("the server closed its standard output"))
				err = io.EOF
			} else {
				c.session.end(err)
			}
			pass(incomingMessages{err: err})
			break
		}
	}
	_, _ = io.Copy(io.Discard, r) // otherwise a server that still writes could block
}
