package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/message"
)

// codeMakers are expressions whose values make code from a text.
var codeMakers = []string{
	`eval`, `(0, eval)`, `globalThis.eval`, `globalThis["ev" + "al"]`,
	`Function`, `Function.prototype.constructor`, `(() => {}).constructor`, `print.constructor`, `t_echo.constructor`,
	`"".sub.constructor`, `Function.constructor`, `Object.constructor`, `(class {}).constructor`, `eval.constructor`,
	`Object.getPrototypeOf(() => {}).constructor`, `Reflect.get(() => {}, "constructor")`,
	`Object.getPrototypeOf(async () => {}).constructor`, `(async function () {}).constructor`,
	`(function* () {}).constructor`, `Object.getPrototypeOf((function* () {}).prototype).constructor.constructor`,
	`(async function* () {}).constructor`, `({*f() {}}).f.constructor`, `({async f() {}}).f.constructor`,
	`Object.getOwnPropertyDescriptor(Function.prototype, "constructor").value`,
	`Object.getOwnPropertyDescriptor((async () => {}).__proto__, "constructor").value`,
	`(class extends Function {})`, `(class extends (async () => {}).constructor {})`,
	`Function.bind(null)`, `((...a) => Reflect.construct(Function, a))`, `((...a) => Reflect.construct(Object, a, Function))`,
	`((a) => setTimeout(a))`, `((a) => setInterval(a))`, `((a) => std.evalScript(a))`,
}

func TestNoTextBecomesCode(t *testing.T) {
	const text = `"globalThis.ran = true"`
	var code strings.Builder
	for _, maker := range codeMakers {
		for _, use := range []string{
			maker + `(` + text + `)`, `new (` + maker + `)(` + text + `)`, maker + "`globalThis.ran = true`",
			`Reflect.apply(` + maker + `, null, [` + text + `])`,
		} {
			fmt.Fprintf(&code, "try { const f = %s; await f(); await f().next() } catch {}\n", use)
			fmt.Fprintf(&code, "if (globalThis.ran) { print(%q); delete globalThis.ran }\n", use)
		}
	}
	out, _, err := run(t.Context(), t, code.String()+`return "the end"`)
	require.NoError(t, err)
	assert.Equal(t, "the end\n", out.Text)
}

// everyFunction visits all that a script can reach. It gives a text to each function that it finds,
// except to those of the tool, which do not make code. It returns the names of the functions that
// made code of the text, and whether it tried more than 500 functions.
const everyFunction = `
	const seen = new Set(), text = "globalThis.ran = true; yield", found = [];
	const ofTheTool = new Set([print, call, t_echo, t_fail, hub_list]);
	const visit = (value) => {
		if (value === null || typeof value !== "object" && typeof value !== "function" || seen.has(value)) return;
		seen.add(value);
		found.push(value);
	};
	for (const v of [globalThis, () => {}, async () => {}, function* () {}, async function* () {}, class {}, [], {}, "", 1, 1n, true,
		Symbol(), /a/, "a"[Symbol.iterator](), [][Symbol.iterator](), new Map().entries(), new Set().values(), "a".matchAll(/a/g),
		(function* () {})(), (async function* () {})(), (function () { return arguments })(), new Proxy({}, {}), new Error("a")]) visit(Object(v));
	for (let i = 0; i < found.length; i++) {
		const value = found[i];
		visit(Object.getPrototypeOf(value));
		for (const key of Reflect.ownKeys(value)) {
			const {value: v, get, set} = Object.getOwnPropertyDescriptor(value, key);
			visit(v), visit(get), visit(set);
		}
	}
	const calls = [(f) => f(text), (f) => new f(text), (f) => f.call(f, text), (f) => Reflect.construct(Object, [], f)];
	let functions = 0;
	const failed = [];
	for (const f of found) {
		if (typeof f !== "function" || ofTheTool.has(f)) continue;
		functions++;
		for (const make of calls) {
			try {
				const made = make(f);
				if (typeof made === "function") { const r = made(); if (typeof r?.next === "function") r.next(); }
			} catch {}
			if (globalThis.ran) { failed.push(f.name); delete globalThis.ran; }
		}
	}
	return failed.join() + ";" + (functions > 500);`

func TestNoFunctionThatAScriptReachesMakesCode(t *testing.T) {
	out, _, err := run(t.Context(), t, everyFunction)
	require.NoError(t, err)
	assert.Equal(t, ";true\n", out.Text)
}

func TestMakingCodeSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ language, code, want string }{
		{"en", `eval("1")`, "eval makes code from a text, which a script cannot do; write all code in the script"},
		{"en", `new Function("return 1")`, "Function makes code from a text"},
		{"en", `new (async () => {}).constructor("return 1")`, "AsyncFunction makes code from a text"},
		{"en", `(function* () {}).constructor("return 1")`, "GeneratorFunction makes code from a text"},
		{"zh", `eval("1")`, "eval 由文本生成代码"},
	} {
		t.Run(c.language+" "+c.code, func(t *testing.T) {
			_, _, err := runIn(t.Context(), t, c.language, c.code)
			require.Contains(t, message.In(err, c.language), c.want)
		})
	}
}

func TestFunctionsRemainFunctions(t *testing.T) {
	out, _, err := run(t.Context(), t, `return [(() => {}) instanceof Function, typeof Function, Function.prototype.call.name,
		(async () => {}).constructor.name, t_echo instanceof Function].join()`)
	require.NoError(t, err)
	assert.Equal(t, "true,function,call,AsyncFunction,true\n", out.Text)
}
