package secrets

import (
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// Unmask returns edited, which must be valid JSON, with its masked secrets replaced by the values
// at the same place of original. Places are equal if the same names of members and indexes of
// arrays lead to them, also in strings that contain JSON. Only the name of the secret itself may be
// in another spelling.
func (n Names) Unmask(edited, original json.RawMessage) json.RawMessage {
	var source *value
	if json.Valid(original) {
		v := parse(string(original))
		source = &v
	}
	return json.RawMessage(n.unmask(parse(string(edited)), source).String())
}

// unmask changes the items of v in place. source is the value at the same place of the original, or
// nil if the original has none there.
func (n Names) unmask(v value, source *value) value {
	if source == nil {
		source = &value{}
	}
	if s, ok := v.scalar.(string); ok {
		if original, ok := source.scalar.(string); ok {
			v.scalar = n.unmaskText(s, original)
		}
		return v
	}
	members := source.members()
	var respelled map[string]*value // made if it is needed
	for i, item := range v.items {
		switch {
		case v.open == '{' && n.Has(v.names[i]):
			if item.scalar != Mask {
				continue
			}
			secret := members[v.names[i]]
			if secret == nil {
				if respelled == nil {
					respelled = source.foldedMembers()
				}
				secret = respelled[text.FoldName(v.names[i])]
			}
			if secret != nil {
				v.items[i] = *secret
			}
		case v.open == '{':
			v.items[i] = n.unmask(item, members[v.names[i]])
		case source.open == '[' && i < len(source.items):
			v.items[i] = n.unmask(item, &source.items[i])
		}
	}
	return v
}

// members returns the last member of each name.
func (v *value) members() map[string]*value {
	last := make(map[string]*value, len(v.names))
	for i, name := range v.names {
		last[name] = &v.items[i]
	}
	return last
}

// foldedMembers returns the last member of each folded name. Of members that differ in their names,
// it returns one with the name that sorts first.
func (v *value) foldedMembers() map[string]*value {
	found, chosen := map[string]*value{}, map[string]string{}
	for i, name := range v.names {
		folded := text.FoldName(name)
		if other, ok := chosen[folded]; !ok || name <= other {
			found[folded], chosen[folded] = &v.items[i], name
		}
	}
	return found
}

// unmaskText unmasks a string that may contain JSON. It returns original, byte for byte, if edited
// is the masked form of original.
func (n Names) unmaskText(edited, original string) string {
	if !strings.Contains(edited, Mask) {
		return edited
	}
	if (Masker{Names: n}).Text(original) == edited {
		return original
	}
	values, ok := documents(edited)
	sources, sourcesOK := documents(original)
	if !ok || !sourcesOK || len(values) != len(sources) {
		return edited
	}
	for i := range values {
		values[i] = n.unmask(values[i], &sources[i])
	}
	return join(values)
}
