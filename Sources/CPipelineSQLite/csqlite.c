#include "csqlite.h"

#include <dlfcn.h>
#include <stddef.h>

#if __has_include(<sqlite3.h>) && !defined(CSQLITE_WITHOUT_HEADER)
#include <sqlite3.h>
#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #ours " differs from " #theirs);
SAME(CSQLITE_OK, SQLITE_OK)
SAME(CSQLITE_BUSY, SQLITE_BUSY)
SAME(CSQLITE_READONLY, SQLITE_READONLY)
SAME(CSQLITE_IOERR, SQLITE_IOERR)
SAME(CSQLITE_CORRUPT, SQLITE_CORRUPT)
SAME(CSQLITE_FULL, SQLITE_FULL)
SAME(CSQLITE_CANTOPEN, SQLITE_CANTOPEN)
SAME(CSQLITE_NOTADB, SQLITE_NOTADB)
SAME(CSQLITE_ROW, SQLITE_ROW)
SAME(CSQLITE_DONE, SQLITE_DONE)
SAME(CSQLITE_OPEN_READONLY, SQLITE_OPEN_READONLY)
SAME(CSQLITE_OPEN_READWRITE, SQLITE_OPEN_READWRITE)
SAME(CSQLITE_OPEN_CREATE, SQLITE_OPEN_CREATE)
SAME(CSQLITE_OPEN_URI, SQLITE_OPEN_URI)
SAME(CSQLITE_OPEN_NOMUTEX, SQLITE_OPEN_NOMUTEX)
_Static_assert(sizeof(sqlite3_int64) == sizeof(int64_t), "sqlite3_int64 has another size");
#else
#include "declarations.h"
#endif

enum { TYPE_NULL = 5, ENCODING_UTF8 = 1 };
#ifdef SQLITE_VERSION_NUMBER
SAME(TYPE_NULL, SQLITE_NULL)
SAME(ENCODING_UTF8, SQLITE_UTF8)
#endif

// The functions of SQLite that are called below, without `sqlite3_`.
#define FUNCTIONS(X) \
  X(open_v2) X(close_v2) X(exec) X(errmsg) \
  X(prepare_v2) X(step) X(reset) X(finalize) \
  X(bind_int64) X(bind_double) X(bind_text64) X(bind_blob64) X(bind_null) \
  X(column_type) X(column_int64) X(column_double) X(column_blob) X(column_bytes)

// Where they are; written once, by `csqlite_load`, before any is called.
#define MEMBER(name) __typeof__(&sqlite3_##name) name;
static struct { FUNCTIONS(MEMBER) } sqlite;

#ifdef __APPLE__
#define LIBRARY "/usr/lib/libsqlite3.dylib"
#else
#define LIBRARY "libsqlite3.so.0"
#endif

const char *csqlite_load(const char *path) {
  void *library = dlopen(path ? path : LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FIND(name) \
  sqlite.name = (__typeof__(&sqlite3_##name))dlsym(library, "sqlite3_" #name); \
  if (sqlite.name == NULL) return LIBRARY " lacks sqlite3_" #name;
  FUNCTIONS(FIND)
  return NULL;
}

int csqlite_open(const char *path, sqlite3 **database, int flags) {
  return sqlite.open_v2(path, database, flags, NULL);
}
int csqlite_close(sqlite3 *database) { return sqlite.close_v2(database); }
int csqlite_execute(sqlite3 *database, const char *sql) {
  return sqlite.exec(database, sql, NULL, NULL, NULL);
}
const char *csqlite_message(sqlite3 *database) { return sqlite.errmsg(database); }

int csqlite_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  return sqlite.prepare_v2(database, sql, -1, statement, NULL);
}
int csqlite_step(sqlite3_stmt *statement) { return sqlite.step(statement); }
int csqlite_reset(sqlite3_stmt *statement) { return sqlite.reset(statement); }
int csqlite_finalize(sqlite3_stmt *statement) { return sqlite.finalize(statement); }

int csqlite_bind_number(sqlite3_stmt *statement, int parameter, int64_t value) {
  return sqlite.bind_int64(statement, parameter, value);
}
int csqlite_bind_real(sqlite3_stmt *statement, int parameter, double value) {
  return sqlite.bind_double(statement, parameter, value);
}
int csqlite_bind_text(sqlite3_stmt *statement, int parameter, const char *text, int64_t count) {
  return sqlite.bind_text64(
      statement, parameter, text ? text : "", (uint64_t)count, NULL, ENCODING_UTF8);
}
int csqlite_bind_blob(sqlite3_stmt *statement, int parameter, const void *bytes, int64_t count) {
  return sqlite.bind_blob64(statement, parameter, bytes ? bytes : "", (uint64_t)count, NULL);
}
int csqlite_bind_null(sqlite3_stmt *statement, int parameter) {
  return sqlite.bind_null(statement, parameter);
}

int csqlite_is_null(sqlite3_stmt *statement, int column) {
  return sqlite.column_type(statement, column) == TYPE_NULL;
}
int64_t csqlite_number(sqlite3_stmt *statement, int column) {
  return sqlite.column_int64(statement, column);
}
double csqlite_real(sqlite3_stmt *statement, int column) {
  return sqlite.column_double(statement, column);
}
const void *csqlite_bytes(sqlite3_stmt *statement, int column) {
  return sqlite.column_blob(statement, column);
}
int csqlite_byte_count(sqlite3_stmt *statement, int column) {
  return sqlite.column_bytes(statement, column);
}
