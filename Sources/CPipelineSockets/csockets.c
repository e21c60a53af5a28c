#define _GNU_SOURCE
#include "csockets.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void csockets_drain(int descriptor) {
  char bytes[4096];
  // The error comes first, once; the bytes before it are gone.
  for (int errors = 0; errors < 2;) {
    ssize_t count = recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))) return;
    if (count < 0) errors++;
  }
}

#ifdef __linux__

#include <poll.h>
#include <sys/epoll.h>

int csockets_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }

int csockets_watch(int poller, int descriptor, uint64_t token, int known, int flags) {
  struct epoll_event event = {0};
  event.data.u64 = token;
  if (flags & CSOCKETS_READABLE) event.events |= EPOLLIN;
  if (flags & CSOCKETS_WRITABLE) event.events |= EPOLLOUT;
  return epoll_ctl(poller, known < 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

int csockets_unwatch(int poller, int descriptor, int known) {
  return known < 0 ? 0 : epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL);
}

int csockets_wait(int poller, struct csockets_event *events, int capacity, int64_t nanoseconds) {
  struct epoll_event ready[256];
  if (capacity > 256) capacity = 256;
  int timeout = -1;
  if (nanoseconds >= 0) {
    // epoll counts in milliseconds; a short wait is made exact by waiting on the poller itself.
    if (nanoseconds > 0 && nanoseconds < 100 * 1000 * 1000) {
      struct timespec limit = {0, (long)nanoseconds};
      struct pollfd self = {poller, POLLIN, 0};
      if (ppoll(&self, 1, &limit, NULL) < 0) return -1;
      timeout = 0;
    } else {
      int64_t milliseconds = nanoseconds / 1000000;
      timeout = milliseconds > 60000 ? 60000 : (int)milliseconds;
    }
  }
  int count = epoll_wait(poller, ready, capacity, timeout);
  for (int i = 0; i < count; i++) {
    events[i].token = ready[i].data.u64;
    events[i].flags = 0;
    if (ready[i].events & EPOLLIN) events[i].flags |= CSOCKETS_READABLE;
    if (ready[i].events & EPOLLOUT) events[i].flags |= CSOCKETS_WRITABLE;
    if (ready[i].events & (EPOLLERR | EPOLLHUP)) events[i].flags |= CSOCKETS_FAILED;
  }
  return count;
}

int csockets_has_ended(int descriptor) {
  struct pollfd socket = {descriptor, POLLRDHUP, 0};
  return poll(&socket, 1, 0) > 0;
}

int csockets_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int csockets_socket(int family, int kind, int protocol) {
  return socket(family, kind | SOCK_CLOEXEC, protocol);
}

int csockets_pipe(int ends[2]) { return pipe2(ends, O_NONBLOCK | O_CLOEXEC); }

#else

#include <sys/event.h>
#include <sys/time.h>
#include <sys/types.h>

int csockets_poller(void) {
  int poller = kqueue();
  if (poller >= 0) fcntl(poller, F_SETFD, FD_CLOEXEC);
  return poller;
}

int csockets_watch(int poller, int descriptor, uint64_t token, int known, int flags) {
  struct kevent changes[2];
  int count = 0;
  int before = known < 0 ? 0 : known;
  void *data = (void *)(uintptr_t)token;
  if ((before ^ flags) & CSOCKETS_READABLE) {
    uint16_t action = (flags & CSOCKETS_READABLE) ? EV_ADD : EV_DELETE;
    EV_SET(&changes[count++], descriptor, EVFILT_READ, action, 0, 0, data);
  }
  if ((before ^ flags) & CSOCKETS_WRITABLE) {
    uint16_t action = (flags & CSOCKETS_WRITABLE) ? EV_ADD : EV_DELETE;
    EV_SET(&changes[count++], descriptor, EVFILT_WRITE, action, 0, 0, data);
  }
  return count == 0 ? 0 : kevent(poller, changes, count, NULL, 0, NULL);
}

int csockets_unwatch(int poller, int descriptor, int known) {
  return csockets_watch(poller, descriptor, 0, known, 0);
}

int csockets_wait(int poller, struct csockets_event *events, int capacity, int64_t nanoseconds) {
  struct kevent ready[256];
  if (capacity > 256) capacity = 256;
  struct timespec limit = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  int count = kevent(poller, NULL, 0, ready, capacity, nanoseconds < 0 ? NULL : &limit);
  for (int i = 0; i < count; i++) {
    events[i].token = (uint64_t)(uintptr_t)ready[i].udata;
    // The end of the input (EV_EOF) is readable too: reading tells whether data came before it.
    events[i].flags = ready[i].filter == EVFILT_READ ? CSOCKETS_READABLE : CSOCKETS_WRITABLE;
    if (ready[i].flags & EV_ERROR) events[i].flags |= CSOCKETS_FAILED;
  }
  return count;
}

int csockets_has_ended(int descriptor) {
  int poller = csockets_poller();
  struct kevent event;
  struct timespec now = {0, 0};
  EV_SET(&event, descriptor, EVFILT_READ, EV_ADD, 0, 0, NULL);
  int count = kevent(poller, &event, 1, &event, 1, &now);
  if (poller >= 0) close(poller);
  return count > 0 && (event.flags & (EV_EOF | EV_ERROR)) != 0;
}

int csockets_accept(int listener) {
  int descriptor = accept(listener, NULL, NULL);
  if (descriptor < 0) return -1;
  int on = 1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return descriptor;
}

int csockets_socket(int family, int kind, int protocol) {
  int descriptor = socket(family, kind, protocol);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

int csockets_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
}

#endif
