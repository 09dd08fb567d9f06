package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/script"
)

// worker is the argument with which the test binary serves as a worker.
const worker = "script-worker"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == worker {
		if err := script.Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// workerOf returns the command of a worker, which is this test binary.
func workerOf(t testing.TB) []string {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return []string{program, worker}
}

// calls records what a script calls. Each method returns its arguments, except t_fail, which fails.
type calls struct {
	mu   sync.Mutex
	made []string
}

func (c *calls) call(_ context.Context, _ *tool.Call, method string, arguments json.RawMessage) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = append(c.made, method+string(arguments))
	if method == "t_fail" {
		return "", errors.New("it did not work")
	}
	return string(arguments), nil
}

// run runs a script with the methods t_echo, t_fail and hub/list.
func run(ctx context.Context, t testing.TB, code string, change ...func(*script.Options)) (tool.Output, *calls, error) {
	t.Helper()
	return runIn(ctx, t, "en", code, change...)
}

// runIn runs a script for a model with a prompt in the given language.
func runIn(ctx context.Context, t testing.TB, language, code string, change ...func(*script.Options)) (tool.Output, *calls, error) {
	t.Helper()
	c := &calls{}
	o := script.Options{
		Worker: workerOf(t), Call: c.call,
		Methods: func(context.Context) []string { return []string{"t_echo", "t_fail", "hub/list"} },
	}
	for _, f := range change {
		f(&o)
	}
	scripts, err := script.New(o)
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(scripts))
	e, ok := registry.Lookup("script_run")
	require.True(t, ok)
	arguments, err := json.Marshal(map[string]string{"code": code})
	require.NoError(t, err)
	call := &tool.Call{ID: "1.1", Method: e, Arguments: arguments, Language: language, Progress: func(string) {}}
	out, err := e.Method.Handler(tool.WithCall(ctx, call), call)
	return out, c, err
}

func TestTheResultIsWhatAScriptPrintsAndReturns(t *testing.T) {
	for _, c := range []struct {
		name, code, want string
		calls            []string
	}{
		{"a returned text", `return "four"`, "four\n", nil},
		{"a returned object", `return {a: [1, null]}`, "{\"a\":[1,null]}\n", nil},
		{"printed values", `print("a", 1, {b: true}); console.log([2])`, "a 1 {\"b\":true}\n[2]\n", nil},
		{"printed before returned", `print(1); return 2`, "1\n2\n", nil},
		{"a call", `return await t_echo({x: "é"})`, "{\"x\":\"é\"}\n", []string{`t_echo{"x":"é"}`}},
		{"a call without arguments", `return await t_echo()`, "{}\n", []string{`t_echo{}`}},
		{
			"a method whose name is not an identifier", `return await hub_list({}) + await call("hub/list", {n: 1})`,
			"{}{\"n\":1}\n",
			[]string{`hub/list{}`, `hub/list{"n":1}`},
		},
		{
			"a loop", `let n = 0; for (let i = 0; i < 3; i++) n += JSON.parse(await t_echo({i})).i; return n`, "3\n",
			[]string{`t_echo{"i":0}`, `t_echo{"i":1}`, `t_echo{"i":2}`},
		},
		{
			"a failure that is caught",
			`try { await t_fail({}) } catch (e) { return e.message }`, "it did not work\n",
			[]string{`t_fail{}`},
		},
		{
			"no output", `await t_echo({})`,
			"The script ended without printing or returning anything. To see a value, print it or return it.",
			[]string{`t_echo{}`},
		},
		{"a line separator in data", "return \"a\u2028b\"", "a\u2028b\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, recorded, err := run(t.Context(), t, c.code)
			require.NoError(t, err)
			assert.Equal(t, c.want, out.Text)
			assert.Equal(t, c.calls, recorded.made)
			assert.Equal(t, script.Details{Calls: len(c.calls)}, out.Details)
		})
	}
}

func TestTheErrorOfAScriptSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"a syntax error", "let a = 1;\nlet b = ;", "line 2: let b = ;"},
		{
			"an unknown name",
			"let a = 1;\n\nfetch('http://example.com')", "'fetch' is not defined (line 3: fetch('http://example.com'))",
		},
		{
			"a long line is shortened between two characters",
			"nope('" + strings.Repeat("长", 100) + "')",
			"(line 1: nope('" + strings.Repeat("长", 64) + ")", // 198 bytes of the line; one more character would exceed 200
		},
		{"a thrown error", "throw new Error('no rows')", "no rows (line 1"},
		{"a thrown value", "throw {code: 7}", `the script threw {"code":7}`},
		{"an error of some megabytes", "throw new Error('x'.repeat(1e7))", "or threw as much; use less data"},
		{"arguments of some megabytes", "await t_echo({a: 'x'.repeat(9e6)})", "it passed more than 8388608 bytes to a method at once"},
		{"a failed call", "print('first'); await t_fail({})", "it did not work"},
		{"a failure after printed text", "print('first'); await t_fail({})", "Before that it printed:\nfirst"},
		{"an unknown method", "await call('nope')", "there is no method nope"},
		{
			"arguments that are not an object",
			"await t_echo('x')", `t_echo takes one object with the arguments, such as {path: "a.txt"}`,
		},
		{"a promise that nothing settles", "await new Promise(() => {})", "there are no timers"},
		{"deep recursion", "const f = () => f() + 1; f()", "use a loop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := run(t.Context(), t, c.code)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestErrorsAreChineseInAChineseCall(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"a thrown value", "throw {code: 7}", `脚本抛出了 {"code":7}`},
		{"a failure after printed text", "print('first'); await t_fail({})", "在此之前它输出了：\nfirst"},
		{"an unknown method", "await call('nope')", "没有方法 nope"},
		{"arguments that are not an object", "await t_echo('x')", `t_echo 接受一个含有各参数的对象`},
		{"a promise that nothing settles", "await new Promise(() => {})", "这里没有定时器"},
		{"an unknown name", "fetch('x')", "'fetch' is not defined（第 1 行：fetch('x')）；这里只有 JavaScript 本身"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runIn(t.Context(), t, "zh", c.code)
			require.Contains(t, message.In(err, "zh"), c.want)
		})
	}
	out, _, err := runIn(t.Context(), t, "zh", "await t_echo({})")
	require.NoError(t, err)
	require.Contains(t, out.Text, "脚本结束了")
}

