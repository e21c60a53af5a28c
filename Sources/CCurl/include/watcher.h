#pragma once

// Waiting for sockets: epoll on Linux, kqueue elsewhere, neither of which Swift's C library
// modules offer on every platform.

/// A set of watched sockets and a signal that ends a wait from another thread.
struct ccurl_watcher {
  int queue;
  int wake;
};

/// A socket and what it is ready for: CCURL_SELECT_IN, _OUT and _ERROR.
/// The wake-up signal has descriptor -1.
struct ccurl_ready {
  int descriptor;
  int events;
};

/// Returns 0, or -1 where the process has no descriptors left.
int ccurl_watcher_open(struct ccurl_watcher *watcher);
void ccurl_watcher_close(struct ccurl_watcher watcher);

/// Changes what `descriptor` is watched for, from `before` to `after`; 0: not at all.
/// Level-triggered. A descriptor that is closed leaves the set by itself.
int ccurl_watcher_set(struct ccurl_watcher watcher, int descriptor, int before, int after);

/// Waits for at most `milliseconds` (-1: without end) and returns how many entries it filled.
int ccurl_watcher_wait(
    struct ccurl_watcher watcher, struct ccurl_ready *ready, int capacity, int milliseconds);

/// Ends the current or the next wait. May be called from any thread.
void ccurl_watcher_wake(struct ccurl_watcher watcher);
