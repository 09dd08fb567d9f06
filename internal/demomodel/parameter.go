package demomodel

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// kind is what sort of value a parameter takes, as far as its definition tells.
type kind uint8

const (
	kindText kind = iota
	kindOption
	kindSwitch
	kindNumber
	kindList
	kindObject
	kindArithmetic
	kindPath
	kindGlob
	kindRegexp
	kindZone
	kindURL
	kindEmail
	kindDate
	kindPlace
)

// A parameter is one argument that a method takes, as the planner sees it.
type parameter struct {
	protocol.Parameter
	kind    kind
	item    kind     // of the elements, where kind is kindList
	options []string // the values of an enumeration
	samples []string // values that the definition shows
	names   []string // stems of the words of its name
	words   vocabulary
	folder  bool // a path may be a folder
	file    bool // a path may be a file
}

func newParameter(p protocol.Parameter, examples []protocol.ToolRequest) parameter {
	q := parameter{Parameter: p, words: make(vocabulary)}
	q.words.add(splitName(p.Name), 1)
	q.words.add(p.Description, 0.5)
	for _, t := range tokenise(splitName(p.Name)) {
		if t.stem != "" {
			q.names = append(q.names, t.stem)
		} else {
			q.names = append(q.names, t.text)
		}
	}
	for _, raw := range p.Enum {
		if s := jsonText(raw); s != "" {
			q.options = append(q.options, s)
		}
	}
	q.samples = samplesOf(p, examples)
	q.kind = q.findKind()
	if q.kind == kindList {
		item := parameter{Parameter: protocol.Parameter{Name: p.Name, Description: p.Description, Type: itemType(p.Schema)}, samples: q.samples, names: q.names}
		q.item = item.findKind()
	}
	for _, text := range []string{splitName(p.Name) + " " + head(p.Description), p.Description} {
		if said := wordSet(text); !q.folder && !q.file {
			q.folder, q.file = anyOf(said, folderWords), anyOf(said, fileWords)
		}
	}
	if !q.folder && !q.file {
		q.folder, q.file = true, true
	}
	return q
}

// Words that say what sort of value is meant, in a parameter's name or at the head of its description.
var (
	folderWords = set("folder directory dir 目录 文件夹")
	fileWords   = set("file filename document 文件 文档")
)

// kindWords are asked in this order: the narrower kinds first.
var kindWords = []struct {
	kind  kind
	words map[string]bool
}{
	{kindRegexp, set("regex regexp regular 正则")},
	{kindGlob, set("glob wildcard 通配符")},
	{kindZone, set("timezone zone tz 时区")},
	{kindArithmetic, set("expression formula arithmetic 表达式 算式 公式")},
	{kindURL, set("url uri link href webpage 网址 链接")},
	{kindEmail, set("email mail 邮箱 邮件地址")},
	{kindPath, set("path file filename folder directory dir 路径 文件 目录 文件夹")},
	{kindDate, set("date day deadline 日期")},
	{kindPlace, set("city place location country town region 城市 地点 国家 地区")},
}

// plainWords are names that say that a text is just text, whatever their description talks of.
var plainWords = set("query text message content body question term keyword keywords phrase title subject note comment needle name label word words prompt 内容 关键词 标题 消息 文本 名称 名字")

// findKind goes by the type, then by the name, then by the values shown, and last by how the description begins: further on, a
// description talks of other things.
func (p *parameter) findKind() kind {
	switch {
	case len(p.options) > 0:
		return kindOption
	case p.Type == "boolean":
		return kindSwitch
	case p.Type == "integer" || p.Type == "number":
		return kindNumber
	case p.Type == "array":
		return kindList
	case p.Type == "object":
		return kindObject
	}
	name := wordSet(splitName(p.Name))
	if k, ok := kindByWords(name); ok {
		return k
	}
	if anyOf(name, plainWords) {
		return kindText
	}
	if k, ok := kindBySamples(p.samples); ok {
		return k
	}
	if k, ok := kindByWords(wordSet(head(p.Description))); ok {
		return k
	}
	return kindText
}

