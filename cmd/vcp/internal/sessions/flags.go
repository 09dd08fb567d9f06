package sessions

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/internal/message"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// Flags say where a conversation is kept, and which one is continued.
type Flags struct {
	file     string // of the store; "" means the user's own store
	None     bool   // keep nothing
	Owner    string // of the conversation; "" means no owner
	name     string // of the conversation; "" means a new conversation, unless newest or Finishes is set
	newest   bool   // continue the newest conversation
	Finishes bool   // only finish a turn that was interrupted
	flags    *pflag.FlagSet
}

// Add adds the flags.
func (s *Flags) Add(f *pflag.FlagSet) {
	s.flags = f
	addStore(f, &s.file)
	f.BoolVar(&s.None, "no-store", false, "keep neither the conversation, nor what you type, nor the definitions of MCP tools")
	f.StringVar(&s.Owner, "owner", "",
		"`NAME` owns a new conversation, and only conversations of NAME can be continued; "+
			"without it, only those that nobody owns")
	f.StringVar(&s.name, "session", "", "continue the conversation `NAME`, or begin it under that name")
	f.BoolVar(&s.newest, "continue", false, "continue the newest conversation")
	f.BoolVar(&s.Finishes, "resume", false,
		"only finish the interrupted turn of the conversation that --session names, or of the newest one")
}

func addStore(f *pflag.FlagSet, file *string) {
	f.StringVar(file, "store", "", "keep conversations in `FILE` in place of the user's own store")
}

// Check refuses flags that cannot be used together.
func (s *Flags) Check(args []string) error {
	switch {
	case s.flags.Changed("session") && s.name == "", s.flags.Changed("owner") && s.Owner == "":
		return cli.Usagef("--session and --owner must not be empty; omit the flag, or give it a name")
	case s.None && (s.file != "" || s.Owner != "" || s.name != "" || s.newest || s.Finishes):
		return cli.Usagef("--no-store keeps nothing, " +
			"so --store, --owner, --session, --continue and --resume are not allowed with it")
	case s.name != "" && s.newest:
		return cli.Usagef("--session %q and --continue cannot be used together; omit one of them", s.name)
	case s.Finishes && len(args) > 0:
		return cli.Usagef("--resume only finishes a turn, and a message was given: %q; send it with --continue", args[0])
	}
	return nil
}

// Open opens the store. The caller calls closeStore at the end. The store is in memory if
// --no-store is given, or if the user's own store cannot be opened and no flag needs it. In the
// second case Open calls note with the reason.
func (s *Flags) Open(ctx context.Context, note func(*message.Text)) (store chat.Store, closeStore func(), err error) {
	inMemory := func() (chat.Store, func(), error) { return chat.NewMemoryStore(), func() {}, nil }
	if s.None {
		return inMemory()
	}
	file, err := openStore(ctx, s.file)
	if err != nil && s.file == "" && s.name == "" && !s.newest && !s.Finishes {
		note(cli.Message("the conversation is not kept: %v", err))
		return inMemory()
	}
	if err != nil {
		return nil, nil, err
	}
	return file, func() { _ = file.Close() }, nil // no data is lost: each step was stored at once
}

// Files returns the file that --store names, with the files that SQLite keeps beside it, or nil
// without --store.
func (s *Flags) Files() []string {
	if s.file == "" {
		return nil
	}
	return []string{s.file, s.file + "-wal", s.file + "-shm"}
}

// Choose returns the name of the conversation, and whether it is in the store. A store may belong
// to an application with many users, so only a conversation of the given owner is continued.
func (s *Flags) Choose(ctx context.Context, store chat.Store) (name string, exists bool, err error) {
	switch {
	case s.name != "":
		m, err := store.Metadata(ctx, s.name)
		if err == nil && m.Unfinished() { // an import that has not ended
			err = chat.ErrNoConversation
		}
		if errors.Is(err, chat.ErrNoConversation) && !s.Finishes {
			return s.name, false, nil
		}
		if err == nil && m.Owner != s.Owner {
			err = otherOwner(&m)
		}
		return s.name, err == nil, err
	case s.newest || s.Finishes:
		list, _, err := listFinished(ctx, store, chat.ListOptions{Owner: s.Owner, Unowned: s.Owner == "", Limit: 1})
		if err == nil && len(list) == 0 {
			err = s.nothingToContinue(ctx, store)
		}
		if err != nil {
			return "", false, err
		}
		return list[0].ID, true, nil
	}
	return NewName(), false, nil
}

// nothingToContinue returns an error that says why there is no conversation to continue.
func (s *Flags) nothingToContinue(ctx context.Context, store chat.Store) error {
	others, _, err := listFinished(ctx, store, chat.ListOptions{Limit: 1})
	switch {
	case err != nil:
		return err
	case len(others) == 0:
		return cli.Message("there is no conversation yet; begin one without --continue and --resume")
	}
	return otherOwner(&others[0])
}

// otherOwner returns an error about a conversation whose owner is not the one that --owner names.
func otherOwner(m *chat.Metadata) error {
	if m.Owner == "" {
		return cli.Message("conversation %q has no owner; omit --owner to continue it", m.ID)
	}
	return cli.Message("conversation %q belongs to %q; name the owner with --owner to continue it", m.ID, m.Owner)
}

// NewName returns a short name that sorts by time. It ends in random letters and digits, so that no
// other conversation is likely to have it.
func NewName() string {
	return time.Now().Format("2006-01-02-1504-") + strings.ToLower(rand.Text()[:6])
}

// openStore opens the store in a file; "" means the user's own store.
func openStore(ctx context.Context, file string) (*sqlitestore.Store, error) {
	if file == "" {
		dir, err := cli.UserDir("XDG_DATA_HOME")
		if err != nil {
			return nil, cli.Message("there is no directory for conversations: %v; name a file with --store", err)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, cli.Message("the directory for conversations cannot be made: %v; name a file with --store", err)
		}
		file = filepath.Join(dir, "conversations.db")
	}
	return sqlitestore.Open(ctx, file, sqlitestore.Options{})
}
