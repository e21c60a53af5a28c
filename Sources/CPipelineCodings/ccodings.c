#include "ccodings.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// The parts of <brotli/decode.h> and <zstd.h> that are used here.

enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };

typedef struct {
  const void *bytes;
  size_t size;
  size_t position;
} zstd_input;

typedef struct {
  void *bytes;
  size_t size;
  size_t position;
} zstd_output;

// Where the functions are; written once, by the `load`s, before any is called.
static struct {
  void *(*create)(void *allocate, void *release, void *context);
  void (*destroy)(void *state);
  int (*unpack)(
      void *state, size_t *input_count, const uint8_t **input, size_t *room_count, uint8_t **room,
      size_t *total);
} brotli;

static struct {
  void *(*create)(void);
  size_t (*destroy)(void *stream);
  size_t (*unpack)(void *stream, zstd_output *output, zstd_input *input);
  unsigned (*is_error)(size_t code);
} zstd;

#ifdef __APPLE__
#define BROTLI_LIBRARY "libbrotlidec.1.dylib"
#define ZSTD_LIBRARY "libzstd.1.dylib"
#else
#define BROTLI_LIBRARY "libbrotlidec.so.1"
#define ZSTD_LIBRARY "libzstd.so.1"
#endif

static const char *brotli_problem, *zstd_problem;

#define FIND(library, type, member, symbol) \
  type.member = (__typeof__(type.member))dlsym(library, symbol); \
  if (type.member == NULL) { type##_problem = "the library lacks " symbol; return; }

static void load_brotli(void) {
  void *library = dlopen(BROTLI_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    brotli_problem = dlerror();
    return;
  }
  FIND(library, brotli, create, "BrotliDecoderCreateInstance")
  FIND(library, brotli, destroy, "BrotliDecoderDestroyInstance")
  FIND(library, brotli, unpack, "BrotliDecoderDecompressStream")
}

static void load_zstd(void) {
  void *library = dlopen(ZSTD_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    zstd_problem = dlerror();
    return;
  }
  FIND(library, zstd, create, "ZSTD_createDStream")
  FIND(library, zstd, destroy, "ZSTD_freeDStream")
  FIND(library, zstd, unpack, "ZSTD_decompressStream")
  FIND(library, zstd, is_error, "ZSTD_isError")
}

const char *ccodings_load(enum ccodings_coding coding) {
  static pthread_once_t brotli_once = PTHREAD_ONCE_INIT, zstd_once = PTHREAD_ONCE_INIT;
  if (coding == CCODINGS_BROTLI) {
    pthread_once(&brotli_once, load_brotli);
    return brotli_problem;
  }
  pthread_once(&zstd_once, load_zstd);
  return zstd_problem;
}

struct ccodings_stream {
  enum ccodings_coding coding;
  void *state;
};

ccodings_stream *ccodings_open(enum ccodings_coding coding) {
  ccodings_stream *stream = malloc(sizeof *stream);
  if (stream == NULL) return NULL;
  stream->coding = coding;
  stream->state =
      coding == CCODINGS_BROTLI ? brotli.create(NULL, NULL, NULL) : zstd.create();
  if (stream->state != NULL) return stream;
  free(stream);
  return NULL;
}

void ccodings_close(ccodings_stream *stream) {
  if (stream->coding == CCODINGS_BROTLI)
    brotli.destroy(stream->state);
  else
    zstd.destroy(stream->state);
  free(stream);
}

static enum ccodings_result unpack_brotli(
    void *state, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count,
    size_t *input_used, size_t *room_used) {
  size_t input_left = input_count, room_left = room_count;
  const int result = brotli.unpack(state, &input_left, &input, &room_left, &room, NULL);
  *input_used = input_count - input_left;
  *room_used = room_count - room_left;
  if (result == BROTLI_ERROR) return CCODINGS_BROKEN;
  return result == BROTLI_SUCCESS ? CCODINGS_END : CCODINGS_MORE;
}

static enum ccodings_result unpack_zstd(
    void *state, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count,
    size_t *input_used, size_t *room_used) {
  zstd_input from = {input, input_count, 0};
  zstd_output into = {room, room_count, 0};
  const size_t left = zstd.unpack(state, &into, &from);
  *input_used = from.position;
  *room_used = into.position;
  if (zstd.is_error(left)) return CCODINGS_BROKEN;
  return left == 0 ? CCODINGS_END : CCODINGS_MORE;
}

enum ccodings_result ccodings_unpack(
    ccodings_stream *stream, const uint8_t *input, size_t input_count, uint8_t *room,
    size_t room_count, size_t *input_used, size_t *room_used) {
  return (stream->coding == CCODINGS_BROTLI ? unpack_brotli : unpack_zstd)(
      stream->state, input, input_count, room, room_count, input_used, room_used);
}
