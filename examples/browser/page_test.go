package browser

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/examples/internal/exampletest"
	"github.com/vcpgo/vcp/internal/modelserver"
)

// programDir is the temporary directory of webchat; it is "" until program is called.
var programDir string

// program builds webchat and returns the path of the executable.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "webchat")
	if err != nil {
		return "", err
	}
	programDir = dir
	path := filepath.Join(dir, "webchat")
	cmd := exec.Command("go", "build", "-o", path, "./examples/webchat")
	cmd.Dir, cmd.Stderr = filepath.Join("..", ".."), os.Stderr
	return path, cmd.Run()
})

func TestMain(m *testing.M) {
	code := m.Run()
	if programDir != "" {
		_ = os.RemoveAll(programDir)
	}
	os.Exit(code)
}

// browsers are the names of programs that can run the page.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell", "chrome"}

func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("VCP_TEST_ALL_PROGRAMS") != "" {
		t.Fatalf("no browser is installed (tried %s)", strings.Join(browsers, ", "))
	}
	t.Skipf("no browser is installed (tried %s); install chromium to run this test", strings.Join(browsers, ", "))
	return ""
}

// app is a program that serves a page.
type app struct {
	*exampletest.Server
	t *testing.T
}

// start starts webchat with a model that sends the replies.
func start(t *testing.T, replies ...modelserver.Reply) *app {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	return &app{exampletest.StartWebChat(t, path, modelserver.Start(t, replies...)), t}
}

// tab is a tab of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu   sync.Mutex
	seen []string // requests to other hosts, and dialogs
}

// open opens the page in a new tab of the browser whose context is parent.
func (a *app) open(parent context.Context, hash string) *tab {
	a.t.Helper()
	ctx, cancel := chromedp.NewContext(parent)
	a.t.Cleanup(cancel)
	b := &tab{t: a.t, ctx: ctx}
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(a.t, err)
	require.NoError(a.t, chromedp.Listen(ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *network.EventRequestWillBeSent:
			if u, err := url.Parse(ev.Request.URL); err != nil || u.Host != a.Address {
				b.seen = append(b.seen, "request to "+ev.Request.URL)
			}
		case *page.EventJavascriptDialogOpening:
			b.seen = append(b.seen, "dialog "+ev.Message)
		}
	}))
	require.NoError(a.t, chromedp.Do(ctx, chromedp.Navigate("http://"+a.Address+"/"+hash)))
	return b
}

// newBrowser starts a browser, which ends with the test, and returns its context.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(findBrowser(t)), chromedp.NoSandbox)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, o...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}

// effects returns the requests of the page to other hosts, and its dialogs.
func (b *tab) effects() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.seen)
}

// waitsFor waits until an expression of the page is true.
func (b *tab) waitsFor(expression string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression))
		return err == nil && ok
	}, time.Minute, 20*time.Millisecond, expression)
}

// shows waits until an element contains a text.
func (b *tab) shows(selector, text string) {
	b.t.Helper()
	b.waitsFor(`document.querySelector(` + quote(selector) + `)?.innerText.includes(` + quote(text) + `) ?? false`)
}

// quote returns s as a template literal of JavaScript.
func quote(s string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$").Replace(s) + "`"
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, steps...))
}

func (b *tab) send(text string) {
	b.t.Helper()
	b.waitsFor(`location.hash !== '' && !document.querySelector('#send').disabled`)
	b.do(chromedp.SendKeys("#text", text), chromedp.Click("#send"))
}

// hash returns the part of the page's address that names the conversation.
func (b *tab) hash() string {
	b.t.Helper()
	b.waitsFor(`location.hash !== ''`)
	hash, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.hash`))
	require.NoError(b.t, err)
	return hash
}

// buys is a reply that requests shop_buy.
const buys = "Let me buy them.\n" +
	"<<<[TOOL_REQUEST]>>>\ntool_name:「始」shop_buy「末」,\nitem:「始」apples「末」,\ncount:「始」2「末」\n<<<[END_TOOL_REQUEST]>>>"

func TestASecondTabCanApprove(t *testing.T) {
	browser := newBrowser(t)
	a := start(t, modelserver.Text(buys), modelserver.Text("They are *yours*."))
	first := a.open(browser, "")
	second := a.open(browser, first.hash())
	first.send("Two apples, please.")
	for _, b := range []*tab{first, second} {
		b.shows("#log", "Two apples, please.")
		b.shows("#pending", "Run shop_buy?")
		b.shows("#pending", `"count": 2`)
	}
	second.do(chromedp.Click("#pending button:first-of-type"))
	for _, b := range []*tab{first, second} {
		b.shows("#log .vcp-result", "you bought 2 apples")
		b.shows("#log em", "yours")
		b.waitsFor(`document.querySelector('#pending').children.length === 0`)
		b.waitsFor(`document.querySelectorAll('#log article').length === 4`)
		b.waitsFor(`document.querySelector('#draft').children.length === 0`)
	}
	third := a.open(browser, first.hash())
	third.waitsFor(`document.querySelectorAll('#log article').length === 4`)
}

