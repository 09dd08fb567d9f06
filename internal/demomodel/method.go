package demomodel

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// How much a word counts by its place in a definition. Names are chosen with more care than sentences.
const (
	weightName        = 1.5
	weightTitle       = 1.2
	weightOption      = 0.9 // a value that a parameter may have
	weightDescription = 0.8
	weightParameter   = 0.6
	weightAlias       = 0.4 // short names are everyday words too often
	weightRemark      = 0.3 // the description of a parameter
)

// A vocabulary is the stems of a text, and how much each counts.
type vocabulary map[string]float64

func (v vocabulary) add(text string, weight float64) {
	for _, t := range tokenize(text) {
		for _, s := range t.stems {
			v[s] = max(v[s], weight)
		}
	}
}

func (v vocabulary) has(t token) bool {
	return slices.ContainsFunc(t.stems, func(s string) bool { return v[s] > 0 })
}

// A method is a definition with its words.
type method struct {
	protocol.ToolDefinition
	words      vocabulary // all of them
	named      vocabulary // those of its names and of its action, which are no values
	action     vocabulary // what it does
	reads      bool       // it changes nothing, as far as its words tell
	parameters []parameter
}

// readingVerbs begin the names and descriptions of methods that only tell something, and so do
// articles. Those of changingVerbs do more. What a method with another verb does is not known.
var (
	readingVerbs = stemSet(`a an the answer calculate check compare compute convert count describe display evaluate explain fetch find get give
		inspect list look lookup measure print query read return retrieve search show sum tell translate view watch
		查询 计算 告诉 列出 读取 搜索 查找 查看 获取 显示 翻译`)
	changingVerbs = stemSet(`add append buy cancel change clear close copy create delete destroy disable drop edit empty enable erase execute
		insert install kill modify move order pay post publish purge put remove rename replace reset restart run save send set start stop
		submit transfer update upload write 删除 移除 清空 取消 发送 写入 修改 更新 创建 支付 购买 添加 移动 执行`)
)

func newMethod(d protocol.ToolDefinition) *method {
	m := &method{ToolDefinition: d, words: vocabulary{}, named: vocabulary{}, action: vocabulary{}}
	m.words.add(splitName(d.ToolName), weightName)
	m.words.add(splitName(d.Command), weightAlias)
	m.words.add(d.Title, weightTitle)
	m.named.add(splitName(d.ToolName)+" "+d.Title, 1)
	m.words.add(d.Description, weightDescription)
	for _, p := range d.Parameters {
		q := newParameter(p, d.Examples)
		m.words.add(splitName(p.Name), weightParameter)
		m.named.add(splitName(p.Name), 1)
		m.words.add(p.Description, weightRemark)
		for _, option := range q.options {
			m.words.add(splitName(option), weightOption)
		}
		m.parameters = append(m.parameters, q)
	}
	m.findAction()
	return m
}

// findAction takes as what the method does the first word of its description, and of its name the
// changing verbs, or else all words after the first.
func (m *method) findAction() {
	verb := firstWord(m.Description)
	m.reads = says(verb, readingVerbs)
	name, changing := strings.Fields(splitName(m.ToolName)), verb
	for _, word := range name {
		m.reads = m.reads || says(word, readingVerbs)
		if says(word, changingVerbs) {
			changing += " " + word
		}
	}
	switch {
	case says(changing, changingVerbs) && changing != verb:
		m.action.add(changing, 1)
	default:
		m.action.add(verb+" "+strings.Join(name[min(1, len(name)-1):], " "), 1)
	}
	m.reads = m.reads && !says(changing, changingVerbs)
	for s := range m.action {
		m.named[s] = 1
	}
}

// firstWord returns the first word of a description; of Chinese the first two characters.
func firstWord(description string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(description), " ")
	if r := []rune(word); hasHan(word) && len(r) > 2 {
		return string(r[:2])
	}
	return word
}

// spoken reports whether the words of a question name what the method does, and do not negate it.
func (m *method) spoken(tokens []token) bool {
	for i, t := range tokens {
		if m.action.has(t) && !negated(tokens[:i]) {
			return true
		}
	}
	return false
}

var negations = set("not no non without don't doesn't never skip exclude excluding")

// negated reports whether one of the last three words before another negates it.
func negated(before []token) bool {
	return slices.ContainsFunc(before[max(0, len(before)-3):], func(t token) bool { return negations[t.text] })
}

// A parameter is one argument that a method takes, as far as its definition tells.
type parameter struct {
	protocol.Parameter
	kind    kind
	item    kind       // of the elements, if kind is kindList
	options []string   // the values of an enumeration
	names   []string   // the stems of its name
	words   vocabulary // of its name and its description
	folder  bool       // a path may be a folder
	file    bool       // a path may be a file
}

