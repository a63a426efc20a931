/*
 * Fails system calls that a process makes on the files below one directory: preloaded into the
 * process, it stands before the C library's calls. FailingCalls compiles it.
 *
 * VARVE_FAIL_DIRECTORY names the directory, VARVE_FAIL_CALL the kind of call, VARVE_FAIL_AFTER how
 * many of that kind pass before, VARVE_FAIL_TIMES how many fail then, and VARVE_FAIL_ERROR the
 * number of the error. A write that fails with no error number writes half of its bytes.
 *
 * A call that fails has "failed" written to the file VARVE_FAIL_REPORT.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_BYTES_MAX 512

static const char *root;
static const char *kind;
static const char *report;
static long after;
static long times;
static int error_number;
static atomic_long calls;

__attribute__((constructor)) static void start(void) {
  root = getenv("VARVE_FAIL_DIRECTORY");
  kind = getenv("VARVE_FAIL_CALL");
  report = getenv("VARVE_FAIL_REPORT");
  if (root == NULL || kind == NULL || report == NULL) {
    root = NULL;
    return;
  }
  after = atol(getenv("VARVE_FAIL_AFTER"));
  times = atol(getenv("VARVE_FAIL_TIMES"));
  error_number = atoi(getenv("VARVE_FAIL_ERROR"));
}

static int is_below(const char *path) {
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/* Whether this call is one to fail. */
static int counts(const char *call, const char *path) {
  if (root == NULL || path == NULL || strcmp(call, kind) != 0 || !is_below(path)) {
    return 0;
  }
  long number = atomic_fetch_add(&calls, 1);
  if (number < after || number >= after + times) {
    return 0;
  }
  int fd = (int) syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0600);
  syscall(SYS_write, fd, "failed\n", 7);
  syscall(SYS_close, fd);
  errno = error_number;
  return 1;
}

static int counts_fd(const char *call, int fd) {
  if (root == NULL || strcmp(call, kind) != 0) {
    return 0;
  }
  char link[64];
  char path[PATH_BYTES_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) {
    return 0;
  }
  path[length] = 0;
  return counts(call, path);
}

static ssize_t write_at(int fd, const void *bytes, size_t length, off_t offset) {
  if (counts_fd("write", fd)) {
    if (error_number != 0) {
      return -1;
    }
    length = length > 1 ? length / 2 : length;
  }
  return syscall(SYS_pwrite64, fd, bytes, length, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return write_at(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return write_at(fd, bytes, length, offset);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) {
  return counts_fd("read", fd) ? -1 : syscall(SYS_pread64, fd, bytes, length, offset);
}

int fsync(int fd) {
  return counts_fd("force", fd) ? -1 : (int) syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
  return counts_fd("force", fd) ? -1 : (int) syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t size) {
  return counts_fd("truncate", fd) ? -1 : (int) syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size) {
  return counts_fd("truncate", fd) ? -1 : (int) syscall(SYS_ftruncate, fd, size);
}

static int open_at(int directory, const char *path, int flags, mode_t mode) {
  return counts("open", path) ? -1 : (int) syscall(SYS_openat, directory, path, flags, mode);
}

#define MODE                                                          \
  va_list arguments;                                                  \
  va_start(arguments, flags);                                         \
  mode_t mode = (flags & O_CREAT) != 0 ? (mode_t) va_arg(arguments, int) : 0; \
  va_end(arguments)

int open(const char *path, int flags, ...) {
  MODE;
  return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE;
  return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE;
  return open_at(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  MODE;
  return open_at(directory, path, flags, mode);
}

int rename(const char *from, const char *to) {
  return counts("rename", from)
      ? -1
      : (int) syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
  return counts("unlink", path) ? -1 : (int) syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static void *map(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  return fd >= 0 && counts_fd("map", fd)
      ? MAP_FAILED
      : (void *) syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(address, length, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
  return map(address, length, protection, flags, fd, offset);
}

int msync(void *address, size_t length, int flags) {
  return counts("force", root) ? -1 : (int) syscall(SYS_msync, address, length, flags);
}
