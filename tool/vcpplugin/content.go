package vcpplugin

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// part is one part of a message's content, in the form of OpenAI.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// Image, Audio and Video are an object with the member url, or the URL itself.
	Image json.RawMessage `json:"image_url"`
	Audio json.RawMessage `json:"audio_url"`
	Video json.RawMessage `json:"video_url"`
}

// url returns the address of an image, sound or video, or "" for a text.
func (p *part) url() string {
	for _, v := range []json.RawMessage{p.Image, p.Audio, p.Video} {
		var object struct {
			URL string `json:"url"`
		}
		if json.Unmarshal(v, &object) == nil && object.URL != "" {
			return object.URL
		}
		if s := orderedjson.NonNullText(v); s != "" {
			return s
		}
	}
	return ""
}

const (
	maxFiles    = 20   // how many files one result may have
	maxURL      = 2000 // how many bytes of a URL the model reads
	maxNamePart = 20   // how many bytes of each half of a media type the name of a file contains
)

// contentOutput returns the text and the files of a result that consists of content parts. ok is
// false for any other result.
func contentOutput(result json.RawMessage, language string) (out tool.Output, ok bool) {
	var object struct {
		Content json.RawMessage `json:"content"`
		Details json.RawMessage `json:"details"`
	}
	switch {
	case len(result) == 0:
		return out, false
	case result[0] == '[':
		object.Content = result
	case json.Unmarshal(result, &object) != nil:
		return out, false
	}
	var raw []json.RawMessage
	if json.Unmarshal(object.Content, &raw) != nil || len(raw) == 0 {
		return out, false
	}
	var texts []string
	for _, r := range raw {
		var p part
		if json.Unmarshal(r, &p) != nil || p.Type == "" {
			return tool.Output{}, false
		}
		switch url := p.url(); {
		case url != "":
			texts = append(texts, addFile(&out, url, language))
		case p.Type == "text":
			texts = append(texts, p.Text)
		default:
			texts = append(texts, string(r))
		}
	}
	if object.Details != nil {
		out.Details = object.Details
	}
	out.Text = strings.Join(texts, "\n")
	return out, true
}

// addFile adds the content of a data URL to the files, and returns the text that the model reads
// instead. Other URLs are only named in the text.
func addFile(out *tool.Output, url, language string) string {
	if !strings.HasPrefix(url, "data:") {
		return say(language, "[file at %s]", text.TruncateBytes(url, maxURL))
	}
	if len(out.Files) == maxFiles {
		return say(language, "[a file was dropped, since a result may have at most %d files]", maxFiles)
	}
	mediaType, data, err := decodeDataURL(url)
	if err != nil {
		return say(language, "[a file was dropped: %v]", err)
	}
	kind, subtype, _ := strings.Cut(mediaType, "/")
	extension := cleanName(strings.TrimSuffix(subtype, "+xml"), maxNamePart)
	name := fmt.Sprintf("%s-%d.%s", cleanName(kind, maxNamePart), len(out.Files)+1, extension)
	name = strings.ReplaceAll(name, "/", "-") // cleanName keeps slashes
	out.Files = append(out.Files, tool.File{Name: name, MediaType: mediaType, Data: data})
	return say(language, "[the user sees the file %s, %d bytes]", name, len(data))
}

// decodeDataURL returns the content of a data URL in base64.
func decodeDataURL(url string) (mediaType string, data []byte, err error) {
	head, body, found := strings.Cut(strings.TrimPrefix(url, "data:"), ",")
	declared, isBase64 := strings.CutSuffix(head, ";base64")
	if !found || !isBase64 {
		return "", nil, chinese.VCPPlugin.Text("it is not a data URL in base64")
	}
	if mediaType, _, err = mime.ParseMediaType(declared); err != nil || !strings.Contains(mediaType, "/") {
		mediaType = "application/octet-stream"
	}
	body = strings.Map(func(r rune) rune {
		if r == '\r' || r == '\n' || r == ' ' {
			return -1
		}
		return r
	}, body)
	data, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	return mediaType, data, err
}
