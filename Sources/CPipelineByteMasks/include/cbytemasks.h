// Which bytes of a text match, as bit masks: the instructions that Swift has no names for.
//
// Nothing here allocates, keeps state or reads beyond the given length. Bit 0 of a mask is the
// first byte. The kinds of processor: SSE2 on x86-64 (what every one has), plain C elsewhere, which
// compilers turn into NEON; cbm_index_quotes also comes for AVX2 and AVX-512, chosen when it runs.
#ifndef CBYTEMASKS_H
#define CBYTEMASKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>

static inline uint32_t cbm_equal16(const uint8_t *bytes, uint8_t byte) {
  __m128i block = _mm_loadu_si128((const __m128i *)bytes);
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8((char)byte)));
}

// Bytes less than `byte`, both taken as signed.
static inline uint32_t cbm_less16(const uint8_t *bytes, uint8_t byte) {
  __m128i block = _mm_loadu_si128((const __m128i *)bytes);
  return (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(block, _mm_set1_epi8((char)byte)));
}

static inline uint32_t cbm_digits16(const uint8_t *bytes) {
  __m128i block = _mm_loadu_si128((const __m128i *)bytes);
  // Moved down by 0x30 + 128, digits are the ten least of the signed numbers.
  __m128i moved = _mm_add_epi8(block, _mm_set1_epi8(0x50));
  return (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(moved, _mm_set1_epi8((char)0x8A)));
}
#else
#define CBM_MASK16(condition)                                                   \
  uint32_t mask = 0;                                                            \
  for (int at = 0; at < 16; at++) mask |= (uint32_t)(condition) << at;          \
  return mask

static inline uint32_t cbm_equal16(const uint8_t *bytes, uint8_t byte) {
  CBM_MASK16(bytes[at] == byte);
}

static inline uint32_t cbm_less16(const uint8_t *bytes, uint8_t byte) {
  CBM_MASK16((int8_t)bytes[at] < (int8_t)byte);
}

static inline uint32_t cbm_digits16(const uint8_t *bytes) {
  CBM_MASK16((uint8_t)(bytes[at] - 0x30) < 10);
}
#endif

static inline uint64_t cbm_equal64(const uint8_t *bytes, uint8_t byte) {
  return (uint64_t)cbm_equal16(bytes, byte) | (uint64_t)cbm_equal16(bytes + 16, byte) << 16 |
         (uint64_t)cbm_equal16(bytes + 32, byte) << 32 |
         (uint64_t)cbm_equal16(bytes + 48, byte) << 48;
}

static inline uint64_t cbm_less64(const uint8_t *bytes, uint8_t byte) {
  return (uint64_t)cbm_less16(bytes, byte) | (uint64_t)cbm_less16(bytes + 16, byte) << 16 |
         (uint64_t)cbm_less16(bytes + 32, byte) << 32 |
         (uint64_t)cbm_less16(bytes + 48, byte) << 48;
}

// White space of JSON: space, line feed, carriage return, tab.
static inline uint32_t cbm_spaces16(const uint8_t *bytes) {
  return cbm_equal16(bytes, 0x20) | cbm_equal16(bytes, 0x0A) | cbm_equal16(bytes, 0x0D) |
         cbm_equal16(bytes, 0x09);
}

// The bytes of 64 that make up sequences of UTF-8, as masks.
struct cbm_sequences {
  // Bytes past ASCII, and of these the ones from 80 to BF.
  uint64_t high, continuations;
  // Bytes from 80 to C1, to DF and to EF.
  uint64_t below_c2, below_e0, below_f0;
  // E0 and ED, which make rules for the second byte.
  uint64_t strict;
};

// Whether all sequences are plain: of two or three bytes, the first being neither C0, C1, E0 nor ED.
// `due` has ones where continuations are due at the front; it becomes that of the next 64 bytes.
static inline int cbm_are_plain(struct cbm_sequences bytes, uint64_t *due) {
  uint64_t leads = bytes.high & ~bytes.continuations;
  uint64_t leads_of_three = leads & ~bytes.below_e0;
  uint64_t special = (leads & bytes.below_c2) | (bytes.high & ~bytes.below_f0) | bytes.strict;
  uint64_t expected = leads << 1 | leads_of_three << 2 | *due;
  if (special | (expected ^ bytes.continuations)) return 0;
  *due = leads >> 63 | leads_of_three >> 62;
  return 1;
}

// The same of 64 bytes in memory.
static inline int cbm_are_plain64(const uint8_t *bytes, uint64_t *due) {
  struct cbm_sequences sequences = {
      cbm_less64(bytes, 0),    cbm_less64(bytes, 0xC0), cbm_less64(bytes, 0xC2),
      cbm_less64(bytes, 0xE0), cbm_less64(bytes, 0xF0),
      cbm_equal64(bytes, 0xE0) | cbm_equal64(bytes, 0xED)};
  return cbm_are_plain(sequences, due);
}

// Where an index of quotes stands between two blocks of 64 bytes.
struct cbm_quotes {
  // Where the next block begins.
  size_t base;
  // All ones where `base` lies in a string, else 0.
  uint64_t in_string;
  // Whether the string that `base` lies in has had an escape.
  uint64_t has_escape;
  // Up to where sequences of UTF-8 are judged; past `base` where one goes on in the next block.
  size_t judged;
  // The number of entries.
  size_t count;
};

// What the entry of a closing quote has on top where its string has escapes.
#define CBM_ESCAPE ((uint64_t)1 << 63)

// Kinds of processor, each able to do what those before it can.
enum cbm_processor { CBM_BASELINE = 0, CBM_AVX2 = 1, CBM_AVX512 = 2 };

// The greatest kind that this processor is.
enum cbm_processor cbm_processor(void);

// Writes the place of every quote before `end` to `entries`, block by block, as long as `count` is at
// most `enough` and strings hold no control characters, no escapes but a backslash with one of
// `/bfnrt` in the same block, and no sequences of UTF-8 but plain ones. The first block with anything
// else is left to the caller, and so may be the last 64 bytes where they have escapes.
//
// `entries` has room for `enough` + 64 + 8 words: more are written than count.
void cbm_index_quotes(enum cbm_processor processor, const uint8_t *text, size_t end,
                      uint64_t *entries, size_t enough, struct cbm_quotes *quotes);

#endif
