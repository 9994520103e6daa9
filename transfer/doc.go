// Package transfer owns the pinned memory: the slots that decoders write into, the slots that
// pictures are copied into, and the slots that results come back in. It records the copies between
// them and a device; it never waits for one.
//
// There are two classes of slot:
//
//   - Lent slots ([Staging.Lend]) are handed to a decoder, which writes pictures straight into
//     them. Their free list is the decoder's.
//   - Owned slots live in a [Ring] and are acquired and released here: the copy ring for pictures
//     that did not land in a lent slot, and the download ring for results. A [Mode] that allocates
//     per frame makes each slot for one picture and frees it afterwards instead.
//
// All slots are cut from an [Arena], in whole pages; one that is made for a single picture is an
// allocation of exactly the size asked for. An arena serves many Stagings, and its cap counts what it
// has from the driver, also while a retired slot waits for its last reference.
package transfer
