// Keeps what a file system must keep when the power fails, and no more: what was synced.
//
// Loaded before the C library (LD_PRELOAD) into a program that works below the folder POWER_ROOT.
// A synced file leaves its content in the folder POWER_KEPT as `f<inode>`. A synced folder leaves
// `d<inode>`: a line for each entry with `f` or `d`, its inode, and its name. Nothing is really
// synced. PowerCut.swift builds from these the folder that a machine finds when it starts again.

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether an open file is POWER_ROOT or below it.
static int is_meant(int file) {
  const char *root = getenv("POWER_ROOT");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (root == NULL || count < 0) return 0;
  path[count] = 0;
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == 0 || path[length] == '/');
}

// Opens a file in POWER_KEPT that `done` gives its name. A program that is killed leaves it unnamed.
static int begin(char kind, ino_t inode, char *temporary, char *name) {
  const char *kept = getenv("POWER_KEPT");
  snprintf(name, PATH_MAX, "%s/%c%llu", kept, kind, (unsigned long long)inode);
  snprintf(temporary, PATH_MAX, "%s.%d", name, gettid());
  return open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static void done(int copy, const char *temporary, const char *name) {
  close(copy);
  rename(temporary, name);
}

static void write_all(int file, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0) abort();
    bytes += written;
    count -= written;
  }
}

static void keep_file(int file, ino_t inode) {
  char temporary[PATH_MAX + 32], name[PATH_MAX], bytes[1 << 16];
  int copy = begin('f', inode, temporary, name);
  off_t offset = 0;
  ssize_t count;
  while ((count = pread(file, bytes, sizeof bytes, offset)) > 0) {
    write_all(copy, bytes, count);
    offset += count;
  }
  // A file that can only be written is read by its path.
  if (count < 0 && offset == 0) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int reader = open(link, O_RDONLY | O_CLOEXEC);
    while (reader >= 0 && (count = read(reader, bytes, sizeof bytes)) > 0) {
      write_all(copy, bytes, count);
    }
    if (reader >= 0) close(reader);
  }
  done(copy, temporary, name);
}

static void keep_folder(int folder, ino_t inode) {
  char temporary[PATH_MAX + 32], name[PATH_MAX], line[PATH_MAX];
  int copy = begin('d', inode, temporary, name);
  DIR *entries = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct dirent *entry;
  while (entries != NULL && (entry = readdir(entries)) != NULL) {
    struct stat status;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    int count = snprintf(
        line, sizeof line, "%c %llu %s\n", S_ISDIR(status.st_mode) ? 'd' : 'f',
        (unsigned long long)status.st_ino, entry->d_name);
    write_all(copy, line, count);
  }
  if (entries != NULL) closedir(entries);
  done(copy, temporary, name);
}

static int keep(int file) {
  struct stat status;
  if (getenv("POWER_KEPT") == NULL || !is_meant(file) || fstat(file, &status) != 0) return 0;
  if (S_ISDIR(status.st_mode)) {
    keep_folder(file, status.st_ino);
  } else {
    keep_file(file, status.st_ino);
  }
  // As long as the file is open no other gets its inode.
  fcntl(file, F_DUPFD_CLOEXEC, 3);
  return 0;
}

int fsync(int file) { return keep(file); }
int fdatasync(int file) { return keep(file); }
