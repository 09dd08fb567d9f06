// Package markdown renders conversations as HTML: requests and results as cards, everything else as
// Markdown.
//
// A protocol's parser decides what a request is; Markdown never does. A Renderer renders whole
// messages, replies and conversations, and a Stream renders a reply while it arrives. Extension
// adds the cards to a goldmark.Markdown of the application; its output must pass through Policy.
//
// All text is foreign: the model may repeat what a web page told it to write. Therefore the HTML of
// a Renderer contains no script, style, form or frame. It loads only images that Options.AllowImage
// allows, and links only to addresses whose host it shows. HTML in Markdown is shown as text.
// Package bluemonday filters the result once more.
//
// A page should also forbid the browser what the page does not need: Security sets the HTTP headers
// for that, such as Content-Security-Policy. Style is a style sheet for the cards.
package markdown
