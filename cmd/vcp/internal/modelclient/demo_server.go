package modelclient

import (
	"context"
	"errors"
	"time"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/internal/loopback"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// DemoPause is the time between two pieces of a reply of the demo model, so that people see the
// reply stream.
const DemoPause = 5 * time.Millisecond

// StartDemo starts the demo model. The caller calls CloseDemo.
func StartDemo(o demomodel.Options) (*demomodel.Server, error) {
	server, err := demomodel.Start(o)
	if bad := (*loopback.AddrError)(nil); errors.As(err, &bad) && bad.Err == nil {
		return nil, cli.Usagef("--addr: %v", err)
	}
	return server, err
}

// CloseDemo closes the server, and gives unfinished replies one second to end.
func CloseDemo(server *demomodel.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = server.Close(ctx) // a reply that takes longer is truncated
}
