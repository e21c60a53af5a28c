#include "ccurl.h"

#include "ccurl_memory.h"

#include <dlfcn.h>

#if __has_include(<curl/curl.h>)
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
// The typed wrappers below are the check.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt
#include "check.h"
#else
#include "declarations.h"
#endif

// The functions of libcurl that are called below, without `curl_`.
#define FUNCTIONS(X) \
  X(global_init) X(global_init_mem) X(version) X(version_info) \
  X(easy_strerror) X(easy_init) X(easy_cleanup) X(easy_reset) X(easy_setopt) X(easy_getinfo) \
  X(multi_init) X(multi_cleanup) X(multi_setopt) X(multi_add_handle) X(multi_remove_handle) \
  X(multi_socket_action) X(multi_info_read) \
  X(share_init) X(share_setopt) X(share_cleanup) \
  X(slist_append) X(slist_free_all) \
  X(mime_init) X(mime_free) X(mime_addpart) X(mime_name) X(mime_type) X(mime_filename) \
  X(mime_data) X(mime_filedata)

// Functions of libcurl 7.62. They are null if the loaded libcurl is older.
#define LATER_FUNCTIONS(X) X(url) X(url_set) X(url_cleanup)

// Where they are; written once, by `ccurl_load`, before any is called.
#define MEMBER(name) __typeof__(&curl_##name) name;
static struct { FUNCTIONS(MEMBER) LATER_FUNCTIONS(MEMBER) } curl;

#ifdef __APPLE__
#define LIBRARY "/usr/lib/libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

