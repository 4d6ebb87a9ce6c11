/*
 * Loaded before a program (LD_PRELOAD): no sync of a file takes less than SYNC_NS nanoseconds. The real sync is done; what
 * is left of the time is waited for in the same thread, as for a slower disk. A sleep would last longer than asked.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int (*sync_fn)(int);

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int slowed(const char *name, int fd) {
  const char *least = getenv("SYNC_NS");
  long long end = now_ns() + (least ? atoll(least) : 0);
  int result = ((sync_fn)dlsym(RTLD_NEXT, name))(fd);
  while (now_ns() < end) {
  }
  return result;
}

int fsync(int fd) { return slowed("fsync", fd); }

int fdatasync(int fd) { return slowed("fdatasync", fd); }
