#pragma once

// The face of zlib that Swift sees: unpacking gzip and deflate. zlib is loaded when the first packed
// body is read, so <zlib.h> is not needed to build this (zlib's ABI is stable). If that header is
// present, czlib.c compares its own declarations with it.

#include <stddef.h>
#include <stdint.h>

/// What a call of `czlib_unpack` came to.
enum czlib_result {
  /// More input is needed, or more room.
  CZLIB_MORE = 0,
  /// The member has ended. Its checksum and length are right, if it has them.
  CZLIB_END = 1,
  /// The bytes are not of the format.
  CZLIB_BROKEN = -1,
  /// There is no memory.
  CZLIB_NO_MEMORY = -2,
};

/// What is around the packed bytes.
enum czlib_format {
  /// RFC 1952.
  CZLIB_GZIP,
  /// RFC 1950.
  CZLIB_ZLIB,
  /// RFC 1951: nothing.
  CZLIB_DEFLATE,
};

/// An unpacker under way.
typedef struct czlib_stream czlib_stream;

/// Loads zlib, once. Returns `NULL`, or why it cannot be loaded.
const char *czlib_load(void);

/// A new unpacker, or `NULL` if there is no memory. zlib must be loaded.
czlib_stream *czlib_open(enum czlib_format format);
void czlib_close(czlib_stream *stream);

/// Unpacks some of `input` into `room`, and returns how much of both was used.
enum czlib_result czlib_unpack(
    czlib_stream *stream, const uint8_t *input, size_t input_count, uint8_t *room,
    size_t room_count, size_t *input_used, size_t *room_used);

/// Makes an unpacker ready for the next member.
enum czlib_result czlib_next(czlib_stream *stream);
