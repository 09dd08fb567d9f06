package script

import "time"

// Limits are the limits of one script. A field that is not positive has the value in DefaultLimits.
type Limits struct {
	MemoryBytes int           // the memory for the script's values
	Compute     time.Duration // how long the script may compute without waiting for a method
	Calls       int           // how many calls of methods the script may make
	OutputBytes int           // the output, which is what the script prints and returns
}

// DefaultLimits are 64 MiB, 10 seconds, 200 calls and 256 KiB.
var DefaultLimits = Limits{MemoryBytes: 64 << 20, Compute: 10 * time.Second, Calls: 200, OutputBytes: 256 << 10}

// orDefault returns the limits, with the values of DefaultLimits for fields that are not positive.
func (l Limits) orDefault() Limits {
	d := DefaultLimits
	if l.MemoryBytes > 0 {
		d.MemoryBytes = l.MemoryBytes
	}
	if l.Compute > 0 {
		d.Compute = l.Compute
	}
	if l.Calls > 0 {
		d.Calls = l.Calls
	}
	if l.OutputBytes > 0 {
		d.OutputBytes = l.OutputBytes
	}
	return d
}