const char *ccurl_load(void) {
  void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FIND(name) curl.name = (__typeof__(&curl_##name))dlsym(library, "curl_" #name);
#define FIND_AND_NEED(name) \
  FIND(name) \
  if (curl.name == NULL) return LIBRARY " lacks curl_" #name;
  FUNCTIONS(FIND_AND_NEED)
  LATER_FUNCTIONS(FIND)
  return NULL;
}

int ccurl_global_init(int keeps_memory) {
  if (!keeps_memory) return (int)curl.global_init(3L /* CURL_GLOBAL_DEFAULT */);
  // Where libcurl is in use already, it keeps the functions that it has.
  return (int)curl.global_init_mem(
      3L /* CURL_GLOBAL_DEFAULT */, ccurl_allocate, ccurl_free, ccurl_resize, ccurl_copy_text,
      ccurl_allocate_zeroed);
}

const char *ccurl_version(void) {
  // "libcurl/7.88.1 OpenSSL/…": callers want a short name, and the whole text is short enough.
  return curl.version();
}

int ccurl_features(void) { return curl.version_info(CURLVERSION_FIRST)->features; }

const char *ccurl_code_text(int code) { return curl.easy_strerror((CURLcode)code); }

void *ccurl_easy_init(void) { return curl.easy_init(); }
void ccurl_easy_cleanup(void *easy) { curl.easy_cleanup(easy); }
void ccurl_easy_reset(void *easy) { curl.easy_reset(easy); }

int ccurl_set_long(void *easy, enum ccurl_option option, long value) {
  return (int)curl.easy_setopt(easy, (CURLoption)option, value);
}

int ccurl_set_size(void *easy, enum ccurl_option option, int64_t value) {
  return (int)curl.easy_setopt(easy, (CURLoption)option, (curl_off_t)value);
}

int ccurl_set_text(void *easy, enum ccurl_option option, const char *value) {
  return (int)curl.easy_setopt(easy, (CURLoption)option, value);
}

int ccurl_set_pointer(void *easy, enum ccurl_option option, void *value) {
  return (int)curl.easy_setopt(easy, (CURLoption)option, value);
}

int ccurl_set_bytes_function(void *easy, enum ccurl_option option, ccurl_bytes_function function) {
  return (int)curl.easy_setopt(easy, (CURLoption)option, function);
}

int ccurl_set_seek_function(void *easy, ccurl_seek_function function) {
  return (int)curl.easy_setopt(easy, (CURLoption)CCURL_SEEKFUNCTION, function);
}

int ccurl_set_open_function(void *easy, ccurl_open_function function) {
  return (int)curl.easy_setopt(easy, (CURLoption)CCURL_OPENSOCKETFUNCTION, function);
}

int ccurl_set_close_function(void *easy, ccurl_close_function function) {
  return (int)curl.easy_setopt(easy, (CURLoption)CCURL_CLOSESOCKETFUNCTION, function);
}

int ccurl_set_ready_function(void *easy, ccurl_ready_function function) {
  return (int)curl.easy_setopt(easy, (CURLoption)CCURL_PREREQFUNCTION, function);
}

int ccurl_set_body(void *easy, const void *bytes, int64_t count) {
  int code = ccurl_set_size(easy, CCURL_POSTFIELDSIZE_LARGE, count);
  if (code != CCURL_OK) return code;
  return (int)curl.easy_setopt(easy, (CURLoption)CCURL_COPYPOSTFIELDS, count > 0 ? bytes : "");
}

// Values of CURLINFO; a long has type 0x200000, a curl_off_t 0x600000.
enum {
  INFO_RESPONSE_CODE = 0x200000 + 2,
  INFO_HEADER_SIZE = 0x200000 + 11,
  INFO_REQUEST_SIZE = 0x200000 + 12,
  INFO_HTTP_CONNECTCODE = 0x200000 + 22,
  INFO_OS_ERRNO = 0x200000 + 25,
  INFO_NUM_CONNECTS = 0x200000 + 26,
  INFO_HTTP_VERSION = 0x200000 + 46,
  INFO_SIZE_UPLOAD = 0x600000 + 7,
  INFO_SIZE_DOWNLOAD = 0x600000 + 8,
  INFO_CONTENT_LENGTH_DOWNLOAD = 0x600000 + 15,
  INFO_TOTAL_TIME = 0x600000 + 50,
  INFO_NAMELOOKUP_TIME = 0x600000 + 51,
  INFO_CONNECT_TIME = 0x600000 + 52,
  INFO_STARTTRANSFER_TIME = 0x600000 + 54,
  INFO_APPCONNECT_TIME = 0x600000 + 56,
};

#ifdef LIBCURL_VERSION_NUM
CCURL_SAME(INFO_RESPONSE_CODE, CURLINFO_RESPONSE_CODE)
CCURL_SAME(INFO_HEADER_SIZE, CURLINFO_HEADER_SIZE)
CCURL_SAME(INFO_REQUEST_SIZE, CURLINFO_REQUEST_SIZE)
CCURL_SAME(INFO_HTTP_CONNECTCODE, CURLINFO_HTTP_CONNECTCODE)
CCURL_SAME(INFO_OS_ERRNO, CURLINFO_OS_ERRNO)
CCURL_SAME(INFO_NUM_CONNECTS, CURLINFO_NUM_CONNECTS)
CCURL_SAME(INFO_HTTP_VERSION, CURLINFO_HTTP_VERSION)
CCURL_SAME(INFO_SIZE_UPLOAD, CURLINFO_SIZE_UPLOAD_T)
CCURL_SAME(INFO_SIZE_DOWNLOAD, CURLINFO_SIZE_DOWNLOAD_T)
CCURL_SAME(INFO_CONTENT_LENGTH_DOWNLOAD, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
CCURL_SAME(INFO_TOTAL_TIME, CURLINFO_TOTAL_TIME_T)
CCURL_SAME(INFO_NAMELOOKUP_TIME, CURLINFO_NAMELOOKUP_TIME_T)
CCURL_SAME(INFO_CONNECT_TIME, CURLINFO_CONNECT_TIME_T)
CCURL_SAME(INFO_STARTTRANSFER_TIME, CURLINFO_STARTTRANSFER_TIME_T)
CCURL_SAME(INFO_APPCONNECT_TIME, CURLINFO_APPCONNECT_TIME_T)
#endif

static int64_t get_size(CURL *easy, int information) {
  curl_off_t value = 0;
  (void)curl.easy_getinfo(easy, (CURLINFO)information, &value);
  return (int64_t)value;
}

static long get_long(CURL *easy, int information) {
  long value = 0;
  (void)curl.easy_getinfo(easy, (CURLINFO)information, &value);
  return value;
}

static void get_connect_times(CURL *easy, struct ccurl_transfer *transfer) {
  transfer->name_lookup_time = get_size(easy, INFO_NAMELOOKUP_TIME);
  transfer->connect_time = get_size(easy, INFO_CONNECT_TIME);
  transfer->tls_time = get_size(easy, INFO_APPCONNECT_TIME);
}

void ccurl_get_response(void *easy, struct ccurl_transfer *transfer) {
  transfer->first_byte_time = get_size(easy, INFO_STARTTRANSFER_TIME);
  transfer->total_time = get_size(easy, INFO_TOTAL_TIME);
  transfer->status = get_long(easy, INFO_RESPONSE_CODE);
  transfer->http_version = get_long(easy, INFO_HTTP_VERSION);
  transfer->connects = get_long(easy, INFO_NUM_CONNECTS);
  if (transfer->connects > 0) get_connect_times(easy, transfer);
}

void ccurl_get_transfer(void *easy, struct ccurl_transfer *transfer) {
  ccurl_get_response(easy, transfer);
  get_connect_times(easy, transfer);
  transfer->bytes_received = get_size(easy, INFO_SIZE_DOWNLOAD);
  transfer->content_length = get_size(easy, INFO_CONTENT_LENGTH_DOWNLOAD);
  transfer->connect_status = get_long(easy, INFO_HTTP_CONNECTCODE);
  transfer->request_size = get_long(easy, INFO_REQUEST_SIZE);
  transfer->os_error = get_long(easy, INFO_OS_ERRNO);
}

int64_t ccurl_get_progress(void *easy) {
  return get_size(easy, INFO_SIZE_DOWNLOAD) + get_size(easy, INFO_SIZE_UPLOAD) +
         get_long(easy, INFO_HEADER_SIZE) + get_long(easy, INFO_REQUEST_SIZE);
}

void *ccurl_url_parse(const char *text) {
  CURLU *url = curl.url == NULL ? NULL : curl.url();
  if (url != NULL && (int)curl.url_set(url, (CURLUPart)0 /* CURLUPART_URL */, text, 0) != 0) {
    curl.url_cleanup(url);
    return NULL;
  }
  return url;
}

void ccurl_url_free(void *url) {
  if (url != NULL) curl.url_cleanup(url);
}

void *ccurl_list_append(void *list, const char *text) { return curl.slist_append(list, text); }
void ccurl_list_free(void *list) { curl.slist_free_all(list); }

void *ccurl_mime_init(void *easy) { return curl.mime_init(easy); }
void ccurl_mime_free(void *mime) { curl.mime_free(mime); }
void *ccurl_mime_add_part(void *mime) { return curl.mime_addpart(mime); }

int ccurl_mime_name(void *part, const char *name) { return (int)curl.mime_name(part, name); }
int ccurl_mime_type(void *part, const char *type) { return (int)curl.mime_type(part, type); }

int ccurl_mime_filename(void *part, const char *name) {
  return (int)curl.mime_filename(part, name);
}

int ccurl_mime_bytes(void *part, const void *bytes, size_t count) {
  return (int)curl.mime_data(part, count > 0 ? bytes : "", count);
}

int ccurl_mime_file(void *part, const char *path) {
  return (int)curl.mime_filedata(part, path);
}

// Values of CURLMoption and CURLSHoption.
enum {
  MULTI_MAXCONNECTS = 6,
  MULTI_SOCKETDATA = 10002,
  MULTI_TIMERDATA = 10005,
  MULTI_SOCKETFUNCTION = 20001,
  MULTI_TIMERFUNCTION = 20004,
  SHARE_ADD = 1,
  SHARED_DNS = 3,
  SHARED_TLS_SESSIONS = 4,
  MESSAGE_DONE = 1,
};

#ifdef LIBCURL_VERSION_NUM
CCURL_SAME(MULTI_MAXCONNECTS, CURLMOPT_MAXCONNECTS)
CCURL_SAME(MULTI_SOCKETDATA, CURLMOPT_SOCKETDATA)
CCURL_SAME(MULTI_TIMERDATA, CURLMOPT_TIMERDATA)
CCURL_SAME(MULTI_SOCKETFUNCTION, CURLMOPT_SOCKETFUNCTION)
CCURL_SAME(MULTI_TIMERFUNCTION, CURLMOPT_TIMERFUNCTION)
CCURL_SAME(SHARE_ADD, CURLSHOPT_SHARE)
CCURL_SAME(SHARED_DNS, CURL_LOCK_DATA_DNS)
CCURL_SAME(SHARED_TLS_SESSIONS, CURL_LOCK_DATA_SSL_SESSION)
CCURL_SAME(MESSAGE_DONE, CURLMSG_DONE)
#endif

void *ccurl_multi_init(
    long idle_connections, ccurl_socket_function on_socket, ccurl_timer_function on_timer,
    void *data) {
  CURLM *multi = curl.multi_init();
  if (multi == NULL) return NULL;
  (void)curl.multi_setopt(multi, (CURLMoption)MULTI_MAXCONNECTS, idle_connections);
  (void)curl.multi_setopt(multi, (CURLMoption)MULTI_SOCKETFUNCTION, on_socket);
  (void)curl.multi_setopt(multi, (CURLMoption)MULTI_SOCKETDATA, data);
  (void)curl.multi_setopt(multi, (CURLMoption)MULTI_TIMERFUNCTION, on_timer);
  (void)curl.multi_setopt(multi, (CURLMoption)MULTI_TIMERDATA, data);
  return multi;
}

void ccurl_multi_cleanup(void *multi) { (void)curl.multi_cleanup(multi); }
int ccurl_multi_add(void *multi, void *easy) { return (int)curl.multi_add_handle(multi, easy); }
int ccurl_multi_remove(void *multi, void *easy) {
  return (int)curl.multi_remove_handle(multi, easy);
}

int ccurl_multi_act(void *multi, int descriptor, int events) {
  int running = 0;
  return (int)curl.multi_socket_action(multi, descriptor, events, &running);
}

void *ccurl_multi_next_ended(void *multi, void **easy, int *code) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl.multi_info_read(multi, &left)) != NULL) {
    if ((int)message->msg != MESSAGE_DONE) continue;
    char *data = NULL;
    // The message is gone once its handle is removed, so all of it is read here.
    *easy = message->easy_handle;
    *code = (int)message->data.result;
    (void)curl.easy_getinfo(*easy, (CURLINFO)(0x100000 + 21) /* CURLINFO_PRIVATE */, &data);
    return data;
  }
  return NULL;
}

void *ccurl_share_init(void) {
  CURLSH *share = curl.share_init();
  if (share == NULL) return NULL;
  (void)curl.share_setopt(share, (CURLSHoption)SHARE_ADD, (int)SHARED_DNS);
  (void)curl.share_setopt(share, (CURLSHoption)SHARE_ADD, (int)SHARED_TLS_SESSIONS);
  return share;
}

void ccurl_share_cleanup(void *share) { (void)curl.share_cleanup(share); }
