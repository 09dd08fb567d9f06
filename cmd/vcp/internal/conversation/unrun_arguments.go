package conversation

import (
	"encoding/json"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// unrunArgumentsText returns the arguments of a call that does not run, with secrets masked. No
// schema has checked these arguments.
func unrunArgumentsText(registry *tool.Registry, q *protocol.ToolRequest) string {
	meant, _ := registry.Resolve(q.ToolName, q.Command, nil)
	if meant.Entry == nil {
		return terminal.ArgumentsText(maskLikelySecrets(registry, q.Arguments), terminal.MaxValue)
	}
	return terminal.ArgumentsText(meant.Entry.MaskRequest(q.Arguments), terminal.MaxValue)
}

// commonSecretNames are names under which tools often take secrets. Names that differ only in case,
// hyphens, underscores and white space are equal.
var commonSecretNames = []string{
	"access key", "access token", "api key", "auth token", "authorization", "client secret", "cookie", "credential",
	"credentials", "passphrase", "passwd", "password", "private key", "secret", "secret key", "token",
}

// maskLikelySecrets returns the arguments of a request for an unknown method as a JSON object. It
// masks values whose name is one of commonSecretNames, or the name of a secret parameter of any
// method, because the model may have misspelled the name of that method. It also masks texts that
// may contain a secret.
func maskLikelySecrets(registry *tool.Registry, arguments []protocol.Argument) json.RawMessage {
	list := commonSecretNames
	for _, e := range registry.Entries() {
		list = append(list, e.Method.SecretParameters...)
	}
	names := secrets.NewNames(list)
	masker := secrets.Masker{Names: names, Unsure: true}
	object := []byte{'{'}
	for i, a := range arguments {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(object, orderedjson.String(a.Name)...), ':')
		switch {
		case names.Has(a.Name):
			object = append(object, orderedjson.String(tool.Masked)...)
		case a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)):
			object = append(object, masker.Document(a.Value)...)
		default:
			object = append(object, orderedjson.String(masker.Text(a.Value))...)
		}
	}
	return append(object, '}')
}
