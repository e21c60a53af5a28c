#pragma once

// The part of <sqlite3.h> that csqlite.c calls, for machines that have SQLite but not its header.

#include <stdint.h>

typedef int64_t sqlite3_int64;
typedef uint64_t sqlite3_uint64;
typedef void (*sqlite3_destructor_type)(void *);

int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *vfs);
int sqlite3_close_v2(sqlite3 *database);
int sqlite3_exec(
    sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context,
    char **message);
const char *sqlite3_errmsg(sqlite3 *database);
int sqlite3_prepare_v2(
    sqlite3 *database, const char *sql, int count, sqlite3_stmt **statement, const char **rest);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_bind_int64(sqlite3_stmt *statement, int parameter, sqlite3_int64 value);
int sqlite3_bind_double(sqlite3_stmt *statement, int parameter, double value);
int sqlite3_bind_text64(
    sqlite3_stmt *statement, int parameter, const char *text, sqlite3_uint64 count,
    sqlite3_destructor_type destructor, unsigned char encoding);
int sqlite3_bind_blob64(
    sqlite3_stmt *statement, int parameter, const void *bytes, sqlite3_uint64 count,
    sqlite3_destructor_type destructor);
int sqlite3_bind_null(sqlite3_stmt *statement, int parameter);
int sqlite3_column_type(sqlite3_stmt *statement, int column);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column);
double sqlite3_column_double(sqlite3_stmt *statement, int column);
const void *sqlite3_column_blob(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);
