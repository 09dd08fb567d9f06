// Package markdown draws conversations as HTML: requests and results as cards, everything else as
// Markdown.
//
// A protocol's parser decides what a request is; Markdown never does. A Renderer draws whole
// messages, replies and conversations, and a Stream draws a reply while it arrives. Extension adds
// the cards to a goldmark.Markdown of the application; its output must pass through Policy.
//
// All text is foreign: the model may repeat what a web page told it to write. So the HTML of a
// Renderer contains no script, no style, no form and no frame, loads nothing, and links only to
// addresses whose host it shows. HTML in Markdown is shown as text. Package bluemonday filters the
// result once more.
//
// A page should also forbid what it does not need. Style has the rules for the cards, and Security
// the headers of a page that needs no others.
package markdown
