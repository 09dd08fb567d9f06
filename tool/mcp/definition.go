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

// definition describes a tool or prompt of a server, or one of this package's methods on the
// server's resources. catalog.build converts it to a method.
type definition struct {
	name               string // as the server writes it; with promptPrefix for a prompt
	title, description string
	parameters         json.RawMessage
	risk               tool.Risk
	handler            tool.Handler
	ours               bool // this package wrote the definition, so it is not pinned
}

// promptLead begins the description of each method that is made of a prompt.
const promptLead = "Returns a prepared text. "

// pin returns the pin of a definition.
func (d *definition) pin() Pin {
	return Pin{
		Time: time.Now().UTC().Truncate(time.Second), Title: hash(d.title),
		Description: hash(strings.TrimPrefix(d.description, promptLead)),
		Parameters:  hash(string(d.parameters)), Risk: d.risk,
	}
}

// hash returns a cryptographic hash of a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16]) // 128 bits suffice, and the pins stay short
}

// maxShownDescription limits the changed description that a person sees, in bytes.
const maxShownDescription = 400

// changesFrom returns a sentence for people that names the parts that differ from the pinned ones.
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
	s := fmt.Sprintf("since %s the server has changed the %s", p.Time.Format(time.DateOnly), strings.Join(parts, ", "))
	if p.Description != now.Description {
		s += fmt.Sprintf(", which is now %q", clean(d.description, maxShownDescription))
	}
	return s
}
