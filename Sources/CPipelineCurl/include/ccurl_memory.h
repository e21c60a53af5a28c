#pragma once

// The memory that libcurl works with. libcurl asks for some thirty blocks a request and gives them
// back on the same thread, where they are kept for the next request. glibc would keep a few of each
// size, mix them with blocks of other threads, and lock out those threads for the rest.

#include <stddef.h>

/// Whether freed blocks are kept: with glibc, unless a sanitizer watches `malloc`.
int ccurl_keeps_memory(void);

/// What `malloc`, `free`, `realloc`, `strdup` and `calloc` do, but that no block becomes smaller. A block
/// may be freed on any thread, and by `free` too.
void *ccurl_allocate(size_t count);
void ccurl_free(void *block);
void *ccurl_resize(void *block, size_t count);
char *ccurl_copy_text(const char *text);
void *ccurl_allocate_zeroed(size_t count, size_t size);

/// How many bytes the calling thread keeps for later, at most `CCURL_MOST_KEPT`. They are freed when it
/// ends.
size_t ccurl_kept_bytes(void);
enum { CCURL_MOST_KEPT = 8 << 20 };
