#ifndef CSOCKETS_H
#define CSOCKETS_H

#include <stdint.h>

// What Swift's platform modules leave out of the socket interface: readiness notification (epoll on
// Linux, kqueue on Apple systems) and accepting a connection with its flags set. Nothing is
// allocated here; every descriptor belongs to the caller.

enum {
  CSOCKETS_READABLE = 1,
  CSOCKETS_WRITABLE = 2,
  // The other side has gone or the socket has failed; reported even when not asked for.
  CSOCKETS_FAILED = 4,
};

struct csockets_event {
  uint64_t token;
  uint32_t flags;
};

// A new poller's descriptor; -1 with errno set.
int csockets_poller(void);

// Watches `descriptor` for `flags` (none is allowed); `known` says what it was watched for until
// now, -1 if it is new to this poller. 0, or -1 with errno set. Closing a descriptor ends the watch.
int csockets_watch(int poller, int descriptor, uint64_t token, int known, int flags);

// Ends the watch of a descriptor that stays open; `known` as above. 0, or -1 with errno set.
int csockets_unwatch(int poller, int descriptor, int known);

// Waits until something is ready or `nanoseconds` have passed (negative: without limit).
// The number of events written; -1 with errno set (EINTR included).
int csockets_wait(int poller, struct csockets_event *events, int capacity, int64_t nanoseconds);

// Whether the other side of a connection has ended it, though what it sent before may be unread.
int csockets_has_ended(int descriptor);

// Reads and drops what has arrived on a socket, and the error that it may hold.
void csockets_drain(int descriptor);

// Accepts a connection: non-blocking, closed on exec, raising no SIGPIPE where the system has a
// socket option for that. The descriptor; -1 with errno set.
int csockets_accept(int listener);

// As `socket`, but closed on exec: a program that another thread starts at this moment does not hold
// it open.
int csockets_socket(int family, int kind, int protocol);

// A pipe to wake a thread: non-blocking, closed on exec. 0; -1 with errno set.
int csockets_pipe(int ends[2]);

#endif
