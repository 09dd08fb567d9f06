// Package conversation runs vcp chat: one message, lines of input, or an interactive prompt.
package conversation

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
	"github.com/vcpgo/vcp/cmd/vcp/internal/sessions"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// conversation is a chat with a person or a program.
type conversation struct {
	phrases
	engines  *engineOpener
	settings *configuration.Settings // with the current model
	engine   *engine.Engine
	model    *modelclient.Client
	system   string
	registry *tool.Registry
	view     *terminal.View
	events   *eventWriter // writes the events as JSON; nil if the view shows them
	out      io.Writer
	stderr   io.Writer
	server   *modelclient.Flags // name the model server; server.Explain adds a hint to its errors
	stats    statsForm

	store        chat.Store
	keepsNothing bool   // --no-store was given
	owner        string // the owner of new conversations
	chat         *chat.Conversation
	mu           sync.Mutex // held while chat or ended changes: an interrupt may end the conversation
	ended        bool       // end has run for chat
}

// options returns the options of the conversation with that ID.
func (c *conversation) options(id string) chat.Options {
	return chat.Options{ID: id, System: c.system, Store: c.store, Owner: c.owner}
}

// clear begins a new conversation.
func (c *conversation) clear() error {
	return c.start(chat.New(c.engine, c.options(sessions.NewName())))
}

// start makes next the current conversation if err is nil. It returns err.
func (c *conversation) start(next *chat.Conversation, err error) error {
	if err == nil {
		c.makeCurrent(next)
	}
	return err
}

// openSession begins or continues the conversation that the flags name.
func (c *conversation) openSession(flags *sessions.Flags) error {
	ctx := context.Background()
	name, exists, err := flags.Choose(ctx, c.store)
	if err != nil {
		return err
	}
	if exists {
		return c.start(chat.Open(ctx, c.engine, c.options(name)))
	}
	return c.start(chat.New(c.engine, c.options(name)))
}

// useModel continues the conversation with another model of the same server.
func (c *conversation) useModel(name string) error {
	if c.model.Demo != nil {
		return errorf("the demo model is the only one here; quit, and name a server with --base-url")
	}
	settings := c.settings.Clone()
	settings.Own[configuration.Model], settings.From[configuration.Model] = name, "/model"
	e, client, err := c.engines.open(settings)
	if err != nil {
		return err
	}
	continued, err := c.continued(e)
	if err != nil {
		client.Close()
		return err
	}
	c.makeCurrent(continued)
	c.model.Close()
	c.settings, c.engine, c.model = settings, e, client
	return nil
}

// modelText names the current model and its server.
func (c *conversation) modelText() *message.Text {
	const at = " at "
	text := terminal.Visible(c.model.String())
	if i := strings.LastIndex(text, at); i >= 0 { // the last one, because an address contains no blanks
		return errorf("%s at %s", text[:i], text[i+len(at):])
	}
	return errorf("%s", text)
}

// continued returns the conversation as it is now, on another engine.
func (c *conversation) continued(e *engine.Engine) (*chat.Conversation, error) {
	o := c.options(c.chat.ID())
	if _, begun := c.chat.Last(); !begun { // the store does not have the conversation yet
		return chat.New(e, o)
	}
	return chat.Open(context.Background(), e, o)
}

// makeCurrent ends the current conversation, if there is one, and makes next the current one.
func (c *conversation) makeCurrent(next *chat.Conversation) {
	if c.chat != nil {
		c.end()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chat, c.ended = next, false
}

// end ends the current conversation, and shows its statistics. Further calls have no effect.
func (c *conversation) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.ended = true
		c.writeStats(c.stderr, c.stats, c.chat.Tools().Session().Stats())
	}
}

// quit ends the program with a failure, whether a person or another program asked for the end.
func (c *conversation) quit(bool) {
	c.end()
	os.Exit(cli.ExitFailure)
}