// A right-to-left override would show the text after it backwards.
func TestAQuestionShowsInvisibleCharactersAsEscapes(t *testing.T) {
	browser := newBrowser(t)
	a := start(t, modelserver.Text(strings.Replace(buys, "apples", "ap\u202eples\u200b 中", 1)))
	b := a.open(browser, "")
	b.send("Two apples, please.")
	b.shows("#pending", `"item": "ap\u{202e}ples\u{200b} 中"`)
}

func TestAReplyIsShownWhileItIsWritten(t *testing.T) {
	browser := newBrowser(t)
	a := start(t, modelserver.Stalled("Once upon a time"))
	b := a.open(browser, "")
	b.send("A story.")
	b.shows("#draft", "Once upon a time")
	late := a.open(browser, b.hash())
	late.shows("#draft", "Once upon a time")
	late.do(chromedp.Click("#stop"))
	b.shows("#status", "cancel")
	b.waitsFor(`!document.querySelector('#send').disabled`)
}

func TestThePageSurvivesARestart(t *testing.T) {
	browser := newBrowser(t)
	a := start(t, modelserver.Text(buys), modelserver.Text("They are yours."))
	b := a.open(browser, "")
	b.send("Two apples, please.")
	b.shows("#pending", "Run shop_buy?")
	a.Restart()
	b.waitsFor(`!document.querySelector('#continue').disabled`) // the page has reconnected
	b.do(chromedp.Click("#continue"))
	b.shows("#pending", "Run shop_buy?")
	b.do(chromedp.Click("#pending button:first-of-type"))
	b.shows("#log .vcp-result", "you bought 2 apples")
	b.shows("#log", "They are yours.")
}

// hostileTexts returns the hostile texts of package markdown, each as a paragraph.
func hostileTexts(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "chat", "markdown", "testdata", "vectors.txt"))
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "\n", "\n\n")
}

// TestHostileTextsDoNothing shows all hostile texts, as a reply and as a person's message.
func TestHostileTextsDoNothing(t *testing.T) {
	browser := newBrowser(t)
	a := start(t, modelserver.Text("*Look:*\n\n"+hostileTexts(t)+"\n\nThe end."))
	b := a.open(browser, "")
	b.hash()
	b.do(chromedp.SetValue("#text", hostileTexts(t)))
	b.send("The end.")
	b.waitsFor(`document.querySelectorAll('#log article').length === 2`)
	b.shows("#log", "The end.")
	b.waitsFor(`document.querySelectorAll('#log :is(script,img,iframe,svg,style,link,meta,form,input,object,embed,video,audio,base)').length === 0`)
	b.waitsFor(`document.querySelectorAll('#log a').length > 10`)
	// A person who moves through the page starts nothing either.
	b.do(chromedp.Evaluate[chromedp.Void](`for (const e of document.querySelectorAll('#log *'))
		for (const type of ['mouseover', 'focus', 'toggle', 'load', 'error']) e.dispatchEvent(new Event(type, {bubbles: true}))`))
	time.Sleep(300 * time.Millisecond) // a text may have an effect after a delay
	require.Empty(t, b.effects())
}

// TestHostileTextsActWithoutTheRenderer checks that TestHostileTextsDoNothing can fail: without the
// renderer, the texts have effects that the browser reports. The texts with an alert are tried
// apart from the others, because a dialog stops the page.
func TestHostileTextsActWithoutTheRenderer(t *testing.T) {
	browser := newBrowser(t)
	a := start(t)
	for part, want := range map[string]string{"alert": "dialog", "evil.example": "request to https://evil.example"} {
		b := a.open(browser, "")
		b.do(chromedp.Navigate("about:blank"))
		b.do(chromedp.Evaluate[chromedp.Void]("setTimeout(() => { for (const v of " + quote(hostileTexts(t)) + ".split('\\n')) " +
			"if (v.includes('" + part + "') && (v.includes('alert') === (" + quote(part) + " === 'alert'))) " +
			"document.body.appendChild(document.createElement('div')).innerHTML = v })"))
		require.Eventually(t, func() bool { return strings.Contains(strings.Join(b.effects(), " "), want) }, time.Minute,
			20*time.Millisecond, part)
	}
}
