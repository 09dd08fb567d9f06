package protocol

// What one reply may hold where nothing else is said (DIALECT B15). What passes these limits is not read, so it is not written either.
const (
	MaxBlocks     = 64      // requests written apart
	MaxBlockBytes = 4 << 20 // of one of them, marks included
	MaxFields     = 256     // of one of them
	MaxKeyBytes   = 128     // of the key of a field
)
