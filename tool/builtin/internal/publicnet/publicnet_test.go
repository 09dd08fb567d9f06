package publicnet

import (
	"io"
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/builtin/internal/publicnet/nametest"
)

func TestOnlyAddressesOfTheInternetArePublic(t *testing.T) {
	for _, a := range []string{
		"8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1", "2606:4700::1111", "2a00:1450::1",
	} {
		require.True(t, isPublic(netip.MustParseAddr(a)), a)
	}
	for _, a := range []string{
		"0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254", "169.254.0.1",
		"100.64.0.1", "100.100.100.200", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "239.1.1.1", "240.0.0.1",
		"255.255.255.255", "168.63.129.16", "192.88.99.1",
		"::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808",
		"64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::1",
		"2001::1", "2001:0:7f00:1::", "2001:db8::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%lo", "fec0::1",
		"ff02::1", "100::1", "3fff::1", "5f00::1",
	} {
		require.False(t, isPublic(netip.MustParseAddr(a)), a)
	}
	require.False(t, isPublic(netip.Addr{}))
}

func TestPorts80And443AndAbove1023AreOfTheWeb(t *testing.T) {
	require.Equal(t, []bool{true, true, true, false, false, false},
		[]bool{isWebPort(80), isWebPort(443), isWebPort(8080), isWebPort(22), isWebPort(25), isWebPort(0)})
}

// TestNamesOfThisMachineAreRefused connects to names and addresses of this machine, where a
// listener would accept the connection. One of the names has another address when it is first
// resolved. That address is reserved for documentation, so the test connects to nobody.
func TestNamesOfThisMachineAreRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	accepted := make(chan struct{}, 20)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			accepted <- struct{}{}
			_ = conn.Close()
		}
	}()
	var checked []string
	public := func(a netip.AddrPort) bool {
		checked = append(checked, a.Addr().String())
		return isPublic(a.Addr())
	}
	resolver := nametest.Resolver(t, []string{"203.0.113.9"}, []string{"127.0.0.1"})
	d := Dialer{Allow: public, Dialer: net.Dialer{Resolver: resolver}}
	for range 3 {
		_, err := d.DialContext(t.Context(), "tcp", "rebinding.example:"+port)
		var refused *RefusedError
		require.ErrorAs(t, err, &refused)
	}
	require.Equal(t, []string{"203.0.113.9", "127.0.0.1", "127.0.0.1"}, checked,
		"each connection is checked, on its real address")

	d = Dialer{Dialer: net.Dialer{Resolver: nametest.Resolver(t, []string{"10.0.0.1", "127.0.0.1"})}}
	for _, address := range []string{
		"inside.example:" + port, "127.0.0.1:" + port, "[::1]:" + port, "[::ffff:127.0.0.1]:" + port,
		"localhost:" + port,
		"0.0.0.0:" + port, "[::]:" + port, ":" + port,
	} {
		_, err := d.DialContext(t.Context(), "tcp", address)
		require.Error(t, err, address)
	}
	_, err = d.DialContext(t.Context(), "unix", "/tmp/socket")
	require.Error(t, err)

	// The connection of the test itself is accepted after all others.
	own, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	_, err = own.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, own.Close())
	require.Len(t, accepted, 1, "nothing else was connected to")
}
