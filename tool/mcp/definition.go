package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// definition is a tool or a prompt of a server, or a method on its resources. It becomes a method.
type definition struct {
	name               string // as the server calls it
	title, description string
	parameters         json.RawMessage
	risk               tool.Risk
	handler            tool.Handler
	ours               bool // this package wrote the definition, so it is not pinned
}

// promptLead begins the descriptions of the methods of prompts.
const promptLead = "Returns a prepared text. "

// pin returns the pin of a definition.
func (d *definition) pin() Pin {
	return Pin{
		Time: time.Now().UTC().Truncate(time.Second), Title: hash(d.title), Description: hash(strings.TrimPrefix(d.description, promptLead)),
		Parameters: hash(string(d.parameters)), Risk: d.risk,
	}
}

// hash returns a cryptographic hash of a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// maxShownDescription is how many bytes of a changed description a person is shown.
const maxShownDescription = 400

// changesFrom returns for people how the definition differs from the pinned one.
func (d *definition) changesFrom(p Pin) string {
	now := d.pin()
	var parts []string
	for _, part := range []struct {
		name string
		same bool
	}{
		{"title", p.Title == now.Title},
		{"parameters", p.Parameters == now.Parameters},
		{"risk", p.Risk == now.Risk},
		{"description", p.Description == now.Description},
	} {
		if !part.same {
			parts = append(parts, part.name)
		}
	}
	s := fmt.Sprintf("since %s the server has changed its %s", p.Time.Format(time.DateOnly), strings.Join(parts, ", "))
	if p.Description != now.Description {
		s += fmt.Sprintf(", which is now %q", clean(d.description, maxShownDescription))
	}
	return s
}
