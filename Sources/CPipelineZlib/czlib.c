#include "czlib.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#if __has_include(<zlib.h>) && !defined(CZLIB_WITHOUT_HEADER)
#include <zlib.h>
#else
#include "declarations.h"
#endif

enum { OK = 0, STREAM_END = 1, MEM_ERROR = -4, BUF_ERROR = -5, NO_FLUSH = 0 };
/// The largest window, and how each format adds to it (zlib.h, `inflateInit2`).
enum { LARGEST_WINDOW = 15, GZIP_HEADER = 16 };
#ifdef ZLIB_VERSION
_Static_assert(OK == Z_OK && STREAM_END == Z_STREAM_END && MEM_ERROR == Z_MEM_ERROR, "results");
_Static_assert(BUF_ERROR == Z_BUF_ERROR && NO_FLUSH == Z_NO_FLUSH, "results");
#endif

#define FUNCTIONS(X) X(inflateInit2_) X(inflate) X(inflateReset) X(inflateEnd)

// Where they are; written once, by `load`, before any is called.
#define MEMBER(name) __typeof__(&name) name;
static struct { FUNCTIONS(MEMBER) } zlib;
static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef __APPLE__
#define LIBRARY "/usr/lib/libz.1.dylib"
#else
#define LIBRARY "libz.so.1"
#endif

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    problem = dlerror();
    return;
  }
#define FIND(name) \
  zlib.name = (__typeof__(&name))dlsym(library, #name); \
  if (zlib.name == NULL) { problem = LIBRARY " lacks " #name; return; }
  FUNCTIONS(FIND)
}

const char *czlib_load(void) {
  pthread_once(&once, load);
  return problem;
}

struct czlib_stream {
  z_stream zlib;
};

static int window(enum czlib_format format) {
  switch (format) {
    case CZLIB_GZIP: return LARGEST_WINDOW + GZIP_HEADER;
    case CZLIB_DEFLATE: return -LARGEST_WINDOW;
    default: return LARGEST_WINDOW;
  }
}

czlib_stream *czlib_open(enum czlib_format format) {
  czlib_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  if (zlib.inflateInit2_(&stream->zlib, window(format), "1.2.0", (int)sizeof(z_stream)) == OK)
    return stream;
  free(stream);
  return NULL;
}

void czlib_close(czlib_stream *stream) {
  zlib.inflateEnd(&stream->zlib);
  free(stream);
}

static unsigned int limited(size_t count) {
  return count > UINT_MAX ? UINT_MAX : (unsigned int)count;
}

enum czlib_result czlib_unpack(
    czlib_stream *stream, const uint8_t *input, size_t input_count, uint8_t *room,
    size_t room_count, size_t *input_used, size_t *room_used) {
  z_stream *z = &stream->zlib;
  // zlib reads the input only; older headers declare it without `const`.
  z->next_in = (unsigned char *)(uintptr_t)input;
  z->avail_in = limited(input_count);
  z->next_out = room;
  z->avail_out = limited(room_count);
  const unsigned int given = z->avail_in, free_room = z->avail_out;
  const int result = zlib.inflate(z, NO_FLUSH);
  *input_used = given - z->avail_in;
  *room_used = free_room - z->avail_out;
  switch (result) {
    case OK:
    case BUF_ERROR: return CZLIB_MORE;
    case STREAM_END: return CZLIB_END;
    case MEM_ERROR: return CZLIB_NO_MEMORY;
    default: return CZLIB_BROKEN;
  }
}

enum czlib_result czlib_next(czlib_stream *stream) {
  return zlib.inflateReset(&stream->zlib) == OK ? CZLIB_MORE : CZLIB_BROKEN;
}
