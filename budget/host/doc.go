// Package host measures how much memory the host lets this process have. On Linux: MemAvailable of
// /proc/meminfo, the memory limits of the control groups that the process is in (versions 1 and 2,
// at every level up to the root), and RLIMIT_MEMLOCK. On Windows: GlobalMemoryStatusEx.
//
// # Page cache
//
// A control group's usage contains the cache of the files that its processes read. The kernel gives
// that back before it kills anybody, so inactive file pages are not counted as used; otherwise
// reading a large video would look like running out of memory.
//
// # RLIMIT_MEMLOCK
//
// It counts for memory that a process locks itself. NVIDIA's driver pins pages on its own account
// and is not stopped by it: 2 GB could be pinned where the limit was the usual 8 MiB. So the limit
// is reported, and limits only when [Options].MemlockBinds says so.
package host
