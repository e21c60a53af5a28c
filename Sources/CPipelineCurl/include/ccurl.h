#pragma once

// The face of libcurl that Swift sees: typed functions where libcurl has variadic ones, and only
// what pipeline uses. Nothing of <curl/curl.h> is needed to build this (libcurl's ABI is stable and
// versioned); where that header is present, ccurl.c compares every number below with it.

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// Options of an easy handle (`CURLOPT_…`).
enum ccurl_option {
  CCURL_WRITEDATA = 10001,
  CCURL_URL = 10002,
  CCURL_PROXY = 10004,
  CCURL_USERPWD = 10005,
  CCURL_READDATA = 10009,
  CCURL_ERRORBUFFER = 10010,
  CCURL_USERAGENT = 10018,
  CCURL_HTTPHEADER = 10023,
  CCURL_SSLCERT = 10025,
  CCURL_HEADERDATA = 10029,
  CCURL_CUSTOMREQUEST = 10036,
  CCURL_CAINFO = 10065,
  CCURL_SSLKEY = 10087,
  CCURL_CAPATH = 10097,
  CCURL_SHARE = 10100,
  CCURL_ACCEPT_ENCODING = 10102,
  CCURL_PRIVATE = 10103,
  CCURL_OPENSOCKETDATA = 10164,
  CCURL_COPYPOSTFIELDS = 10165,
  CCURL_SEEKDATA = 10168,
  CCURL_USERNAME = 10173,
  CCURL_PASSWORD = 10174,
  CCURL_NOPROXY = 10177,
  CCURL_CLOSESOCKETDATA = 10209,
  CCURL_REQUEST_TARGET = 10266,
  CCURL_MIMEPOST = 10269,
  CCURL_CURLU = 10282,
  CCURL_AWS_SIGV4 = 10305,
  CCURL_PREREQDATA = 10313,
  CCURL_PROTOCOLS_STR = 10318,
  CCURL_NOBODY = 44,
  CCURL_POST = 47,
  CCURL_SSL_VERIFYPEER = 64,
  CCURL_FRESH_CONNECT = 74,
  CCURL_HTTPGET = 80,
  CCURL_SSL_VERIFYHOST = 81,
  CCURL_HTTP_VERSION = 84,
  CCURL_BUFFERSIZE = 98,
  CCURL_NOSIGNAL = 99,
  CCURL_HTTPAUTH = 107,
  CCURL_TCP_NODELAY = 121,
  CCURL_TIMEOUT_MS = 155,
  CCURL_CONNECTTIMEOUT_MS = 156,
  CCURL_HTTP_CONTENT_DECODING = 158,
  CCURL_PROTOCOLS = 181,
  CCURL_TCP_KEEPALIVE = 213,
  CCURL_PATH_AS_IS = 234,
  CCURL_PIPEWAIT = 237,
  CCURL_SUPPRESS_CONNECT_HEADERS = 265,
  CCURL_MAXAGE_CONN = 288,
  CCURL_POSTFIELDSIZE_LARGE = 30120,
  CCURL_WRITEFUNCTION = 20011,
  CCURL_READFUNCTION = 20012,
  CCURL_HEADERFUNCTION = 20079,
  CCURL_OPENSOCKETFUNCTION = 20163,
  CCURL_SEEKFUNCTION = 20167,
  CCURL_CLOSESOCKETFUNCTION = 20208,
  CCURL_PREREQFUNCTION = 20312,
};

/// Numbers that options, callbacks and results carry.
enum {
  CCURL_HTTP_1_1 = 2,
  CCURL_HTTP_2TLS = 4,
  CCURL_AUTH_BASIC = 1,
  CCURL_AUTH_DIGEST = 2,
  CCURL_PROTOCOL_HTTP = 1,
  CCURL_PROTOCOL_HTTPS = 2,
  CCURL_READ_ABORT = 0x10000000,
  CCURL_SEEK_OK = 0,
  CCURL_SEEK_FAIL = 1,
  CCURL_PREREQ_OK = 0,
  CCURL_PREREQ_ABORT = 1,
  CCURL_SOCKET_BAD = -1,
  CCURL_SOCKET_TIMEOUT = -1,
  CCURL_SELECT_IN = 1,
  CCURL_SELECT_OUT = 2,
  CCURL_SELECT_ERROR = 4,
  CCURL_POLL_IN = 1,
  CCURL_POLL_OUT = 2,
  CCURL_POLL_REMOVE = 4,
};

