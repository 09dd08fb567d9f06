package conversation

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// finish finishes the turn that was interrupted, for --resume.
func finish(talk *conversation) error {
	if !talk.chat.Interrupted() {
		return errorf("no turn was interrupted, so there is nothing to resume")
	}
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	return talk.turn(i, talk.chat.Resume)
}

// oneAnswer shows the answer to one message.
func oneAnswer(talk *conversation, message string) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	if err := talk.finishInterrupted(i); err != nil {
		return err
	}
	return talk.turn(i, talk.send(message))
}

// lineByLine shows the answer to each line of the input, and ends with the first failure.
func lineByLine(talk *conversation, in io.Reader) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	if err := talk.finishInterrupted(i); err != nil {
		return err
	}
	lines, first := bufio.NewReader(in), true
	for {
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return errorf("cannot read standard input: %v", err)
		}
		if message := strings.TrimSpace(line); message != "" {
			if !first && talk.events == nil {
				talk.view.Blank()
			}
			first = false
			if err := talk.turn(i, talk.send(message)); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
