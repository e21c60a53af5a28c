#ifdef __linux__
#define _GNU_SOURCE  // MADV_HUGEPAGE
#endif
#include "cmemory.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif

void cmemory_grow_by(int bytes) {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, bytes);
#else
  (void)bytes;
#endif
}

void cmemory_use_large_pages(void) {
#ifdef __GLIBC__
  static _Thread_local uintptr_t from, to;
  // Large enough to come from where the heap goes on, and not from what was given back.
  void *block = malloc(64 << 10);
  const uintptr_t place = (uintptr_t)block;
  free(block);
  if (!place || (from <= place && place < to)) return;
  // The first heap ends at the break; every other is 64 MiB that begin at a multiple of that.
  const uintptr_t heap = 64 << 20, end = (uintptr_t)sbrk(0);
  from = place;
  to = place < end && end - place <= 2 * heap ? end : (place & ~(heap - 1)) + heap;
  const uintptr_t large = 2 << 20, first = (from + large) & ~(large - 1);
  // A hint: where heaps are laid out otherwise, some pages are larger, and nothing else changes.
  if (first < to) madvise((void *)first, to - first, MADV_HUGEPAGE);
#endif
}
