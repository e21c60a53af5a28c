#pragma once

// The face of Brotli and zstd that Swift sees: unpacking bodies that are coded so. libcurl brings
// both along on most machines. They are loaded by name, so neither their headers nor their
// libraries are needed to build this. Their ABIs are stable.

#include <stddef.h>
#include <stdint.h>

/// A content coding (RFC 7932, RFC 8878).
enum ccodings_coding {
  CCODINGS_BROTLI,
  CCODINGS_ZSTD,
};

/// What a call of `ccodings_unpack` came to.
enum ccodings_result {
  /// More input is needed, or more room.
  CCODINGS_MORE = 0,
  /// The stream, or of zstd a frame of it, has ended.
  CCODINGS_END = 1,
  /// The bytes are not of the coding.
  CCODINGS_BROKEN = -1,
};

/// An unpacker under way.
typedef struct ccodings_stream ccodings_stream;

/// Loads the library of a coding, once. Returns `NULL`, or why it cannot be loaded.
const char *ccodings_load(enum ccodings_coding coding);

/// A new unpacker, or `NULL` if there is no memory. The coding must be loaded.
ccodings_stream *ccodings_open(enum ccodings_coding coding);
void ccodings_close(ccodings_stream *stream);

/// Unpacks some of `input` into `room`, and returns how much of both was used.
enum ccodings_result ccodings_unpack(
    ccodings_stream *stream, const uint8_t *input, size_t input_count, uint8_t *room,
    size_t room_count, size_t *input_used, size_t *room_used);
