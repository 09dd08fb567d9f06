package conversation

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// finish runs --resume: it finishes the turn that was interrupted.
func (c *conversation) finish() error {
	if !c.chat.Interrupted() {
		return errorf("no turn was interrupted, so there is nothing to resume")
	}
	i := watchInterrupts(c.quit, func() { c.quit(true) })
	defer i.stop()
	return c.turn(i, c.chat.Resume)
}

// oneAnswer shows the answer to one message.
func (c *conversation) oneAnswer(message string) error {
	i := watchInterrupts(c.quit, func() { c.quit(true) })
	defer i.stop()
	if err := c.finishInterrupted(i); err != nil {
		return err
	}
	return c.turn(i, c.send(message))
}

// lineByLine shows the answer to each line of the input that is not blank. It ends with the first
// failure.
func (c *conversation) lineByLine(in io.Reader) error {
	i := watchInterrupts(c.quit, func() { c.quit(true) })
	defer i.stop()
	if err := c.finishInterrupted(i); err != nil {
		return err
	}
	lines, first := bufio.NewReader(in), true
	for {
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return errorf("cannot read standard input: %v", err)
		}
		if message := strings.TrimSpace(line); message != "" {
			if !first && c.events == nil {
				c.view.Blank()
			}
			first = false
			if err := c.turn(i, c.send(message)); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
