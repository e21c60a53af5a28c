#include "cbytemasks.h"

#define IN_EVERY_TARGET static inline __attribute__((always_inline))

// Each bit the sum of those up to it: ones from an odd quote up to the next, which is left out.
IN_EVERY_TARGET uint64_t parity(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

#define NAME index_quotes
#define STEP index_block
#define ESCAPED index_escaped_block
#define PLAIN are_plain
#define LIST list_quotes
#define TARGET
#define BLOCK const uint8_t *
#define LOAD(p) (p)
#define EQUAL(block, byte) cbm_equal64(block, byte)
#define LESS(block, byte) cbm_less64(block, byte)
#define PARITY(mask) parity(mask)
#include "index_quotes.h"
#undef PARITY

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,popcnt,pclmul")))

AVX2 IN_EVERY_TARGET uint64_t parity_by_product(uint64_t bits) {
  __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

struct halves {
  __m256i low, high;
};

AVX2 IN_EVERY_TARGET struct halves load_halves(const uint8_t *p) {
  struct halves block = {_mm256_loadu_si256((const __m256i *)p),
                         _mm256_loadu_si256((const __m256i *)(p + 32))};
  return block;
}

AVX2 IN_EVERY_TARGET uint64_t join(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)_mm256_movemask_epi8(high) << 32;
}

AVX2 IN_EVERY_TARGET uint64_t equal_halves(struct halves block, uint8_t byte) {
  __m256i all = _mm256_set1_epi8((char)byte);
  return join(_mm256_cmpeq_epi8(block.low, all), _mm256_cmpeq_epi8(block.high, all));
}

AVX2 IN_EVERY_TARGET uint64_t less_halves(struct halves block, uint8_t byte) {
  __m256i all = _mm256_set1_epi8((char)byte);
  return join(_mm256_cmpgt_epi8(all, block.low), _mm256_cmpgt_epi8(all, block.high));
}

#define NAME index_quotes_avx2
#define STEP index_block_avx2
#define ESCAPED index_escaped_block_avx2
#define PLAIN are_plain_avx2
#define LIST list_quotes_avx2
#define TARGET AVX2
#define BLOCK struct halves
#define LOAD(p) load_halves(p)
#define EQUAL(block, byte) equal_halves(block, byte)
#define LESS(block, byte) less_halves(block, byte)
#define PARITY(mask) parity_by_product(mask)
#include "index_quotes.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,bmi,popcnt,pclmul")))

#define NAME index_quotes_avx512
#define STEP index_block_avx512
#define ESCAPED index_escaped_block_avx512
#define PLAIN are_plain_avx512
#define LIST list_quotes_avx512
#define TARGET AVX512
#define BLOCK __m512i
#define LOAD(p) _mm512_loadu_si512(p)
#define EQUAL(block, byte) _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8((char)(byte)))
#define LESS(block, byte) _mm512_cmplt_epi8_mask(block, _mm512_set1_epi8((char)(byte)))
#include "index_quotes.h"
#endif

enum cbm_processor cbm_processor(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("popcnt")) {
    if (__builtin_cpu_supports("avx512bw")) return CBM_AVX512;
    if (__builtin_cpu_supports("avx2")) return CBM_AVX2;
  }
#endif
  return CBM_BASELINE;
}

void cbm_index_quotes(enum cbm_processor processor, const uint8_t *text, size_t end,
                      uint64_t *entries, size_t enough, struct cbm_quotes *quotes) {
#if defined(__x86_64__)
  if (processor == CBM_AVX512) {
    index_quotes_avx512(text, end, entries, enough, quotes);
    return;
  }
  if (processor == CBM_AVX2) {
    index_quotes_avx2(text, end, entries, enough, quotes);
    return;
  }
#else
  (void)processor;
#endif
  index_quotes(text, end, entries, enough, quotes);
}
