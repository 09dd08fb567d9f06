package demomodel

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
)

// A vocabulary is the stems of texts, with their weights.
type vocabulary map[string]float64

func (v vocabulary) add(text string, weight float64) {
	for _, t := range tokenize(text) {
		for _, s := range t.stems {
			v[s] = max(v[s], weight)
		}
	}
}

// has reports whether a stem of a word has at least the weight least.
func (v vocabulary) has(t token, least float64) bool {
	return slices.ContainsFunc(t.stems, func(s string) bool { return v[s] >= least })
}

// Words in names have larger weights than words in sentences.
const (
	nameWeight = 0.6 // a word of at least this weight counts as a name, not as a value
	anyWeight  = 0.1 // each word of a definition has at least this weight
)

// A method is a definition with its words.
type method struct {
	protocol.ToolDefinition
	words      vocabulary
	action     vocabulary // the words for what it does
	reads      bool       // its name and description say that it changes nothing
	parameters []parameter
}

func newMethod(d protocol.ToolDefinition) *method {
	m := &method{ToolDefinition: d, words: vocabulary{}, action: vocabulary{}}
	m.words.add(splitName(d.ToolName), 1.5)
	m.words.add(d.Description, 0.55)
	for _, p := range d.Parameters {
		q := newParameter(p, d.Examples)
		m.words.add(splitName(p.Name), nameWeight)
		m.words.add(p.Description, 0.3)
		m.words.add(splitName(strings.Join(q.options, " ")), 0.5)
		m.parameters = append(m.parameters, q)
	}
	// The method's action is the first word of its description, and the changing verbs in its name.
	// A name without changing verbs counts whole, except its first word if it has several: that
	// word is usually the tool's name.
	verb, name := firstWords(d.Description, 1), strings.Fields(splitName(d.ToolName))
	changing := slices.DeleteFunc(slices.Clone(name), func(word string) bool { return !says(tokenize(word), changingVerbs) })
	all := tokenize(verb + " " + strings.Join(name, " "))
	m.reads = !says(all, changingVerbs) && says(all, readingVerbs)
	if len(changing) == 0 {
		changing = name[min(1, max(0, len(name)-1)):]
	}
	m.action.add(verb+" "+strings.Join(changing, " "), 1)
	m.words.add(verb, nameWeight)
	return m
}

// readingVerbs and changingVerbs are searched in a method's name and the first word of its
// description. A method with one of changingVerbs makes changes. A method with only readingVerbs
// reads. The effect of other methods is unknown.
var (
	readingVerbs = stemSet(`a an the which what who when where how answer calculate check compare compute convert count describe display
		evaluate explain fetch find get give inspect list look lookup measure print query read return retrieve search show sum tell translate view
		watch
		哪 什么 多少 查询 计算 告诉 列出 读取 搜索 查找 查看 获取 显示 翻译`)
	changingVerbs = stemSet(`add append buy cancel change clear close copy create delete destroy disable drop edit empty enable erase execute
		insert install kill modify move order pay post publish purge put remove rename replace reset restart run save send set start stop
		submit transfer update upload write 删除 移除 清空 取消 发送 写入 修改 更新 创建 支付 购买 添加 移动 执行`)
)

// firstWords returns the first n words of a description; of Chinese text, at most 2n characters.
func firstWords(description string, n int) string {
	words := strings.Fields(description)
	text := strings.Join(words[:min(n, len(words))], " ")
	if r := []rune(text); hasHan(text) && len(r) > 2*n {
		return string(r[:2*n])
	}
	return text
}

// mentioned returns the first token with the weight 1 or more, such as a word of a parameter's
// name. negated reports whether one of the three tokens before negates it.
func (v vocabulary) mentioned(tokens []token) (word token, negated bool) {
	for i, t := range tokens {
		if v.has(t, 1) {
			return t, slices.ContainsFunc(tokens[max(0, i-3):i], func(t token) bool { return negations[t.text] })
		}
	}
	return token{}, false
}

// lacksChange reports whether a question's first verb asks for a change that m does not name.
func (m *method) lacksChange(tokens []token) bool {
	first := slices.IndexFunc(tokens, func(t token) bool { return t.in(changingVerbs) || t.in(readingVerbs) })
	return first >= 0 && tokens[first].in(changingVerbs) && !m.words.has(tokens[first], anyWeight)
}

var negations = set("not no non without don't doesn't never skip exclude excluding")

// A parameter is one argument that a method takes, as its definition describes it.
type parameter struct {
	protocol.Parameter
	kind                     kind
	item                     kind       // the kind of the elements, if kind is kindList
	options                  []string   // the values of an enumeration
	names                    []token    // the words of its name
	words                    vocabulary // the words of its name, with the weight 1, and of its description
	takesFolders, takesFiles bool       // which paths the parameter takes; both if it says nothing
}

