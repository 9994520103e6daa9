// Package roster lets processes of one user tell each other a few numbers, through files in one
// folder: each process has a file with a fixed record and holds its lock for as long as it lives.
// A lock that nobody holds means that the process is gone, however it went, and its record no
// longer counts. Everything that is read or written under the folder's own lock is consistent.
//
// Nothing that is found is trusted: files with other names, of other users, links, records with a
// wrong checksum or with numbers below zero are ignored and counted.
package roster
