package builtin

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html/charset"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/htmltext"
	"github.com/vcpgo/vcp/tool/builtin/internal/publicnet"
)

// The limits of one fetch.
const (
	fetchTime    = 20 * time.Second
	maxURL       = 2000    // bytes
	maxPage      = 4 << 20 // bytes of a page, after it is decompressed
	maxPageText  = 1 << 20 // bytes of its text
	maxRedirects = 5
	maxFetches   = 4 // at once

	// What an error shows, in characters.
	maxFetchExcerpt = 200 // of a page, or of the cause of the error
	maxMediaType    = 60
)

type fetchInput struct {
	URL       string `json:"url" jsonschema:"the address of the page, beginning with https:// or http://"`
	StartLine int    `json:"startLine" default:"1" minimum:"1" jsonschema:"the first line to return, to continue a long page"`
}

// fetchDetails are the details of a result of fetch_get, for programs.
type fetchDetails struct {
	URL       string `json:"url"` // after redirects
	Status    int    `json:"status"`
	MediaType string `json:"mediaType"`
	Title     string `json:"title,omitempty"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	More      bool   `json:"more"`
}

// Fetch returns a tool that gets the text of web pages from public addresses. It never connects to
// loopback, private, link-local or reserved addresses, even if a name resolves to one. It uses no
// proxy, no cookies and no credentials. Pages are limited to 4 MiB and 20 seconds.
//
// A call changes nothing, but its risk is tool.RiskWrite. A model could write something that it has
// read into the address, and so send it to the owner of the host.
func Fetch() (tool.Tool, error) {
	dialer := &publicnet.Dialer{Dialer: net.Dialer{Timeout: 10 * time.Second}}
	return fetchWith(dialer)
}

// fetcher gets pages.
type fetcher struct{ client *http.Client }

func fetchWith(dialer *publicnet.Dialer) (tool.Tool, error) {
	f := &fetcher{&http.Client{
		CheckRedirect: func(r *http.Request, earlier []*http.Request) error {
			if len(earlier) > maxRedirects {
				return &redirectError{errorf("it redirects more than %d times", maxRedirects)}
			}
			if earlier[0].URL.Scheme == "https" && r.URL.Scheme == "http" {
				return &redirectError{errorf("it redirects from https to http")}
			}
			r.Header.Del("Referer") // hosts must not learn the addresses of pages on other hosts
			if err := checkURL(r.URL); err != nil {
				return &redirectError{err}
			}
			return nil
		},
		Transport: &http.Transport{
			DialContext: dialer.DialContext, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: fetchTime, MaxResponseHeaderBytes: 64 << 10,
		},
	}}
	out, err := newTool("fetch", "Web", "Fetches web pages.", f.getMethod)
	out.Concurrency = maxFetches
	return out, err
}

func (f *fetcher) getMethod() (tool.Method, error) {
	return tool.New("get",
		"Fetches a web page or a text file from the Internet by its address, and returns its text as Markdown. "+
			"A long page is returned in parts, and each part says how to get the next one.",
		f.get, tool.AgentCallable(), tool.WithRisk(tool.RiskWrite), tool.Idempotent(),
		tool.Title("Fetch web page"), tool.Timeout(fetchTime+5*time.Second), // so that get explains its own timeout
		tool.Example(map[string]any{"url": "https://example.org/article"}))
}

// checkURL returns an error for an address that is not fetched, such as one with a password. It
// does not resolve names: the dialer checks the IP address of the host.
func checkURL(u *url.URL) error {
	shown := shorten(u.Redacted(), maxEcho)
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return errorf("%q is not an address of the web; it must begin with https:// or http://", shown)
	case u.Hostname() == "":
		return errorf("%q names no host; write one such as https://example.org/page", shown)
	case isUnusualIP(u.Hostname()):
		return errorf("%q is an unusual form of an IP address, which is not fetched; write the name of the host", shorten(u.Hostname(), maxEcho))
	case u.User != nil:
		return errorf("%q contains a user name or a password, and none is sent; omit it", shown)
	case len(u.String()) > maxURL:
		return errorf("the address has %d bytes, and at most %d are sent", len(u.String()), maxURL)
	}
	return nil
}

// isUnusualIP reports whether a host is an IP address in an unusual form. Some resolvers read
// 2130706433, 0177.0.0.1 and 127.1 as addresses.
func isUnusualIP(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	// Digits may be no number for ParseUint, such as 09.
	return err == nil || last != "" && strings.Trim(last, "0123456789") == ""
}

func (f *fetcher) get(ctx context.Context, in fetchInput) (tool.Output, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSpace(in.URL), nil)
	if err != nil {
		return tool.Output{}, errorf("%q is not an address; write one such as https://example.org/page", shorten(in.URL, maxEcho))
	}
	u := request.URL
	if err := checkURL(u); err != nil {
		return tool.Output{}, err
	}
	request.Header.Set("User-Agent", "vcp (+https://github.com/vcpgo/vcp)")
	request.Header.Set("Accept", "text/html, application/xhtml+xml, text/plain, application/json;q=0.9, text/*;q=0.8, */*;q=0.1")
	response, err := f.client.Do(request)
	if err != nil {
		return tool.Output{}, explainFetch(ctx, u, err)
	}
	defer response.Body.Close()
	p, err := readPage(response)
	if err != nil {
		return tool.Output{}, explainFetch(ctx, u, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		status := http.StatusText(response.StatusCode)
		err := errorf("%s answered %d %s: %s", shorten(u.Redacted(), maxEcho), response.StatusCode, status,
			shorten(text.OneLine(p.text), maxFetchExcerpt))
		if response.StatusCode >= http.StatusInternalServerError || response.StatusCode == http.StatusTooManyRequests {
			err = tool.Retryable(err)
		}
		return tool.Output{}, err
	}
	return p.output(ctx, in.StartLine)
}

// explainFetch returns an error of an HTTP request as an error for a model.
func explainFetch(ctx context.Context, u *url.URL, err error) error {
	shown := shorten(u.Redacted(), maxEcho)
	var refused *publicnet.RefusedError
	var redirect *redirectError
	var unresolved *net.DNSError
	var notText *notTextError
	var outer *url.Error
	switch {
	case errors.As(err, &refused):
		return errorf("%s cannot be fetched: %v", shown, refused)
	case errors.As(err, &redirect):
		return errorf("%s cannot be fetched: %v", shown, redirect.error)
	case errors.As(err, &notText):
		return notText.error
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case ctx.Err() != nil:
		return errorf("%s did not answer within %v", shown, fetchTime)
	case errors.As(err, &unresolved):
		return errorf("there is no host %q, or its name cannot be resolved now", shorten(u.Hostname(), maxEcho))
	case errors.As(err, &outer):
		err = outer.Err
	}
	return tool.Retryable(errorf("%s cannot be fetched: %v", shown, shorten(text.OneLine(err.Error()), maxFetchExcerpt)))
}

// redirectError is the error for a redirect that is not followed. The next attempt would get the
// same redirect, so the error is not retryable.
type redirectError struct{ error }

// notTextError is the error for a page that is not text.
type notTextError struct{ error }

// webPage is the text of a fetched page.
type webPage struct {
	fetchDetails
	text      string
	truncated bool // text is only the beginning of the page
}

// readPage reads the text of a response.
func readPage(r *http.Response) (*webPage, error) {
	kind := r.Header.Get("Content-Type")
	body := &io.LimitedReader{R: r.Body, N: maxPage + 1} // one byte more than the limit shows that a page is too long
	buffered := bufio.NewReader(body)
	if kind == "" {
		head, _ := buffered.Peek(512) // as DetectContentType needs; the next read returns the error again
		kind = http.DetectContentType(head)
	}
	mediaType, _, err := mime.ParseMediaType(kind)
	if err != nil {
		mediaType = strings.ToLower(strings.TrimSpace(strings.Split(kind, ";")[0]))
	}
	p := &webPage{fetchDetails: fetchDetails{URL: r.Request.URL.Redacted(), Status: r.StatusCode, MediaType: mediaType}}
	if !textual(mediaType) {
		shown, kind := shorten(p.URL, maxEcho), shorten(mediaType, maxMediaType)
		if r.ContentLength < 0 {
			return nil, &notTextError{errorf("%s is of the type %q, and only text is fetched", shown, kind)}
		}
		size := plural(int(r.ContentLength), "%d byte")
		return nil, &notTextError{errorf("%s is of the type %q and has %v, and only text is fetched", shown, kind, size)}
	}
	decoded, err := charset.NewReader(buffered, kind)
	if errors.Is(err, io.EOF) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	if mediaType == "text/html" || mediaType == "application/xhtml+xml" {
		p.text, p.Title, err = htmltext.Markdown(decoded, r.Request.URL)
	} else {
		var data []byte
		data, err = io.ReadAll(decoded)
		p.text = string(data)
	}
	p.text = text.Valid(p.text)
	if body.N <= 0 {
		p.text, p.truncated = strings.TrimRight(p.text, "\uFFFD"), true // without half a character
	}
	if len(p.text) > maxPageText {
		p.text, p.truncated = text.Prefix(p.text, maxPageText), true
	}
	return p, err
}

// textual reports whether a media type is text that a model can read.
func textual(mediaType string) bool {
	switch mediaType {
	case "application/json", "application/xml", "application/xhtml+xml", "application/javascript", "application/yaml", "application/x-yaml",
		"application/toml", "application/x-ndjson", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(mediaType, "text/") || strings.HasSuffix(mediaType, "+json") ||
		strings.HasSuffix(mediaType, "+xml")
}

// output returns the result for the part of a page that begins at startLine.
func (p *webPage) output(ctx context.Context, startLine int) (tool.Output, error) {
	say, head := printer(ctx), p.URL+"\n"
	if p.Title != "" {
		head = p.Title + "\n" + head
	}
	if strings.TrimSpace(p.text) == "" {
		p.More = p.truncated
		return tool.Output{Text: head + say.Say("(The page has no text.)"), Details: p.fetchDetails}, nil
	}
	lines := lineReader{printer: say, from: startLine}
	if err := lines.read(bufio.NewReader(strings.NewReader(p.text))); err != nil {
		return tool.Output{}, err
	}
	if lines.last == 0 {
		return tool.Output{}, errorf("the page has %v, so there is no line %d",
			plural(lines.count, "%d line"), startLine)
	}
	foot := ""
	if p.truncated {
		foot = "\n" + say.Say("(The page is longer; the rest was not fetched.)")
	}
	fit := fits(ctx)
	shown := lines.pageText(func(s string) bool { return fit(head + "\n" + s + foot) })
	p.StartLine, p.EndLine, p.More = startLine, lines.last, lines.truncated || p.truncated
	return tool.Output{Text: head + "\n" + shown + foot, Details: p.fetchDetails}, nil
}
