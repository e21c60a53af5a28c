#include "ccurl_memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(hwaddress_sanitizer)
#define IS_WATCHED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_WATCHED 1
#endif

#if defined(__GLIBC__) && !defined(IS_WATCHED)

#include <malloc.h>
#include <pthread.h>

// Blocks are of these sizes: multiples of 16 to 128, then four to each power of two. How much `malloc`
// gave tells which list a block belongs to: seldom that of the next size, never that of a lesser one.
enum {
  STEP = 16,
  SMALL_SIZES = 8,
  LOWEST_POWER = 7,  // 2^7 is the largest of the small sizes.
  LARGEST_POWER = 17,
  LARGEST = 1 << LARGEST_POWER,
  SIZES = SMALL_SIZES + 4 * (LARGEST_POWER - LOWEST_POWER),
};

#define FOUR_ABOVE(power) 5 << (power - 2), 6 << (power - 2), 7 << (power - 2), 8 << (power - 2)
static const unsigned sizes[SIZES] = {
    16, 32, 48, 64, 80, 96, 112, 128,
    FOUR_ABOVE(7), FOUR_ABOVE(8), FOUR_ABOVE(9), FOUR_ABOVE(10), FOUR_ABOVE(11),
    FOUR_ABOVE(12), FOUR_ABOVE(13), FOUR_ABOVE(14), FOUR_ABOVE(15), FOUR_ABOVE(16),
};

struct block {
  struct block *next;
};

// What one thread keeps.
struct kept {
  struct block *first[SIZES];
  size_t bytes;
  int is_freed_at_end;
};

static _Thread_local struct kept kept;
static pthread_key_t end_of_thread;
static int has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// How many of the sizes are at most `count` bytes, where that is less than 5/4 of the largest.
static unsigned sizes_within(size_t count) {
  if (count < SMALL_SIZES * STEP) return (unsigned)(count / STEP);
  const unsigned power =
      (unsigned)(8 * sizeof(unsigned long) - 1) - (unsigned)__builtin_clzl(count);
  const unsigned quarter = (unsigned)(count >> (power - 2)) & 3;
  return SMALL_SIZES + 4 * (power - LOWEST_POWER) + quarter;
}

static void free_kept(void *context) {
  struct kept *kept = context;
  for (unsigned index = 0; index < SIZES; index++) {
    while (kept->first[index] != NULL) {
      struct block *block = kept->first[index];
      kept->first[index] = block->next;
      free(block);
    }
  }
  kept->bytes = 0;
  kept->is_freed_at_end = 0;
}

static void make_key(void) { has_key = pthread_key_create(&end_of_thread, free_kept) == 0; }

// Whether what this thread keeps is freed when it ends. Where that cannot be had, it keeps nothing.
static int is_freed_at_end(void) {
  if (!kept.is_freed_at_end) {
    pthread_once(&once, make_key);
    kept.is_freed_at_end = has_key && pthread_setspecific(end_of_thread, &kept) == 0;
  }
  return kept.is_freed_at_end;
}

int ccurl_keeps_memory(void) { return 1; }

void *ccurl_allocate(size_t count) {
  if (count > LARGEST) return malloc(count);
  // The smallest size that is enough.
  const unsigned index = count == 0 ? 0 : sizes_within(count - 1);
  struct block *block = kept.first[index];
  if (block == NULL) return malloc(sizes[index]);
  kept.first[index] = block->next;
  kept.bytes -= sizes[index];
  return block;
}

void ccurl_free(void *memory) {
  if (memory == NULL) return;
  const size_t room = malloc_usable_size(memory);
  // A block of the largest size may come in whole pages.
  if (room >= STEP && room < LARGEST + LARGEST / 4 && is_freed_at_end()) {
    const unsigned index = sizes_within(room) - 1;
    if (sizes[index] <= CCURL_MOST_KEPT - kept.bytes) {
      struct block *block = memory;
      block->next = kept.first[index];
      kept.first[index] = block;
      kept.bytes += sizes[index];
      return;
    }
  }
  free(memory);
}

void *ccurl_resize(void *memory, size_t count) {
  if (memory == NULL) return ccurl_allocate(count);
  const size_t room = malloc_usable_size(memory);
  if (count <= room) return memory;
  if (room > LARGEST) return realloc(memory, count);
  void *larger = ccurl_allocate(count);
  if (larger == NULL) return NULL;
  memcpy(larger, memory, room);
  ccurl_free(memory);
  return larger;
}

void *ccurl_allocate_zeroed(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > LARGEST) return calloc(count, size);
  void *memory = ccurl_allocate(bytes);
  return memory == NULL ? NULL : memset(memory, 0, bytes);
}

size_t ccurl_kept_bytes(void) { return kept.bytes; }

#else

int ccurl_keeps_memory(void) { return 0; }
void *ccurl_allocate(size_t count) { return malloc(count); }
void ccurl_free(void *memory) { free(memory); }
void *ccurl_resize(void *memory, size_t count) { return realloc(memory, count); }
void *ccurl_allocate_zeroed(size_t count, size_t size) { return calloc(count, size); }
size_t ccurl_kept_bytes(void) { return 0; }

#endif

char *ccurl_copy_text(const char *text) {
  const size_t count = strlen(text) + 1;
  void *copy = ccurl_allocate(count);
  return copy == NULL ? NULL : memcpy(copy, text, count);
}
