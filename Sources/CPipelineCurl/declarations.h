#pragma once

// The part of <curl/curl.h> that ccurl.c calls, for machines that have libcurl but not its header.

#include <stddef.h>
#include <stdint.h>

typedef void CURL;
typedef void CURLM;
typedef void CURLSH;
typedef void CURLU;
typedef int64_t curl_off_t;
typedef int CURLcode;
typedef int CURLMcode;
typedef int CURLSHcode;
typedef int CURLoption;
typedef int CURLMoption;
typedef int CURLSHoption;
typedef int CURLINFO;
typedef int CURLMSG;
typedef int CURLUcode;
typedef int CURLUPart;
typedef struct curl_mime curl_mime;
typedef struct curl_mimepart curl_mimepart;
struct curl_slist;

typedef struct {
  CURLMSG msg;
  CURL *easy_handle;
  union {
    void *whatever;
    CURLcode result;
  } data;
} CURLMsg;

typedef enum { CURLVERSION_FIRST } CURLversion;
typedef struct {
  CURLversion age;
  const char *version;
  unsigned int version_num;
  const char *host;
  int features;
  // What later versions add is not read.
} curl_version_info_data;

CURLcode curl_global_init(long flags);
CURLcode curl_global_init_mem(
    long flags, void *(*allocate)(size_t), void (*release)(void *), void *(*resize)(void *, size_t),
    char *(*copy_text)(const char *), void *(*allocate_zeroed)(size_t, size_t));
char *curl_version(void);
curl_version_info_data *curl_version_info(CURLversion age);
const char *curl_easy_strerror(CURLcode code);

CURL *curl_easy_init(void);
void curl_easy_cleanup(CURL *easy);
void curl_easy_reset(CURL *easy);
CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...);
CURLcode curl_easy_getinfo(CURL *easy, CURLINFO information, ...);

CURLM *curl_multi_init(void);
CURLMcode curl_multi_cleanup(CURLM *multi);
CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...);
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode curl_multi_socket_action(CURLM *multi, int descriptor, int events, int *running);
CURLMsg *curl_multi_info_read(CURLM *multi, int *left);

CURLSH *curl_share_init(void);
CURLSHcode curl_share_setopt(CURLSH *share, CURLSHoption option, ...);
CURLSHcode curl_share_cleanup(CURLSH *share);

CURLU *curl_url(void);
CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
void curl_url_cleanup(CURLU *url);

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);

curl_mime *curl_mime_init(CURL *easy);
void curl_mime_free(curl_mime *mime);
curl_mimepart *curl_mime_addpart(curl_mime *mime);
CURLcode curl_mime_name(curl_mimepart *part, const char *name);
CURLcode curl_mime_type(curl_mimepart *part, const char *type);
CURLcode curl_mime_filename(curl_mimepart *part, const char *name);
CURLcode curl_mime_data(curl_mimepart *part, const char *bytes, size_t count);
CURLcode curl_mime_filedata(curl_mimepart *part, const char *path);
