// Package publicnet connects to public addresses only. It checks the address of each connection
// itself, after names are resolved. So neither the spelling of an address nor the answer of a name
// server can evade the check.
package publicnet

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// RefusedError is the error for a connection to an address that is not public. It does not contain
// the address, which could reveal the structure of an internal network.
type RefusedError struct{}

func (*RefusedError) Error() string {
	return "the address is not a public one (it is loopback, private, link-local or reserved); only public addresses can be connected to"
}

// refused are the addresses that are not public. In addition, IPv6 addresses outside of publicIPv6
// are not public; these include the forms that contain an IPv4 address (mapped, compatible and
// NAT64).
var refused = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32", // the host of a virtual machine at Azure
	"2001::/23",        // Teredo and other protocols
	"2001:db8::/32", "2002::/16", "3fff::/20",
)

// publicIPv6 contains all public IPv6 addresses.
var publicIPv6 = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) (out []netip.Prefix) {
	for _, p := range list {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

// isPublic reports whether an address belongs to the public Internet.
func isPublic(a netip.Addr) bool {
	a = a.WithZone("") // a prefix contains no address with a zone
	return (a.Is4() || publicIPv6.Contains(a)) &&
		!slices.ContainsFunc(refused, func(p netip.Prefix) bool { return p.Contains(a) })
}

// isWebPort reports whether a port is usual for web servers: 80, 443, or any port above 1023.
func isWebPort(port uint16) bool { return port == 80 || port == 443 || port > 1023 }

// Dialer connects only to addresses for which Allow returns true. The zero value is ready to use. A
// Dialer is safe for concurrent use if Allow is.
type Dialer struct {
	// Allow reports whether connections to an address are allowed. nil allows public addresses, at
	// ports that are usual for web servers: 80, 443 and all above 1023.
	Allow func(netip.AddrPort) bool
	// Dialer contains the timeouts and the resolver. Its Control and ControlContext are ignored.
	Dialer net.Dialer
}

// DialContext connects as net.Dialer.DialContext does. It fits http.Transport. The error for an
// address that is not allowed wraps a *RefusedError.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := d.Dialer
	dialer.ControlContext = nil
	dialer.Control = func(network, address string, _ syscall.RawConn) error { return d.check(network, address) }
	return dialer.DialContext(ctx, network, address)
}

// check returns an error if the address is not allowed. It is called before each connection.
func (d *Dialer) check(network, address string) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w (%s)", &RefusedError{}, network)
	}
	allowed := isPublic(a.Addr()) && isWebPort(a.Port())
	if d.Allow != nil {
		allowed = d.Allow(a)
	}
	if !allowed {
		return &RefusedError{}
	}
	return nil
}
