package markdown

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/util"
	"golang.org/x/net/idna"
)

// address is where a link leads.
type address struct {
	href string
	// shown is the part of the address that people see: the host in ASCII, or a mail address.
	shown string
}

// linkTo returns the address of a link in Markdown, and whether it may become a link.
func (o *Options) linkTo(destination []byte) (address, bool) {
	u, a, ok := parseAddress(destination)
	return a, ok && (o.AllowLink == nil || o.AllowLink(u))
}

// imageFrom returns the address of an image, and whether a page may load it.
func (o *Options) imageFrom(destination []byte) (address, bool) {
	if o.AllowImage == nil {
		return address{}, false
	}
	u, a, ok := parseAddress(destination)
	return a, ok && u.Scheme != "mailto" && o.AllowImage(u)
}

// parseAddress reads an absolute address of the schemes http, https and mailto, and reports whether
// it is one. It refuses addresses that a browser might read in another way than Go: those with
// white space, control characters, backslashes or user names.
func parseAddress(destination []byte) (*url.URL, address, bool) {
	for _, c := range destination {
		if c <= ' ' || c == '\\' || c == 0x7f {
			return nil, address{}, false
		}
	}
	u, err := url.Parse(string(util.URLEscape(destination, true)))
	if err != nil || u.User != nil {
		return nil, address{}, false
	}
	switch u.Scheme {
	case "http", "https":
		host, err := idna.Lookup.ToASCII(u.Hostname())
		if err != nil || host == "" || u.Opaque != "" {
			return nil, address{}, false
		}
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if port := u.Port(); port != "" {
			host += ":" + port
		}
		u.Host = host
		return u, address{u.String(), host}, true
	case "mailto":
		to, err := url.PathUnescape(u.Opaque)
		if err != nil || to == "" || strings.ContainsFunc(to, hidden) {
			return nil, address{}, false
		}
		return u, address{u.String(), to}, true
	}
	return nil, address{}, false
}
