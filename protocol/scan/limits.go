package scan

// The default limits of one reply. A reader does not read beyond them, so a writer does not write
// beyond them either.
const (
	MaxBlocks     = 64      // blocks in a reply; a batch is one block
	MaxBlockBytes = 4 << 20 // bytes of a block, marks included
	MaxFields     = 256     // fields of a block
	MaxKeyBytes   = 128     // bytes of a field's key
)
