// The body of cbm_index_quotes, once for each kind of processor: the includer defines NAME, STEP,
// TARGET, BLOCK, LOAD(p), EQUAL(block, byte), LESS(block, byte) (signed) and PARITY(mask).

// One block; 0 where it is not plain, and then nothing has changed.
TARGET static inline __attribute__((always_inline)) int STEP(const uint8_t *bytes, size_t base,
                                                             uint64_t *entries, size_t *count,
                                                             uint64_t *in_string, uint64_t *due) {
  BLOCK block = LOAD(bytes);
  uint64_t quotes = EQUAL(block, '"');
  uint64_t others = LESS(block, 0x20) | EQUAL(block, '\\');
  uint64_t strings = PARITY(quotes) ^ *in_string;
  uint64_t judged = (others & strings) | *due;
  if (judged) {
    // As signed numbers, control characters and bytes past ASCII are less than a space.
    uint64_t high = LESS(block, 0);
    if (judged & ~high) return 0;
    struct cbm_sequences sequences = {
        high, LESS(block, 0xC0), LESS(block, 0xC2), LESS(block, 0xE0), LESS(block, 0xF0),
        EQUAL(block, 0xE0) | EQUAL(block, 0xED)};
    if (!cbm_are_plain(sequences, due)) return 0;
  }
  *in_string = (uint64_t)((int64_t)strings >> 63);
  uint64_t *entry = entries + *count;
  *count += (size_t)__builtin_popcountll(quotes);
  // Eight at a time, whether there are eight or not: a loop over as many as there are would be
  // predicted wrongly at most blocks.
  do {
    for (int each = 0; each < 8; each++) {
      size_t place = base + (size_t)(quotes ? __builtin_ctzll(quotes) : 64);
      // Keeps compilers from gathering the eight into a vector, which takes longer.
      __asm__("" : "+r"(place));
      entry[each] = place;
      quotes &= quotes - 1;
    }
    entry += 8;
  } while (quotes);
  return 1;
}

TARGET static void NAME(const uint8_t *text, size_t end, uint64_t *entries, size_t enough,
                        struct cbm_quotes *state) {
  size_t base = state->base;
  size_t count = state->count;
  uint64_t in_string = state->in_string;
  // Ones where continuations are due at the front of the block.
  uint64_t due = state->judged > base ? ((uint64_t)1 << (state->judged - base)) - 1 : 0;
  int plain = 1;
  while (base + 64 <= end && count <= enough) {
    plain = STEP(text + base, base, entries, &count, &in_string, &due);
    if (!plain) break;
    base += 64;
  }
  if (plain && base < end && count <= enough) {
    uint8_t last[64];
    memset(last, ' ', 64);
    memcpy(last, text + base, end - base);
    if (STEP(last, base, entries, &count, &in_string, &due)) base += 64;
  }
  state->base = base;
  state->count = count;
  state->in_string = in_string;
  state->judged = base + (size_t)__builtin_popcountll(due);
}
