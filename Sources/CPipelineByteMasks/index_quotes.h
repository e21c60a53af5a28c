// The body of cbm_index_quotes, once for each kind of processor: the includer defines NAME, STEP,
// ESCAPED, TARGET, BLOCK, LOAD(p), EQUAL(block, byte), LESS(block, byte) (signed) and PARITY(mask).

// Whether the sequences of UTF-8 in a block are plain.
TARGET static inline __attribute__((always_inline)) int PLAIN(BLOCK block, uint64_t high,
                                                              uint64_t *due) {
  struct cbm_sequences sequences = {
      high, LESS(block, 0xC0), LESS(block, 0xC2), LESS(block, 0xE0), LESS(block, 0xF0),
      EQUAL(block, 0xE0) | EQUAL(block, 0xED)};
  return cbm_are_plain(sequences, due);
}

// Lists the quotes of a block.
TARGET static inline __attribute__((always_inline)) void LIST(uint64_t quotes, size_t base,
                                                              uint64_t *entry) {
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
}

// One block without escapes; 0 where it is not plain, and then nothing has changed.
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
    if (judged & ~high || !PLAIN(block, high, due)) return 0;
  }
  *in_string = (uint64_t)((int64_t)strings >> 63);
  LIST(quotes, base, entries + *count);
  *count += (size_t)__builtin_popcountll(quotes);
  return 1;
}

// One block with simple escapes, or in a string that has had one; 0 where it is not plain otherwise,
// and then nothing has changed.
TARGET static __attribute__((noinline)) int ESCAPED(const uint8_t *text, uint64_t *entries,
                                                    struct cbm_quotes *state) {
  BLOCK block = LOAD(text + state->base);
  uint64_t quotes = EQUAL(block, '"');
  uint64_t backslashes = EQUAL(block, '\\');
  uint64_t high = LESS(block, 0);
  uint64_t strings = PARITY(quotes) ^ state->in_string;
  uint64_t simple = EQUAL(block, '/') | EQUAL(block, 'b') | EQUAL(block, 'f') |
                    EQUAL(block, 'n') | EQUAL(block, 'r') | EQUAL(block, 't');
  // A backslash or a quote is not among the simple ones: after a backslash all quotes are counted.
  uint64_t wrong = (LESS(block, 0x20) & ~high & strings) | (backslashes & ~strings) |
                   (backslashes << 1 & ~simple) | (backslashes & (uint64_t)1 << 63);
  uint64_t due = state->judged > state->base
                     ? ((uint64_t)1 << (state->judged - state->base)) - 1 : 0;
  if (wrong || (high | due && !PLAIN(block, high, &due))) return 0;
  uint64_t *entry = entries + state->count;
  LIST(quotes, state->base, entry);
  // The first quote after an escape closes its string, in this block or in a later one.
  if (quotes && state->has_escape) {
    entry[0] |= CBM_ESCAPE;
    state->has_escape = 0;
  }
  for (; backslashes; backslashes &= backslashes - 1) {
    uint64_t before = quotes & ((backslashes & -backslashes) - 1);
    if (before == quotes) {
      state->has_escape = 1;
      break;
    }
    entry[__builtin_popcountll(before)] |= CBM_ESCAPE;
  }
  state->count += (size_t)__builtin_popcountll(quotes);
  state->in_string = (uint64_t)((int64_t)strings >> 63);
  state->base += 64;
  state->judged = state->base + (size_t)__builtin_popcountll(due);
  return 1;
}

TARGET static void NAME(const uint8_t *text, size_t end, uint64_t *entries, size_t enough,
                        struct cbm_quotes *state) {
  while (1) {
    size_t base = state->base;
    size_t count = state->count;
    uint64_t in_string = state->in_string;
    // Ones where continuations are due at the front of the block.
    uint64_t due = state->judged > base ? ((uint64_t)1 << (state->judged - base)) - 1 : 0;
    int plain = !state->has_escape;
    while (plain && base + 64 <= end && count <= enough) {
      // An address, not a pointer: it may lie past the text.
      __builtin_prefetch((const void *)((uintptr_t)text + base + 1024));
      plain = STEP(text + base, base, entries, &count, &in_string, &due);
      if (plain) base += 64;
    }
    if (plain && base < end && count <= enough) {
      uint8_t last[64];
      memset(last, ' ', 64);
      memcpy(last, text + base, end - base);
      if (STEP(last, base, entries, &count, &in_string, &due)) base += 64;
      plain = 1;
    }
    state->base = base;
    state->count = count;
    state->in_string = in_string;
    state->judged = base + (size_t)__builtin_popcountll(due);
    if (plain || base + 64 > end || count > enough || !ESCAPED(text, entries, state)) return;
  }
}

// The next inclusion defines them again. PARITY stays: two of them share it.
#undef NAME
#undef STEP
#undef ESCAPED
#undef PLAIN
#undef LIST
#undef TARGET
#undef BLOCK
#undef LOAD
#undef EQUAL
#undef LESS