func newParameter(p protocol.Parameter, examples []protocol.ToolRequest) parameter {
	q := parameter{Parameter: p, words: vocabulary{}}
	name := splitName(p.Name)
	q.words.add(name, 1)
	q.words.add(p.Description, 0.5)
	for _, t := range tokenize(name) {
		q.names = append(q.names, stem(t.text))
	}
	for _, raw := range p.Enum {
		if text := jsonText(raw); text != "" {
			q.options = append(q.options, text)
		}
	}
	samples := samplesOf(p, examples)
	q.kind = kindOf(p, samples)
	if q.kind == kindList {
		var schema struct{ Items struct{ Type string } }
		_ = json.Unmarshal(p.Schema, &schema)
		q.item = kindOf(protocol.Parameter{Name: p.Name, Description: p.Description, Type: schema.Items.Type}, samples)
	}
	for _, text := range []string{name + " " + head(p.Description), p.Description} {
		if !q.folder && !q.file {
			q.folder, q.file = says(text, folderWords), says(text, fileWords)
		}
	}
	if !q.folder && !q.file {
		q.folder, q.file = true, true
	}
	return q
}

var (
	folderWords = stemSet("folder directory dir 目录 文件夹")
	fileWords   = stemSet("file filename document 文件 文档")

	// kindWords name kinds of values, the narrower ones first.
	kindWords = []struct {
		kind  kind
		words map[string]bool
	}{
		{kindGlob, stemSet("glob wildcard 通配符")},
		{kindZone, stemSet("timezone zone tz 时区")},
		{kindArithmetic, stemSet("expression formula arithmetic 表达式 算式 公式")},
		{kindPath, stemSet("path file filename folder directory dir 路径 文件 目录 文件夹")},
		{kindDate, stemSet("date day deadline 日期")},
	}
	// plainWords are names of any text, whatever the description speaks of.
	plainWords = stemSet(`query text message content body question term keyword phrase title subject note comment needle name label word prompt
		内容 关键词 标题 消息 文本 名称 名字`)
)

// kindOf goes by the type, the name, the values shown, and the beginning of the description: the
// rest of it speaks of other things.
func kindOf(p protocol.Parameter, samples []string) kind {
	types := map[string]kind{"boolean": kindSwitch, "integer": kindNumber, "number": kindNumber, "array": kindList, "object": kindObject}
	if k := types[p.Type]; len(p.Enum) > 0 || k != kindText {
		if len(p.Enum) > 0 {
			return kindOption
		}
		return k
	}
	name := splitName(p.Name)
	for _, k := range kindWords {
		if says(name, k.words) {
			return k.kind
		}
	}
	if says(name, plainWords) {
		return kindText
	}
	for _, s := range samples {
		if strings.Contains(s, "/") && zoneOf(s) != "" {
			return kindZone
		}
		for _, v := range findValues(s).of(kindArithmetic, kindGlob, kindDate, kindPath) {
			if v.start == 0 && v.end == len(s) {
				return v.kind
			}
		}
	}
	for _, k := range kindWords {
		if says(head(p.Description), k.words) {
			return k.kind
		}
	}
	return kindText
}

// headEnd ends what a value is, before what it is for.
var headEnd = regexp.MustCompile(`(?i)[,.;:(，。；：（]|.\b(?:to|of|in|for|that|which|where|under|from)\b`)

func head(description string) string {
	if at := headEnd.FindStringIndex(description); at != nil {
		return description[:at[0]]
	}
	return description
}

var (
	quotedForm = regexp.MustCompile("`([^`\n]+)`" + `|"([^"\n]+)"|“([^”\n]+)”|'([^'\n]+)'`)
	sampleCue  = regexp.MustCompile(`(?i)(?:such as|e\.g\.|for example|for instance|例如|比如|像)([^;；。]*)`)
	sampleEnd  = regexp.MustCompile(`,\s+| or | and |、|，|或`)
)

// samplesOf returns the values that a definition shows: in examples, as the default, and in the description.
func samplesOf(p protocol.Parameter, examples []protocol.ToolRequest) []string {
	var samples []string
	for _, e := range examples {
		for _, a := range e.Arguments {
			if a.Name == p.Name {
				samples = append(samples, a.Value)
			}
		}
	}
	samples = append(samples, jsonText(p.Default))
	for _, m := range quotedForm.FindAllStringSubmatch(p.Description, -1) {
		samples = append(samples, strings.Join(m[1:], ""))
	}
	if m := sampleCue.FindStringSubmatch(p.Description); m != nil {
		for _, s := range sampleEnd.Split(m[1], -1) {
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

// A catalog is all methods that the prompt defines.
type catalog []*method

func newCatalog(definitions []protocol.ToolDefinition) catalog {
	c := make(catalog, len(definitions))
	for i, d := range definitions {
		c[i] = newMethod(d)
	}
	return c
}

// wordScore says how much words speak for a method. A word that few methods have counts more.
func (c catalog) wordScore(m *method, tokens []token) float64 {
	score, seen := 0.0, map[string]bool{}
	count := func(weight float64, word string) {
		if weight == 0 || seen[word] {
			return
		}
		seen[word] = true
		n := 0
		for _, other := range c {
			if other.words[word] > 0 {
				n++
			}
		}
		score += weight * math.Log2(1+float64(len(c))/float64(n))
	}
	for i, t := range tokens {
		if i > 0 {
			joined := stem(tokens[i-1].text + t.text) // look up, lookup
			count(m.words[joined], joined)
		}
		for _, s := range t.stems {
			count(m.words[s], s)
		}
	}
	return score
}
