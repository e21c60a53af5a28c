#include "ccrypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

// The part of <openssl/evp.h>, <openssl/pem.h> and <openssl/bio.h> that is used.
typedef struct bio_st BIO;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef int passphrase(char *room, int size, int is_written, void *user);

enum { RSA_KEY = 6, EC_KEY = 408, ED25519_KEY = 1087 };

// Where they are; written once, by `load`, before any is called.
static struct {
  BIO *(*BIO_new_mem_buf)(const void *, int);
  int (*BIO_free)(BIO *);
  EVP_PKEY *(*PEM_read_bio_PrivateKey)(BIO *, EVP_PKEY **, passphrase *, void *);
  void (*EVP_PKEY_free)(EVP_PKEY *);
  int (*base_id)(const EVP_PKEY *);
  int (*bits)(const EVP_PKEY *);
  const EVP_MD *(*EVP_get_digestbyname)(const char *);
  EVP_MD_CTX *(*EVP_MD_CTX_new)(void);
  void (*EVP_MD_CTX_free)(EVP_MD_CTX *);
  int (*EVP_DigestSignInit)(EVP_MD_CTX *, void **, const EVP_MD *, void *, EVP_PKEY *);
  int (*EVP_DigestSign)(EVP_MD_CTX *, uint8_t *, size_t *, const uint8_t *, size_t);
  void (*ERR_clear_error)(void);
} crypto;
static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Not the system's own on macOS: it ends programs that load it.
static const char *const libraries[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
    "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
#else
    "libcrypto.so.3",
    "libcrypto.so.1.1",
#endif
};

static void *function(void *library, const char *name, const char *older) {
  void *found = dlsym(library, name);
  if (found == NULL && older != NULL) found = dlsym(library, older);
  if (found == NULL) problem = name;
  return found;
}

static void load(void) {
  void *library = NULL;
  for (size_t i = 0; library == NULL && i < sizeof libraries / sizeof *libraries; i++)
    library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    problem = dlerror();
    return;
  }
#define FIND(name) *(void **)&crypto.name = function(library, #name, NULL);
  FIND(BIO_new_mem_buf)
  FIND(BIO_free)
  FIND(PEM_read_bio_PrivateKey)
  FIND(EVP_PKEY_free)
  FIND(EVP_get_digestbyname)
  FIND(EVP_MD_CTX_new)
  FIND(EVP_MD_CTX_free)
  FIND(EVP_DigestSignInit)
  FIND(EVP_DigestSign)
  FIND(ERR_clear_error)
  *(void **)&crypto.base_id = function(library, "EVP_PKEY_get_base_id", "EVP_PKEY_base_id");
  *(void **)&crypto.bits = function(library, "EVP_PKEY_get_bits", "EVP_PKEY_bits");
}

const char *ccrypto_load(void) {
  pthread_once(&once, load);
  return problem;
}

// Without it, libcrypto would ask for the passphrase at the terminal.
static int no_passphrase(char *room, int size, int is_written, void *user) {
  (void)room, (void)size, (void)is_written, (void)user;
  return 0;
}

static int fits(const EVP_PKEY *pkey, enum ccrypto_key key, int bits) {
  const int id = crypto.base_id(pkey);
  switch (key) {
    case CCRYPTO_RSA: return id == RSA_KEY && crypto.bits(pkey) >= bits;
    case CCRYPTO_EC: return id == EC_KEY && crypto.bits(pkey) == bits;
    case CCRYPTO_ED25519: return id == ED25519_KEY;
  }
  return 0;
}

static enum ccrypto_result sign(
    EVP_PKEY *pkey, const char *digest, const uint8_t *text, size_t text_count,
    uint8_t *signature, size_t *count) {
  const EVP_MD *md = digest == NULL ? NULL : crypto.EVP_get_digestbyname(digest);
  if (digest != NULL && md == NULL) return CCRYPTO_FAILED;
  EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
  if (context == NULL) return CCRYPTO_FAILED;
  const int is_signed = crypto.EVP_DigestSignInit(context, NULL, md, NULL, pkey) == 1
      && crypto.EVP_DigestSign(context, signature, count, text, text_count) == 1;
  crypto.EVP_MD_CTX_free(context);
  return is_signed ? CCRYPTO_SIGNED : CCRYPTO_FAILED;
}

enum ccrypto_result ccrypto_sign(
    const uint8_t *pem, size_t pem_count, enum ccrypto_key key, int bits, const char *digest,
    const uint8_t *text, size_t text_count, uint8_t *signature, size_t *count) {
  if (pem_count > INT_MAX) return CCRYPTO_UNREADABLE;
  BIO *bio = crypto.BIO_new_mem_buf(pem, (int)pem_count);
  if (bio == NULL) return CCRYPTO_FAILED;
  EVP_PKEY *pkey = crypto.PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL);
  crypto.BIO_free(bio);
  enum ccrypto_result result = CCRYPTO_UNREADABLE;
  if (pkey != NULL) {
    result = fits(pkey, key, bits) ? sign(pkey, digest, text, text_count, signature, count)
                                   : CCRYPTO_OTHER_KEY;
    crypto.EVP_PKEY_free(pkey);
  }
  crypto.ERR_clear_error();
  return result;
}
