package mcp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/redact"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

const (
	maxText      = 4 << 20 // limits the text of one result, in bytes
	maxErrorText = 4 << 10 // limits the server's message about a failure, in bytes
	maxFileName  = 100     // limits the name of a file, in bytes, without an added extension
	maxFiles     = 100     // limits the files of one result
)

// Details is the type of tool.Output.Details for results of this package.
type Details struct {
	// Server is the server's name in the configuration. Method is the server's name of the tool,
	// "prompt:" and the server's name of the prompt, "resources:list" or "resources:read".
	Server string `json:"server"`
	Method string `json:"method"`
	// Structured is the result as the server's output schema describes it. nil means that the
	// server sent only content.
	Structured any `json:"structuredContent,omitempty"`
	// Resources describes the resources that the result contains or refers to.
	Resources []ResourceDetails `json:"resources,omitempty"`
}

// ResourceDetails describes a resource of a result.
type ResourceDetails struct {
	URI         string `json:"uri"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	MediaType   string `json:"mediaType,omitempty"`
	// File is the name of the file that contains the resource. It is "" if the text contains the
	// resource, or if the result only refers to it.
	File string `json:"file,omitempty"`
}

// builder builds a tool.Output from the content that a server sends. The text of the output has the
// server's texts, and one line about each file.
type builder struct {
	server, method string
	redactor       *redact.Redactor // masks secrets in the text of a failure
	language       string           // the language of the lines about files
	parts          []string
	size           int // bytes of parts
	files          []tool.File
	dropped        int            // number of files that were dropped because of maxFiles
	names          map[string]int // for each file name in use, the last number tried to make it unique; 1 if none was
	resources      []ResourceDetails
	listed         int // bytes of the resources that listResource added
}

// newBuilder returns a builder for the result of a call of a method.
func (s *endpoint) newBuilder(method string, call *tool.Call) *builder {
	return &builder{server: s.config.Name, method: method, redactor: s.redactor, language: call.Language}
}

// add adds a text, truncated if the text of the output would exceed maxText.
func (b *builder) add(s string) {
	if room := maxText - b.size; len(s) > room {
		s = text.TruncateBytes(s, max(0, room))
	}
	b.size += len(s)
	b.parts = append(b.parts, s)
}

// each calls add for each part of a result. It stops when ctx ends, and returns the error of ctx.
func each[T any](ctx context.Context, parts []T, add func(T)) error {
	for _, p := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		add(p)
	}
	return nil
}

func (b *builder) content(c sdk.Content) {
	switch c := c.(type) {
	case *sdk.TextContent:
		b.add(c.Text)
	case *sdk.ImageContent:
		b.media("image", c.MIMEType, c.Data)
	case *sdk.AudioContent:
		b.media("audio", c.MIMEType, c.Data)
	case *sdk.EmbeddedResource:
		b.resource(c.Resource)
	case *sdk.ResourceLink:
		d := ResourceDetails{URI: c.URI, Name: c.Name, Description: c.Description, MediaType: c.MIMEType}
		b.resources = append(b.resources, d)
		b.add(say(b.language, "[resource %s]", strings.Join(nonEmpty(c.URI, c.Name, c.MIMEType, c.Description), ", ")))
	default:
		b.add(say(b.language, "[content of the type %T, which is not shown]", c))
	}
}

// media adds an image or audio as a file.
func (b *builder) media(kind, mediaType string, data []byte) {
	name := b.file(fmt.Sprintf("%s-%d%s", kind, len(b.files)+1, extension(mediaType)), mediaType, data)
	if name == "" {
		return
	}
	b.add(say(b.language, "[%s %s, %s, %d bytes; the user sees it, you do not]", chinese.MCP.Text(kind), name, mediaType, len(data)))
}

// listResource adds a line about a resource.
func (b *builder) listResource(d ResourceDetails) {
	b.add(strings.Join(nonEmpty(d.URI, d.Name, d.MediaType, clean(d.Description, shownOutput)), ", "))
	b.resources = append(b.resources, d)
	b.listed += len(d.URI) + len(d.Name) + len(d.MediaType) + len(d.Description)
}

// resource adds the contents of a resource: text to the text of the output, anything else as a
// file.
func (b *builder) resource(r *sdk.ResourceContents) {
	if r == nil {
		return
	}
	d := ResourceDetails{URI: r.URI, MediaType: r.MIMEType}
	if r.Blob == nil {
		b.add(say(b.language, "[resource %s]", r.URI) + "\n" + r.Text)
	} else {
		if d.File = b.file(fileName(r.URI, r.MIMEType), r.MIMEType, r.Blob); d.File == "" {
			return
		}
		b.add(say(b.language, "[resource %s, file %s, %s, %d bytes; the user sees it, you do not]", r.URI, d.File, r.MIMEType, len(r.Blob)))
	}
	b.resources = append(b.resources, d)
}

// file adds a file, and returns its name, which is unique. It returns "" if there are too many
// files.
func (b *builder) file(name, mediaType string, data []byte) string {
	if len(b.files) == maxFiles {
		b.dropped++
		return ""
	}
	if b.names == nil {
		b.names = map[string]int{}
	}
	wanted, ext := name, path.Ext(name)
	for b.names[name] > 0 {
		b.names[wanted]++
		name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(wanted, ext), b.names[wanted], ext)
	}
	b.names[name] = 1
	b.files = append(b.files, tool.File{Name: name, MediaType: mediaType, Data: data})
	return name
}

// output returns the output. If failed is set, it returns the text as an error instead.
func (b *builder) output(structured any, failed bool) (tool.Output, error) {
	if b.dropped > 0 {
		b.add(say(b.language, "[%d files were dropped, since a result may have %d]", b.dropped, maxFiles))
	}
	if len(b.parts) == 0 && structured != nil {
		if whole, err := orderedjson.Encode(structured); err == nil {
			b.add(string(whole))
		}
	}
	joined := strings.Join(b.parts, "\n")
	if failed {
		return tool.Output{}, errors.New(b.redactor.Text(joined, maxErrorText))
	}
	details := Details{Server: b.server, Method: b.method, Structured: structured, Resources: b.resources}
	return tool.Output{Text: joined, Details: details, Files: b.files}, nil
}

// fileName returns a file name for the address of a resource.
func fileName(uri, mediaType string) string {
	uri, _, _ = strings.Cut(uri, "?")
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, path.Base(text.Valid(uri)))
	name = strings.TrimLeft(text.Prefix(name, maxFileName), ".")
	if strings.Trim(name, "_.-") == "" {
		name = "resource"
	}
	if path.Ext(name) == "" {
		name += extension(mediaType)
	}
	return name
}

// extension returns the usual file extension for a media type, or ".bin".
func extension(mediaType string) string {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	known := map[string]string{
		"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
		"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg",
		"application/pdf": ".pdf", "application/json": ".json", "application/gzip": ".gz", "application/zip": ".zip",
		"text/plain": ".txt", "text/html": ".html", "text/csv": ".csv", "text/markdown": ".md",
	}
	if ext, ok := known[strings.ToLower(strings.TrimSpace(mediaType))]; ok {
		return ext
	}
	return ".bin"
}

func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
