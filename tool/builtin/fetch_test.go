package builtin_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
	"github.com/vcpgo/vcp/tool/builtin/internal/publicnet"
	"github.com/vcpgo/vcp/tool/builtin/internal/publicnet/nametest"
)

// startServer starts a web server. It returns its URL, and a toolkit with a fetch tool that may
// reach this server, but no other address.
func startServer(t *testing.T, handler http.HandlerFunc) (toolkit, string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	own := netip.MustParseAddrPort(server.Listener.Addr().String())
	k := newFetchToolkit(t, &publicnet.Dialer{
		Allow:  func(a netip.AddrPort) bool { return a == own },
		Dialer: net.Dialer{Resolver: nametest.Resolver(t, []string{"127.0.0.1"})},
	})
	return k, server.URL
}

// newFetchToolkit returns a toolkit with a fetch tool that uses the given dialer.
func newFetchToolkit(t testing.TB, d *publicnet.Dialer) toolkit {
	t.Helper()
	fetch, err := builtin.FetchWith(d)
	require.NoError(t, err)
	k := toolkit{Registry: tool.NewRegistry()}
	require.NoError(t, k.Register(fetch))
	return k
}

func TestFetchReturnsText(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("<p>你好</p>")
	require.NoError(t, err)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, err = z.Write([]byte("unzipped"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	k, url := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			fmt.Fprint(w, `<!DOCTYPE html><title>A page</title><h1>Hello</h1><p>See <a href="/other">more</a>.</p>`)
		case "/gbk":
			w.Header().Set("Content-Type", "text/html; charset=gbk")
			fmt.Fprint(w, gbk)
		case "/text":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "one\ntwo\n")
		case "/json":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"a":1}`)
		case "/zip":
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write(zipped.Bytes())
		case "/moved":
			http.Redirect(w, r, "/text", http.StatusFound)
		case "/empty":
			w.Header().Set("Content-Type", "text/html")
		case "/headers":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprintf(w, "cookie=%q authorization=%q referer=%q", r.Header.Get("Cookie"),
				r.Header.Get("Authorization"), r.Header.Get("Referer"))
		}
	})
	for path, want := range map[string]string{
		"/page":    "A page\n%s/page\n\n# Hello\n\nSee [more](%[1]s/other).",
		"/gbk":     "%s/gbk\n\n你好",
		"/text":    "%s/text\n\none\ntwo\n",
		"/json":    "%s/json\n\n{\"a\":1}",
		"/zip":     "%s/zip\n\nunzipped",
		"/moved":   "%s/text\n\none\ntwo\n",
		"/empty":   "%s/empty\n(The page has no text.)",
		"/headers": "%s/headers\n\ncookie=\"\" authorization=\"\" referer=\"\"",
	} {
		t.Run(path, func(t *testing.T) {
			out, err := k.call(t, "fetch_get", args{"url": url + path})
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf(want, url), out.Text)
		})
	}
}

// privateURLs are addresses that are not public, in many spellings. %s stands for the port.
var privateURLs = []string{
	"http://127.0.0.1:%s/", "http://localhost:%s/", "http://[::1]:%s/", "http://[::ffff:127.0.0.1]:%s/",
	"http://[::ffff:7f00:1]:%s/", "http://[::127.0.0.1]:%s/", "http://2130706433:%s/", "http://0x7f000001:%s/",
	"http://017700000001:%s/", "http://0177.0.0.1:%s/", "http://127.1:%s/", "http://0:%s/", "http://0.0.0.0:%s/",
	"http://[::]:%s/", "http://127.0.0.1.example:%s/", "http://[64:ff9b::7f00:1]:%s/",
	"http://[64:ff9b::127.0.0.1]:%s/", "http://[2002:7f00:1::]:%s/", "http://169.254.169.254:%s/latest/meta-data/",
	"http://[fd00:ec2::254]:%s/", "http://[fe80::1%%25lo]:%s/", "http://①②⑦.⓪.⓪.①:%s/",
	"http://100.100.100.200:%s/", "http://10.0.0.1:%s/",
}

// TestFetchRefusesPrivateAddresses fetches all privateURLs, directly and through a redirect by a
// server that the tool may reach. All names resolve to this machine, where a server would notice a
// request.
func TestFetchRefusesPrivateAddresses(t *testing.T) {
	var reached atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	require.NoError(t, err)
	redirecting, url := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(http.StatusFound)
	})
	resolver := nametest.Resolver(t, []string{"127.0.0.1"})
	direct := newFetchToolkit(t, &publicnet.Dialer{Dialer: net.Dialer{Resolver: resolver}})
	const refusal = "the address is not a public one|an unusual form of an IP address"
	for _, format := range privateURLs {
		address := fmt.Sprintf(format, port)
		t.Run(address, func(t *testing.T) {
			_, err := direct.call(t, "fetch_get", args{"url": address})
			require.Error(t, err)
			require.Regexp(t, refusal, err.Error())
			_, err = redirecting.call(t, "fetch_get",
				args{"url": url + "/?to=" + strings.ReplaceAll(address, "%", "%25")})
			require.Error(t, err)
			require.Regexp(t, refusal, err.Error())
		})
	}
	require.Zero(t, reached.Load())
}

func TestFetchReturnsPermanentErrors(t *testing.T) {
	k, url := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/image":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, "\x89PNG")
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case "/user":
			w.Header().Set("Location", "http://user:secret@127.0.0.1/")
			w.WriteHeader(http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/lines":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "one\n")
		default:
			http.NotFound(w, r)
		}
	})
	for _, tt := range []struct {
		name string
		args args
		want string
	}{
		{"an image", args{"url": url + "/image"}, `is of the type "image/png" and has 4 bytes, and only text is fetched`},
		{"a page that does not exist", args{"url": url + "/none"}, "answered 404 Not Found: 404 page not found"},
		{"a redirect to a file", args{"url": url + "/file"}, "is not an address of the web"},
		{"a redirect with a password", args{"url": url + "/user"}, "contains a user name or a password"},
		{"a loop of redirects", args{"url": url + "/loop"}, "it redirects more than 5 times"},
		{"a line past the end", args{"url": url + "/lines", "startLine": "5"}, "the page has 1 line, so there is no line 5"},
		{"a file", args{"url": "file:///etc/passwd"}, "must begin with https:// or http://"},
		{"no host", args{"url": "http:///x"}, "names no host"},
		{"an address without a scheme", args{"url": "example.org"}, "must begin with https://"},
		{"a password", args{"url": "http://user:secret@example.org/"}, "contains a user name or a password"},
		{"a reserved address", args{"url": "http://203.0.113.1:22/"}, "only public addresses"},
		{"a long address", args{"url": "http://example.org/" + strings.Repeat("x", 3000)}, "at most 2000 are sent"},
		{"another scheme", args{"url": "gopher://example.org/"}, "is not an address of the web"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := k.call(t, "fetch_get", tt.args)
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "secret")
			var retryable interface{ Retryable() bool }
			require.NotErrorAs(t, err, &retryable, "another attempt would fail, too")
		})
	}
}

func TestLongPagesComeInParts(t *testing.T) {
	k, url := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		n := 1000
		if r.URL.Path == "/endless" {
			n = 1 << 30
		}
		for i := range n {
			if _, err := fmt.Fprintf(w, "line %d of a long page\n", i+1); err != nil {
				return
			}
		}
	})
	found, err := k.Resolve("fetch_get", "", nil)
	require.NoError(t, err)
	get := func(path string, startLine int) string {
		call := callFor(found, fmt.Sprintf(`{"url":%q,"startLine":%d}`, url+path, startLine))
		call.Fits = func(text string) bool { return len(text) <= 1500 }
		out, err := found.Entry.Method.Handler(t.Context(), call)
		require.NoError(t, err)
		require.LessOrEqual(t, len(out.Text), 1500)
		return out.Text
	}
	first := get("/long", 1)
	require.Contains(t, first, "\nline 1 of")
	var next int
	_, rest, paged := strings.Cut(first, " of 1000; to continue, set startLine to ")
	require.True(t, paged, first)
	_, err = fmt.Sscan(rest, &next)
	require.NoError(t, err)
	require.Contains(t, get("/long", next), fmt.Sprintf("\nline %d of", next))
	require.Contains(t, get("/endless", 1), "(The page is longer; the rest was not fetched.)")
}

func TestFetchingCountsAsWriting(t *testing.T) {
	k := toolkit{Registry: tool.NewRegistry()}
	fetch, err := builtin.Fetch()
	require.NoError(t, err)
	require.NoError(t, k.Register(fetch))
	e, _ := k.Lookup("fetch_get")
	require.Equal(t, tool.RiskWrite, e.Risk())
}

func TestALongPageEndsWithAWholeCharacter(t *testing.T) {
	for _, tt := range []struct {
		name, mediaType string
		before          string
		lines           int // in the page, before the characters at the limit
	}{
		{"1 MiB of text", "text/plain", strings.Repeat("1234567\n", 1<<17-1), 1<<17 - 1},
		{"4 MiB of HTML", "text/html", strings.Repeat("<!----> ", 1<<19-1), 0},
	} {
		for blanks := range 8 {
			t.Run(fmt.Sprintf("%s/%d blanks", tt.name, blanks), func(t *testing.T) {
				k, url := startServer(t, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", tt.mediaType+"; charset=utf-8")
					_, _ = io.WriteString(w, tt.before+"-"+strings.Repeat(" ", blanks)+"😀😀😀")
				})
				out, err := k.call(t, "fetch_get", args{"url": url, "startLine": strconv.Itoa(tt.lines + 1)})
				require.NoError(t, err)
				require.Contains(t, out.Text, "the rest was not fetched")
				require.NotContains(t, out.Text, "\uFFFD")
			})
		}
	}
}
