#pragma once

// The face of SQLite that Swift sees: only what the journals use. SQLite is loaded when the first
// journal is opened, so nothing of <sqlite3.h> is needed to build this (SQLite's ABI is stable).
// Where that header is present, csqlite.c compares every number and function below with it.

#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

/// Result codes (`SQLITE_…`); an extended code has more in its higher bits.
enum csqlite_result {
  CSQLITE_OK = 0,
  CSQLITE_BUSY = 5,
  CSQLITE_READONLY = 8,
  CSQLITE_IOERR = 10,
  CSQLITE_CORRUPT = 11,
  CSQLITE_FULL = 13,
  CSQLITE_CANTOPEN = 14,
  CSQLITE_NOTADB = 26,
  CSQLITE_ROW = 100,
  CSQLITE_DONE = 101,
};

/// Flags of `csqlite_open` (`SQLITE_OPEN_…`).
enum csqlite_open {
  CSQLITE_OPEN_READONLY = 0x01,
  CSQLITE_OPEN_READWRITE = 0x02,
  CSQLITE_OPEN_CREATE = 0x04,
  CSQLITE_OPEN_URI = 0x40,
  CSQLITE_OPEN_NOMUTEX = 0x8000,
};

/// Loads SQLite, from `path` or by its usual name. Returns `NULL`, or why it cannot be loaded.
/// Called once, before any other function.
const char *csqlite_load(const char *path);

int csqlite_open(const char *path, sqlite3 **database, int flags);
int csqlite_close(sqlite3 *database);
int csqlite_execute(sqlite3 *database, const char *sql);
const char *csqlite_message(sqlite3 *database);

int csqlite_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement);
int csqlite_step(sqlite3_stmt *statement);
int csqlite_reset(sqlite3_stmt *statement);
int csqlite_finalize(sqlite3_stmt *statement);

// The first parameter is 1. Texts and blobs must stay as they are until the statement is reset.
int csqlite_bind_number(sqlite3_stmt *statement, int parameter, int64_t value);
int csqlite_bind_real(sqlite3_stmt *statement, int parameter, double value);
int csqlite_bind_text(sqlite3_stmt *statement, int parameter, const char *text, int64_t count);
int csqlite_bind_blob(sqlite3_stmt *statement, int parameter, const void *bytes, int64_t count);
int csqlite_bind_null(sqlite3_stmt *statement, int parameter);

// The first column is 0.
int csqlite_is_null(sqlite3_stmt *statement, int column);
int64_t csqlite_number(sqlite3_stmt *statement, int column);
double csqlite_real(sqlite3_stmt *statement, int column);
const void *csqlite_bytes(sqlite3_stmt *statement, int column);
int csqlite_byte_count(sqlite3_stmt *statement, int column);
