#ifndef CMEMORY_H
#define CMEMORY_H

// What Swift leaves out about memory: of the C library's allocator, and of the processor.

// Has the heaps of this process grow by this many bytes at a time, at most 64 MiB, where the C library
// is glibc; elsewhere to no effect. Address space, not memory: a page takes memory when it is touched.
//
// glibc lets the heap of a thread but the first grow page by page, each with a system call that keeps
// the page faults of all other threads waiting.
void cmemory_grow_by(int bytes);

// Asks for pages of 2 MiB where the heap of this thread goes on, for a thread that is about to fill many;
// on Linux with glibc, elsewhere to no effect. Called again, it does nothing until the heap is full.
void cmemory_use_large_pages(void);

// Has the processor fetch what lies at `place` while the caller does something else. Any place will do:
// one that cannot be read is not.
static inline void cmemory_fetch_ahead(const void *place) { __builtin_prefetch(place); }

#endif