func TestLimitsEndAScript(t *testing.T) {
	small := func(o *script.Options) {
		o.Limits = script.Limits{MemoryBytes: 4 << 20, Compute: 300 * time.Millisecond, Calls: 5, OutputBytes: 1000}
	}
	for _, c := range []struct{ name, code, want string }{
		{"an endless loop", "for (;;) {}", "look for an endless loop"},
		{"an endless loop after a call", "await t_echo({}); for (;;) {}", "look for an endless loop"},
		// The script exceeds its memory limit before its time limit. The interpreter loses the
		// promise or its error, so the text of the error varies.
		{"an endless loop of promises", "const f = () => Promise.resolve().then(f); await f()", "the script"},
		{"a loop in catch", "for (;;) try { for (;;) {} } catch {}", "look for an endless loop"},
		{"a hostile regular expression", `return /(a+)+$/.test("a".repeat(60) + "b")`, "interrupted"},
		{
			"a function of the interpreter that is not interrupted",
			`return "a".repeat(1e6).indexOf("a".repeat(5e5) + "b")`, "look for an endless loop",
		},
		{"a large list", "new Array(1e9).fill(1)", "4 MiB; keep less data at once"},
		{"a large text", `"x".repeat(1e9)`, "4 MiB; keep less data at once"},
		{"growing data", `const a = []; for (;;) a.push("x".repeat(1e5) + a.length)`, "4 MiB; keep less data at once"},
		{"too much output", `print("x".repeat(2000))`, "(1000 bytes)"},
		{"too many calls", "for (let i = 0; i < 6; i++) await t_echo({i})", "more than 5 methods"},
		{
			"too many calls that the script does not wait for",
			"for (let i = 0; i < 100; i++) t_echo({i}); await t_echo({})", "more than 5 methods",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, recorded, err := run(t.Context(), t, c.code, small)
			require.ErrorContains(t, err, c.want)
			assert.LessOrEqual(t, len(recorded.made), 5)
		})
	}
}

func TestAScriptReachesOnlyItsMethods(t *testing.T) {
	for _, name := range []string{
		"require", "process", "std", "os", "fetch", "XMLHttpRequest", "setTimeout", "scriptArgs", "hostCall", "hostPrint", "hostEnd", "Deno", "bjson",
	} {
		t.Run(name, func(t *testing.T) {
			out, _, err := run(t.Context(), t, "return typeof "+name)
			require.NoError(t, err)
			assert.Equal(t, "undefined\n", out.Text)
		})
	}
	t.Run("imports", func(t *testing.T) {
		_, _, err := run(t.Context(), t, `await import("/etc/passwd")`)
		require.Error(t, err)
	})
	t.Run("the environment variables", func(t *testing.T) {
		t.Setenv("SECRET_OF_THE_TEST", "hunter2")
		out, _, err := run(t.Context(), t, `const show = (name) => {
				try { return name + String(globalThis[name]) + JSON.stringify(globalThis[name]) } catch { return name }
			}
			return Object.getOwnPropertyNames(globalThis).map(show).join()`)
		require.NoError(t, err)
		assert.Contains(t, out.Text, "t_echo")
		assert.NotContains(t, out.Text, "hunter2")
	})
	t.Run("a script from a script", func(t *testing.T) {
		_, recorded, err := run(t.Context(), t, `await call("script_run", {code: "1"})`, func(o *script.Options) {
			o.Methods = func(context.Context) []string { return []string{"script_run", "t_echo"} }
		})
		require.ErrorContains(t, err, "there is no method script_run")
		assert.Empty(t, recorded.made)
	})
}

func TestNewRequiresItsOptions(t *testing.T) {
	for _, omit := range []func(*script.Options){
		func(o *script.Options) { o.Worker = nil }, func(o *script.Options) { o.Methods = nil },
		func(o *script.Options) { o.Call = nil },
	} {
		o := script.Options{Worker: workerOf(t), Call: new(calls).call, Methods: func(context.Context) []string { return nil }}
		_, err := script.New(o)
		require.NoError(t, err)
		omit(&o)
		_, err = script.New(o)
		require.Error(t, err)
	}
}
