// Package storetest checks implementations of chat.Store, in the manner of testing/slogtest:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) chat.Store { return openMyStore(t) })
//	}
//
// Each failure names the rule that the store breaks. The suite needs no clock: all times in it are
// those that it hands to the store.
package storetest
