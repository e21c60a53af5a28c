#pragma once

// The face of libcrypto that Swift sees: signing with a private key. libcrypto is loaded when the
// first key signs, so nothing of <openssl/*.h> is needed to build this (the functions are the same
// from OpenSSL 1.1.1 to 3).

#include <stddef.h>
#include <stdint.h>

enum ccrypto_key { CCRYPTO_RSA, CCRYPTO_EC, CCRYPTO_ED25519 };

enum ccrypto_result {
  CCRYPTO_SIGNED = 0,
  /// The text is not a private key in PEM, or one with a passphrase.
  CCRYPTO_UNREADABLE = -1,
  /// The key has another kind, or another size.
  CCRYPTO_OTHER_KEY = -2,
  CCRYPTO_FAILED = -3,
};

/// Loads libcrypto, once. Returns `NULL`, or why it cannot be loaded.
const char *ccrypto_load(void);

/// Signs a text. `bits` is the size of an EC key, or the least size of an RSA key. `digest` is the
/// name of the digest; `NULL` for Ed25519. `signature` has room for `*count` bytes, and takes as many
/// as `*count` then says. libcrypto must be loaded.
enum ccrypto_result ccrypto_sign(
    const uint8_t *pem, size_t pem_count, enum ccrypto_key key, int bits, const char *digest,
    const uint8_t *text, size_t text_count, uint8_t *signature, size_t *count);
