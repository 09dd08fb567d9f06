// Package storetest checks implementations of chat.Store, in the manner of testing/slogtest:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) chat.Store { return openMyStore(t) })
//	}
//
// Each failure names the rule that the store breaks. The suite passes all times to the store. It
// reads the clock only to test a conversation that is created without a time.
package storetest
