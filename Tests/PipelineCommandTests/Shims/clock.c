// The time of day jumps two hours ahead when the file CLOCK_JUMP is there.
//
// Loaded before the C library (LD_PRELOAD).

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  const char *jump = getenv("CLOCK_JUMP");
  if (clock == CLOCK_REALTIME && jump != NULL && access(jump, F_OK) == 0) time->tv_sec += 7200;
  return (int)result;
}
