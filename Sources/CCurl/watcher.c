#include "watcher.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "ccurl.h"

#define CAPACITY 256

#ifdef __linux__

#include <sys/epoll.h>
#include <sys/eventfd.h>

int ccurl_watcher_open(struct ccurl_watcher *watcher) {
  watcher->queue = epoll_create1(EPOLL_CLOEXEC);
  if (watcher->queue < 0) return -1;
  watcher->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  // Edge-triggered: each write is one event, and nobody need read the counter.
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data = {.fd = -1}};
  if (watcher->wake < 0 || epoll_ctl(watcher->queue, EPOLL_CTL_ADD, watcher->wake, &event) < 0) {
    if (watcher->wake >= 0) close(watcher->wake);
    close(watcher->queue);
    return -1;
  }
  return 0;
}

void ccurl_watcher_close(struct ccurl_watcher watcher) {
  close(watcher.wake);
  close(watcher.queue);
}

int ccurl_watcher_set(struct ccurl_watcher watcher, int descriptor, int before, int after) {
  if (before == after) return 0;
  struct epoll_event event = {.events = 0, .data = {.fd = descriptor}};
  if (after & CCURL_SELECT_IN) event.events |= EPOLLIN;
  if (after & CCURL_SELECT_OUT) event.events |= EPOLLOUT;
  int operation = before == 0 ? EPOLL_CTL_ADD : after == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
  return epoll_ctl(watcher.queue, operation, descriptor, &event);
}

int ccurl_watcher_wait(
    struct ccurl_watcher watcher, struct ccurl_ready *ready, int capacity, int milliseconds) {
  struct epoll_event events[CAPACITY];
  int count =
      epoll_wait(watcher.queue, events, capacity < CAPACITY ? capacity : CAPACITY, milliseconds);
  for (int index = 0; index < count; index++) {
    uint32_t seen = events[index].events;
    ready[index].descriptor = events[index].data.fd;
    ready[index].events = ((seen & (EPOLLIN | EPOLLHUP | EPOLLRDHUP)) ? CCURL_SELECT_IN : 0) |
                          ((seen & EPOLLOUT) ? CCURL_SELECT_OUT : 0) |
                          ((seen & (EPOLLERR | EPOLLHUP)) ? CCURL_SELECT_ERROR : 0);
  }
  return count < 0 ? 0 : count;
}

void ccurl_watcher_wake(struct ccurl_watcher watcher) {
  uint64_t one = 1;
  // Fails only when 2^64 - 2 wake-ups are pending, and then one is pending.
  (void)!write(watcher.wake, &one, sizeof one);
}

#else

#include <sys/event.h>
#include <sys/time.h>

int ccurl_watcher_open(struct ccurl_watcher *watcher) {
  watcher->wake = -1;
  watcher->queue = kqueue();
  if (watcher->queue < 0) return -1;
  struct kevent change;
  EV_SET(&change, 0, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
  if (kevent(watcher->queue, &change, 1, NULL, 0, NULL) < 0) {
    close(watcher->queue);
    return -1;
  }
  return 0;
}

void ccurl_watcher_close(struct ccurl_watcher watcher) { close(watcher.queue); }

static int change_filter(int queue, int descriptor, int filter, int was, int is) {
  if (!was == !is) return 0;
  struct kevent change;
  EV_SET(&change, descriptor, filter, is ? EV_ADD : EV_DELETE, 0, 0, NULL);
  return kevent(queue, &change, 1, NULL, 0, NULL);
}

int ccurl_watcher_set(struct ccurl_watcher watcher, int descriptor, int before, int after) {
  int reads = change_filter(
      watcher.queue, descriptor, EVFILT_READ, before & CCURL_SELECT_IN, after & CCURL_SELECT_IN);
  int writes = change_filter(
      watcher.queue, descriptor, EVFILT_WRITE, before & CCURL_SELECT_OUT, after & CCURL_SELECT_OUT);
  return reads < 0 ? reads : writes;
}

int ccurl_watcher_wait(
    struct ccurl_watcher watcher, struct ccurl_ready *ready, int capacity, int milliseconds) {
  struct kevent events[CAPACITY];
  struct timespec time = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  int count = kevent(
      watcher.queue, NULL, 0, events, capacity < CAPACITY ? capacity : CAPACITY,
      milliseconds < 0 ? NULL : &time);
  for (int index = 0; index < count; index++) {
    int isWake = events[index].filter == EVFILT_USER;
    ready[index].descriptor = isWake ? -1 : (int)events[index].ident;
    ready[index].events = events[index].filter == EVFILT_READ ? CCURL_SELECT_IN : CCURL_SELECT_OUT;
    if (events[index].flags & EV_ERROR) ready[index].events |= CCURL_SELECT_ERROR;
  }
  return count < 0 ? 0 : count;
}

void ccurl_watcher_wake(struct ccurl_watcher watcher) {
  struct kevent change;
  EV_SET(&change, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
  (void)kevent(watcher.queue, &change, 1, NULL, 0, NULL);
}

#endif