/// How a transfer or a call ended (`CURLE_…`).
enum ccurl_code {
  CCURL_OK = 0,
  CCURL_UNSUPPORTED_PROTOCOL = 1,
  CCURL_URL_MALFORMAT = 3,
  CCURL_NOT_BUILT_IN = 4,
  CCURL_COULDNT_RESOLVE_PROXY = 5,
  CCURL_COULDNT_RESOLVE_HOST = 6,
  CCURL_COULDNT_CONNECT = 7,
  CCURL_WEIRD_SERVER_REPLY = 8,
  CCURL_HTTP2 = 16,
  CCURL_PARTIAL_FILE = 18,
  CCURL_WRITE_ERROR = 23,
  CCURL_READ_ERROR = 26,
  CCURL_OUT_OF_MEMORY = 27,
  CCURL_OPERATION_TIMEDOUT = 28,
  CCURL_SSL_CONNECT_ERROR = 35,
  CCURL_ABORTED_BY_CALLBACK = 42,
  CCURL_UNKNOWN_OPTION = 48,
  CCURL_GOT_NOTHING = 52,
  CCURL_SEND_ERROR = 55,
  CCURL_RECV_ERROR = 56,
  CCURL_SSL_CERTPROBLEM = 58,
  CCURL_SSL_CIPHER = 59,
  CCURL_PEER_FAILED_VERIFICATION = 60,
  CCURL_BAD_CONTENT_ENCODING = 61,
  CCURL_SEND_FAIL_REWIND = 65,
  CCURL_SSL_CACERT_BADFILE = 77,
  CCURL_SSL_ISSUER_ERROR = 83,
  CCURL_HTTP2_STREAM = 92,
  CCURL_AUTH_ERROR = 94,
  CCURL_PROXY_FAILED = 97,
  CCURL_SSL_CLIENTCERT = 98,
};

/// What is known of a transfer: times in microseconds from its start, sizes in bytes.
struct ccurl_transfer {
  int64_t name_lookup_time;
  int64_t connect_time;
  int64_t tls_time;
  int64_t first_byte_time;
  int64_t total_time;
  int64_t bytes_received;
  /// The announced length of the body; -1: not announced.
  int64_t content_length;
  long status;
  /// The answer of a proxy to CONNECT; 0: none.
  long connect_status;
  /// `CURL_HTTP_VERSION_…`: 1 is 1.0, 2 is 1.1, 3 is 2.
  long http_version;
  /// New connections made; 0: a connection was reused.
  long connects;
  /// Bytes of requests sent, their bodies apart; 0: nothing was sent yet.
  long request_size;
  /// `errno` of the connect that failed; 0: none.
  long os_error;
};

/// The address of a socket to be opened; the layout of `struct curl_sockaddr`.
struct ccurl_address {
  int family;
  int type;
  int protocol;
  unsigned int length;
  struct sockaddr address;
};

typedef size_t (*ccurl_bytes_function)(char *bytes, size_t size, size_t count, void *data);
typedef int (*ccurl_seek_function)(void *data, int64_t offset, int origin);
typedef int (*ccurl_open_function)(void *data, int purpose, struct ccurl_address *address);
typedef int (*ccurl_close_function)(void *data, int descriptor);
typedef int (*ccurl_ready_function)(
    void *data, char *remote_ip, char *local_ip, int remote_port, int local_port);
typedef int (*ccurl_socket_function)(
    void *easy, int descriptor, int what, void *data, void *socket_data);
typedef int (*ccurl_timer_function)(void *multi, long milliseconds, void *data);

