#ifndef CALLOCATOR_H
#define CALLOCATOR_H

// What Swift's platform modules leave out of the C library's allocator.

// Has the heaps of this process grow by this many bytes at a time, at most 64 MiB, where the C library
// is glibc; elsewhere to no effect. Address space, not memory: a page takes memory when it is touched.
//
// glibc lets the heap of a thread but the first grow page by page, each with a system call that keeps
// the page faults of all other threads waiting.
void callocator_grow_by(int bytes);

// Asks for pages of 2 MiB where the heap of this thread goes on, for a thread that is about to fill many;
// on Linux with glibc, elsewhere to no effect. Called again, it does nothing until the heap is full.
void callocator_use_large_pages(void);

#endif
