// Package quota lets the processes of one user on one host share a cap of pinned memory, so that a
// few hundred MB each do not add up to more than the machine can spare.
//
// Each process has a [Share], a file in the runtime folder under a lock that the operating system
// drops when the process ends, however it ends: lock held = alive. Only living processes count; so
// a killed one gives its bytes back at once. Files that are foreign or broken are ignored and
// counted, never trusted.
//
// # Who gets how much
//
// The sum of what is granted never exceeds the cap; every change is made under one lock. A newcomer
// gets what it wants, but not more than half of what is left, so that there is something for the
// next. After that everybody moves towards a fair part (max-min fairness: those who want less than
// an equal part get what they want, the others share the rest equally) by calling [Share.Rebalance]
// from time to time: who has too much is told to shrink, who has too little grows by what is left.
//
// # What a process owes
//
// It allocates no more than it was granted. It frees memory first and then calls [Share.Shrink].
package quota