func newParameter(p protocol.Parameter, examples []protocol.ToolRequest) parameter {
	name := splitName(p.Name)
	q := parameter{Parameter: p, names: tokenize(name), words: vocabulary{}}
	q.words.add(name, 1)
	q.words.add(p.Description, 0.5)
	for _, raw := range p.Enum {
		q.options = append(q.options, orderedjson.NonNullText(raw))
	}
	samples := samplesOf(p, examples)
	q.kind = kindOf(p, samples)
	if q.kind == kindList {
		var schema struct{ Items struct{ Type string } }
		_ = json.Unmarshal(p.Schema, &schema)
		q.item = kindOf(protocol.Parameter{Name: p.Name, Description: p.Description, Type: schema.Items.Type}, samples)
	}
	about := tokenize(name + " " + firstWords(p.Description, 4))
	saysFolder, saysFile := says(about, folderWords), says(about, fileWords)
	q.takesFolders, q.takesFiles = saysFolder || !saysFile, saysFile || !saysFolder
	return q
}

var (
	// kindWords name kinds of values, the narrower ones first.
	kindWords = []struct {
		kind  kind
		words map[string]bool
	}{
		{kindGlob, stemSet("glob wildcard 通配符")},
		{kindZone, stemSet("timezone zone tz 时区")},
		{kindArithmetic, stemSet("expression formula arithmetic 表达式 算式 公式")},
		{kindDate, stemSet("date 日期")},
		{kindPath, stemSet("path file filename folder directory dir 路径 文件 目录 文件夹")},
		{kindText, stemSet(`query text message content body question term keyword phrase title subject note comment needle name label word prompt
			内容 关键词 标题 消息 文本 名称 名字`)},
	}
	// typeKinds are the kinds of JSON types. Any other, such as string, is kindText, the zero
	// value.
	typeKinds = map[string]kind{"boolean": kindSwitch, "integer": kindNumber, "number": kindNumber, "array": kindList, "object": kindObject}
)

// kindOf returns a parameter's kind by its type, name, samples, and the start of its description.
func kindOf(p protocol.Parameter, samples []string) kind {
	byName, named := kindNamed(splitName(p.Name))
	switch k := typeKinds[p.Type]; {
	case len(p.Enum) > 0:
		return kindOption
	case k != kindText:
		return k
	case named:
		return byName
	}
	for _, s := range samples {
		switch k, a, dates := chunkKind(s), findArithmetic(s), findDates(s); {
		case strings.Contains(s, "/") && zoneOf(s) != "":
			return kindZone
		case len(dates) == 1 && dates[0].span == span{0, len(s)}:
			return kindDate
		case len(a) == 1 && a[0].span == span{0, len(s)}:
			return kindArithmetic
		case k == kindGlob || k == kindPath:
			return k
		}
	}
	k, _ := kindNamed(firstWords(p.Description, 4))
	return k
}

func kindNamed(text string) (kind, bool) {
	tokens := tokenize(text)
	for _, k := range kindWords {
		if says(tokens, k.words) {
			return k.kind, true
		}
	}
	return kindText, false
}

var (
	sampleCue = regexp.MustCompile(`(?i)(?:such as|e\.g\.|for example|for instance|例如|比如|像)([^;；。]*)`)
	sampleEnd = regexp.MustCompile(`,\s+| or | and |、|，|或`)
)

// samplesOf returns up to maxSamples short values that a definition and its description show.
func samplesOf(p protocol.Parameter, examples []protocol.ToolRequest) []string {
	samples := []string{orderedjson.NonNullText(p.Default)}
	for _, e := range examples {
		for _, a := range e.Arguments {
			if a.Name == p.Name {
				samples = append(samples, a.Value)
			}
		}
	}
	for _, m := range sampleCue.FindAllStringSubmatch(p.Description, 1) {
		samples = append(samples, sampleEnd.Split(strings.Trim(m[1], " ."), -1)...)
	}
	samples = slices.DeleteFunc(samples, func(s string) bool { return len(s) > maxSample })
	return samples[:min(maxSamples, len(samples))]
}

// A catalog is the list of all methods in the prompt.
type catalog []*method

func newCatalog(definitions []protocol.ToolDefinition) (c catalog) {
	for _, d := range definitions {
		c = append(c, newMethod(d))
	}
	return c
}

// wordScore returns how well words fit a method. A word that few methods have counts more.
func (c catalog) wordScore(m *method, tokens []token) (score float64) {
	stems := map[string]bool{}
	for i, t := range tokens {
		if i > 0 {
			stems[stem(tokens[i-1].text+t.text)] = true // look up, lookup
		}
		for _, s := range t.stems {
			stems[s] = true
		}
	}
	for _, s := range slices.Sorted(maps.Keys(stems)) { // in order, since the sum of floats depends on it
		if m.words[s] > 0 {
			having := len(slices.DeleteFunc(slices.Clone(c), func(other *method) bool { return other.words[s] == 0 }))
			score += m.words[s] * math.Log2(1+float64(len(c))/float64(having))
		}
	}
	return score
}
