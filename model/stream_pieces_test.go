package model_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

// inLines returns the same stream with line breaks in its values, between the members of objects.
func inLines(stream string) string { return strings.ReplaceAll(stream, ",\"", ",\ndata: \"") }

// The meaning of a stream depends neither on its line ends nor on its pieces.
func TestStreamsDoNotDependOnPieces(t *testing.T) {
	for _, stream := range []string{allStop, inLines(allStop), "event: ping\ndata: {}\n\n" + allStop} {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			for _, size := range []int{1, 2, 3} {
				s := modelserver.Start(t, modelserver.RawStream(strings.ReplaceAll(stream, "\n", end)))
				client := &http.Client{Transport: drip{http.DefaultTransport, size}}
				got, err := ask(t.Context(),
					newClient(t, model.Options{BaseURL: s.URL, Model: "m", HTTPClient: client}), hello)
				require.NoError(t, err, "%q", end)
				require.Equal(t, reply{Text: "hi", Finish: protocol.FinishStop, Finished: true}, got, "%q", end)
				client.CloseIdleConnections()
				s.Close()
			}
		}
	}
}

// drip lets a client read a response in small pieces.
type drip struct {
	http.RoundTripper
	size int // the greatest length of a piece, in bytes
}

func (d drip) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(req)
	if err == nil {
		resp.Body = &dripping{resp.Body, d.size}
	}
	return resp, err
}

func (d drip) CloseIdleConnections() { watchClose{RoundTripper: d.RoundTripper}.CloseIdleConnections() }

type dripping struct {
	io.ReadCloser
	size int
}

func (d *dripping) Read(p []byte) (int, error) { return d.ReadCloser.Read(p[:min(len(p), d.size)]) }

// A piece is delivered without waiting for the rest of a line end or of an event.
func TestAPieceIsDeliveredWithItsLine(t *testing.T) {
	for name, body := range map[string]string{
		"an event that is not ended": "data: " + pieceHi + "\ndata: " + endStop + "\n",
		"a line that ends in CR":     "data: " + pieceHi + "\r\rdata: " + endStop + "\r",
		"a line that ends in CR LF":  "data: " + pieceHi + "\r\n\r\ndata: " + endStop + "\r\n",
		"an event of several lines":  inLines("data: "+pieceHi+"\n\ndata: "+endStop) + "\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := piped(t, model.Options{IdleTimeout: 10 * sec}, modelserver.Reply{Raw: body, Stall: true})
				got, err := ask(t.Context(), c, hello)
				require.NoError(t, err)
				require.Equal(t, reply{Text: "hi", Finish: protocol.FinishStop, Finished: true}, got)
			})
		})
	}
	t.Run("an error", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, c := piped(t, model.Options{IdleTimeout: 10 * sec, Retries: -1},
				modelserver.Reply{Raw: "data: {\"error\":\"gone\"}\n", Stall: true})
			_, err := ask(t.Context(), c, hello)
			require.Equal(t, model.KindServer, requireError(t, err).Kind)
		})
	})
}
