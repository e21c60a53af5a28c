#ifdef __linux__
#define _GNU_SOURCE  // MADV_HUGEPAGE
#endif
#include "callocator.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif

void callocator_grow_by(int bytes) {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, bytes);
#else
  (void)bytes;
#endif
}

void callocator_use_large_pages(void) {
#ifdef __GLIBC__
  static _Thread_local bool is_done;
  if (is_done) return;
  is_done = true;
  // Where this thread's next small blocks come from: near this one.
  void *block = malloc(256);
  if (!block) return;
  const uintptr_t place = (uintptr_t)block, large = 2 << 20, heap = 64 << 20;
  free(block);
  const uintptr_t end = (uintptr_t)sbrk(0);
  // The first heap ends at the break; the heap of any other thread is 64 MiB that begin at a multiple of that.
  const uintptr_t from = (place + large) & ~(large - 1);
  const uintptr_t to = place < end && end - place <= 2 * heap ? end : (place & ~(heap - 1)) + heap;
  // A hint: where the memory is laid out otherwise, it changes nothing but the pages' size.
  if (from < to) madvise((void *)from, to - from, MADV_HUGEPAGE);
#endif
}
