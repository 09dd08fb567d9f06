package conversation

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// shownMessages limits the messages that /history shows.
const shownMessages = 40

func (c *conversation) showHistory(*interrupts, string) error {
	list := c.chat.History()
	if len(list) == 0 {
		return errorf("nothing was said yet")
	}
	var shown []chat.Message
	for i := range list {
		if list[i].IsFromPerson() || list[i].Role == protocol.RoleAssistant && list[i].Text != "" {
			shown = append(shown, list[i])
		}
	}
	if omitted := len(shown) - shownMessages; omitted > 0 {
		shown = shown[omitted:]
		c.view.Note(c.Say("older messages are not shown; vcp sessions show %s shows them",
			terminal.Visible(c.chat.ID())))
	}
	var table terminal.Table
	for i := range shown {
		m, number := &shown[i], "-"
		if m.Seq > 0 { // 0 if the message is not stored
			number = strconv.FormatInt(m.Seq, 10)
		}
		if m.IsFromPerson() {
			table.Row(number, terminal.Prompt+text.TruncateRunes(terminal.OneLine(m.Content), terminal.MaxResult))
		} else {
			table.Row(number, text.TruncateRunes(terminal.OneLine(m.Text), terminal.MaxResult))
		}
	}
	return cli.Write(c.out, table.String())
}

func (c *conversation) edit(i *interrupts, argument string) error {
	word, message, _ := strings.Cut(argument, " ")
	seq, err := numberOf(word)
	if err != nil {
		return err
	}
	if message = strings.TrimSpace(message); message == "" {
		return errorf("/edit needs the new text after the number of the message: /edit N TEXT")
	}
	err = c.turn(i, func(ctx context.Context) iter.Seq2[engine.Event, error] { return c.chat.Edit(ctx, seq, message) })
	if isNoBranchPoint(err) {
		return errorf("%d is not a message of yours; /history shows them", seq)
	}
	return err
}

func (c *conversation) again(i *interrupts, argument string) error {
	seq := c.lastReply()
	if argument != "" {
		var err error
		if seq, err = numberOf(argument); err != nil {
			return err
		}
	}
	if seq == 0 {
		return errorf("there is no reply yet")
	}
	err := c.turn(i, func(ctx context.Context) iter.Seq2[engine.Event, error] { return c.chat.Regenerate(ctx, seq) })
	if isNoBranchPoint(err) {
		return errorf("%d is not a reply; /history shows the replies", seq)
	}
	return err
}

// lastReply returns the number of the newest reply, or 0 if no reply exists.
func (c *conversation) lastReply() int64 {
	list := c.chat.History()
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Role == protocol.RoleAssistant {
			return list[i].Seq
		}
	}
	return 0
}

func (c *conversation) showBranches(*interrupts, string) error {
	list, err := chat.ReadBranches(context.Background(), c.store, c.chat.ID())
	if err != nil && !errors.Is(err, chat.ErrNoConversation) {
		return err
	}
	if len(list) == 0 {
		return errorf("nothing was said yet")
	}
	var table terminal.Table
	for _, b := range list {
		mark := " "
		if b.Current {
			mark = "*"
		}
		words := text.TruncateRunes(b.Text, terminal.MaxResult)
		table.Row(mark, strconv.FormatInt(b.Seq, 10), cli.LocalTime(b.Time), words)
	}
	return cli.Write(c.out, table.String())
}

func (c *conversation) switchTo(i *interrupts, argument string) error {
	seq, err := numberOf(argument)
	if err != nil {
		return err
	}
	err = c.chat.Branch(context.Background(), seq)
	switch {
	case isNoBranchPoint(err):
		return errorf("the conversation cannot continue after %d; /branches shows the versions, and /history the messages",
			seq)
	case err != nil:
		return err
	}
	if err := c.showHistory(i, ""); err != nil {
		return err
	}
	if c.chat.CanContinue() == nil {
		c.view.Note(c.Say("the last message has no reply; /retry lets the model reply"))
	}
	return nil
}

// isNoBranchPoint reports whether err means that the conversation cannot branch at the number that
// the person gave.
func isNoBranchPoint(err error) bool {
	return errors.Is(err, chat.ErrBranchPoint) || errors.Is(err, chat.ErrNoEntry) ||
		errors.Is(err, chat.ErrNoConversation)
}

// numberOf reads the number of a message or of a branch.
func numberOf(word string) (int64, error) {
	seq, err := strconv.ParseInt(word, 10, 64)
	if err != nil || seq < 1 {
		return 0, errorf("a number is needed (got %q); /history and /branches show the numbers", terminal.Visible(word))
	}
	return seq, nil
}