/// What libcurl was built with.
enum ccurl_feature {
  CCURL_FEATURE_LIBZ = 1 << 3,
  CCURL_FEATURE_BROTLI = 1 << 23,
  CCURL_FEATURE_ZSTD = 1 << 26,
};

/// Loads libcurl, which is not linked: loading it and its forty libraries takes as long as
/// everything else in a command that sends nothing. Must be called once before anything else.
/// Returns the reason if it cannot be loaded, or null.
const char *ccurl_load(void);
/// Sets libcurl up for the process, with the memory functions of `ccurl_memory.h` if
/// `keeps_memory` is not 0. To be called once, after it was loaded; returns a code.
int ccurl_global_init(int keeps_memory);
/// libcurl's version, as in "7.88.1".
const char *ccurl_version(void);
/// The `ccurl_feature`s of this libcurl. To ask for its version instead sets up each library that it
/// brings along, OpenLDAP among them.
int ccurl_features(void);
const char *ccurl_code_text(int code);

void *ccurl_easy_init(void);
void ccurl_easy_cleanup(void *easy);
void ccurl_easy_reset(void *easy);

// Setters return a code; CCURL_UNKNOWN_OPTION where the loaded libcurl is too old for the option.
int ccurl_set_long(void *easy, enum ccurl_option option, long value);
int ccurl_set_size(void *easy, enum ccurl_option option, int64_t value);
int ccurl_set_text(void *easy, enum ccurl_option option, const char *value);
int ccurl_set_pointer(void *easy, enum ccurl_option option, void *value);
int ccurl_set_bytes_function(void *easy, enum ccurl_option option, ccurl_bytes_function function);
int ccurl_set_seek_function(void *easy, ccurl_seek_function function);
int ccurl_set_open_function(void *easy, ccurl_open_function function);
int ccurl_set_close_function(void *easy, ccurl_close_function function);
int ccurl_set_ready_function(void *easy, ccurl_ready_function function);
/// Sends a copy of `count` bytes as the body.
int ccurl_set_body(void *easy, const void *bytes, int64_t count);

/// All that is known, to explain a failure.
void ccurl_get_transfer(void *easy, struct ccurl_transfer *transfer);
/// Fills in what a response reports. Connect times are set only for new connections. The rest of
/// `transfer` is unchanged.
void ccurl_get_response(void *easy, struct ccurl_transfer *transfer);
/// The bytes sent and received so far, those of headers included.
int64_t ccurl_get_progress(void *easy);

/// A URL taken apart, for CCURL_CURLU; null: it is none, or the loaded libcurl is too old.
void *ccurl_url_parse(const char *text);
void ccurl_url_free(void *url);

/// Appends a copy of `text`; returns the list's new head, or null where memory is short.
void *ccurl_list_append(void *list, const char *text);
void ccurl_list_free(void *list);

void *ccurl_mime_init(void *easy);
void ccurl_mime_free(void *mime);
void *ccurl_mime_add_part(void *mime);
int ccurl_mime_name(void *part, const char *name);
int ccurl_mime_type(void *part, const char *type);
int ccurl_mime_filename(void *part, const char *name);
/// The part's content: a copy of `count` bytes.
int ccurl_mime_bytes(void *part, const void *bytes, size_t count);
/// The part's content: the file at `path`, streamed. Sets filename and type after the file's name.
int ccurl_mime_file(void *part, const char *path);

void *ccurl_multi_init(
    long idle_connections, ccurl_socket_function on_socket, ccurl_timer_function on_timer,
    void *data);
void ccurl_multi_cleanup(void *multi);
int ccurl_multi_add(void *multi, void *easy);
int ccurl_multi_remove(void *multi, void *easy);
int ccurl_multi_act(void *multi, int descriptor, int events);
/// The private pointer of a handle that has ended, with its code; null if there is none.
void *ccurl_multi_next_ended(void *multi, void **easy, int *code);

/// DNS answers and TLS sessions that several multi handles of one thread share.
void *ccurl_share_init(void);
void ccurl_share_cleanup(void *share);
