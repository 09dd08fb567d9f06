package markdown

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/yuin/goldmark"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// Options configure a Renderer or an Extension. Protocols is required.
type Options struct {
	// Protocols are the text protocols of replies. A reply names its protocol by ID; the first one
	// applies to a reply that names none.
	Protocols []protocol.Protocol
	// Reading says how replies are read. It should be the same as in the engine. If the Renderer
	// finds other requests in a message than the engine recorded, it renders the recorded ones.
	Reading parser.Options
	// AllowLink reports whether an address may become a link. It is called for absolute addresses
	// of the schemes http, https and mailto; nil allows all of these. No other address becomes a
	// link. Several goroutines may call it.
	AllowLink func(*url.URL) bool
	// AllowImage reports whether a page may load an image from an absolute address of the schemes
	// http and https; nil allows none. An image that is not loaded is rendered as a link, if
	// AllowLink allows it. The address of an image can carry data to its host as soon as the page
	// is shown. The headers of Security forbid images of other hosts, so a page that shows such
	// images needs another Content-Security-Policy. Several goroutines may call AllowImage.
	AllowImage func(*url.URL) bool
	// Label translates the words of cards, such as "Request" and "answered"; Labels lists them. nil
	// means English.
	Label func(word string) string
	// Extensions are those of goldmark; nil means tables, strikethrough and links for addresses in
	// text. An element that Policy does not know is dropped.
	Extensions []goldmark.Extender
	// MaxBytes limits the text of a message that is rendered, and MaxValueBytes an argument or a
	// result; 0 means 256 KiB and 32 KiB. A longer text is truncated, and the page says so.
	MaxBytes, MaxValueBytes int
}

// Default limits, in bytes.
const (
	defaultMaxBytes      = 256 << 10
	defaultMaxValueBytes = 32 << 10
)

// Style is a style sheet for the cards. It follows the color scheme of the page.
//
//go:embed style.css
var Style string

// Security sets the headers of a page that shows a conversation. The page may use style sheets,
// scripts and requests of its own origin only. It loads nothing from another host. The browser does
// not look up the hosts of links before a person follows them.
func Security(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "+
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
}

// withDefaults returns the options with defaults, or an error that names the option.
func (o Options) withDefaults() (Options, error) {
	if len(o.Protocols) == 0 {
		return o, errors.New("markdown: no protocol; set Options.Protocols, such as to vcp.Protocol{}")
	}
	for i, p := range o.Protocols {
		if p == nil {
			return o, fmt.Errorf("markdown: protocol %d is nil; remove it", i)
		}
		if _, err := parser.New(p, o.Reading); err != nil {
			return o, fmt.Errorf("markdown: %w", err)
		}
	}
	if o.MaxBytes < 0 || o.MaxValueBytes < 0 {
		return o, fmt.Errorf("markdown: limits must not be negative (got %d and %d)", o.MaxBytes, o.MaxValueBytes)
	}
	o.MaxBytes = cmp.Or(o.MaxBytes, defaultMaxBytes)
	o.MaxValueBytes = cmp.Or(o.MaxValueBytes, defaultMaxValueBytes)
	if o.Label == nil {
		o.Label = func(word string) string { return word }
	}
	return o, nil
}

// protocolOf returns the protocol with that ID, or nil. "" means the first protocol.
func (o *Options) protocolOf(id string) protocol.Protocol {
	if id == "" {
		return o.Protocols[0]
	}
	for _, p := range o.Protocols {
		if p.ID() == id {
			return p
		}
	}
	return nil
}

// isPlain reports whether a text is not read as Markdown: it is longer than MaxBytes, or one of its
// lines begins more than maxNesting block quotes and lists.
func (o *Options) isPlain(source []byte) bool { return len(source) > o.MaxBytes || tooDeep(source) }