func kindByWords(said map[string]bool) (kind, bool) {
	for _, k := range kindWords {
		if anyOf(said, k.words) {
			return k.kind, true
		}
	}
	return kindText, false
}

func kindBySamples(samples []string) (kind, bool) {
	for _, s := range samples {
		if e := findArithmetic(s); len(e) == 1 && e[0].start == 0 && e[0].end == len(s) {
			return kindArithmetic, true
		}
		_, zone := zoneOf(s)
		switch {
		case strings.Contains(s, "*") && !strings.Contains(s, " "):
			return kindGlob, true
		case zone && strings.Contains(s, "/"):
			return kindZone, true
		case urlForm.MatchString(s):
			return kindURL, true
		case emailForm.MatchString(s):
			return kindEmail, true
		case dateForm.MatchString(s):
			return kindDate, true
		case pathStrength(s) == pathSure:
			return kindPath, true
		}
	}
	return kindText, false
}

// wordSet returns the words of a text, and for Chinese every piece of two to four characters.
func wordSet(s string) map[string]bool {
	words := make(map[string]bool)
	for _, t := range tokenise(s) {
		if t.stem != "" {
			w := strings.ToLower(t.text)
			words[w] = true
			words[strings.TrimSuffix(w, "s")] = true
			continue
		}
		r := []rune(t.text)
		for i := range r {
			for n := 2; n <= 4 && i+n <= len(r); n++ {
				words[string(r[i:i+n])] = true
			}
		}
	}
	return words
}

func anyOf(said, words map[string]bool) bool {
	for w := range said {
		if words[w] {
			return true
		}
	}
	return false
}

// head returns the first words of a description: what the value is, before what it is for.
func head(description string) string {
	if i := strings.IndexAny(description, ",.;:(（，。；："); i >= 0 {
		description = description[:i]
	}
	words := strings.Fields(description)
	for i, w := range words {
		switch strings.ToLower(w) {
		case "to", "of", "in", "for", "that", "which", "where", "under", "from":
			if i > 0 {
				return strings.Join(words[:i], " ")
			}
		}
	}
	return description
}

// The words after which a description shows values.
var sampleCue = regexp.MustCompile(`(?i)such as|e\.g\.|for example|for instance|例如|比如|像`)

var quotedForm = regexp.MustCompile("`([^`\n]+)`" + `|"([^"\n]+)"|“([^”\n]+)”|'([^'\n]+)'`)

// samplesOf collects the values that a definition shows: in examples, as the default, and in the description.
func samplesOf(p protocol.Parameter, examples []protocol.ToolRequest) []string {
	var samples []string
	for _, e := range examples {
		for _, a := range e.Arguments {
			if a.Name == p.Name {
				samples = append(samples, a.Value)
			}
		}
	}
	if s := jsonText(p.Default); s != "" {
		samples = append(samples, s)
	}
	for _, m := range quotedForm.FindAllStringSubmatch(p.Description, -1) {
		samples = append(samples, strings.Join(m[1:], ""))
	}
	if at := sampleCue.FindStringIndex(p.Description); at != nil {
		rest := p.Description[at[1]:]
		if i := strings.IndexAny(rest, ";；。()"); i > 0 && rest[i] != '(' && rest[i] != ')' {
			rest = rest[:i]
		}
		for _, s := range regexp.MustCompile(`,\s+| or | and |、|，|或`).Split(rest, -1) {
			samples = append(samples, strings.Trim(s, " .\t\"'`“”"))
		}
	}
	return samples
}

// jsonText returns the text of a JSON string, and any other value as it is written.
func jsonText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(raw))
}

func itemType(schema json.RawMessage) string {
	var shape struct {
		Items struct {
			Type string `json:"type"`
		} `json:"items"`
	}
	_ = json.Unmarshal(schema, &shape)
	return shape.Items.Type
}
