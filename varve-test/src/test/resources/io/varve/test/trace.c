/*
 * Records what a process does to the files of one directory: preloaded into the process, it stands
 * before the C library's calls and makes the system calls itself. SystemCallTrace compiles it, and
 * TraceReader reads what it writes.
 *
 * VARVE_TRACE_DIRECTORY names the directory, VARVE_TRACE_FILE the record. Calls that move data have
 * one record before them, with the data, and one after them; calls that change names have one, and
 * take place under the lock. So the order of the records agrees with the order of the calls.
 *
 * A record, all integers little-endian:
 *
 *   offset  bytes  field    meaning
 *        0      4  type     one letter, see below
 *        4      4  length   bytes after the header
 *        8      8  call     the number of the call, the same before and after it
 *       16      8  first    see below
 *       24      8  second   see below
 *       32      8  file     the inode of the file, 0 if there is none
 *
 *   type  first              second   bytes
 *   'o'   opened: flags      created  path, relative
 *   'w'   a write: offset    dsync    data
 *   'f'   a force            -        -
 *   't'   a truncate: size   -        -
 *   'm'   msync: offset      -        what is mapped there
 *   's'   a look at a mapping: offset -  what is mapped there
 *   'd'   fsync of a directory -      path
 *   'e'   the call ended: result -    -
 *   'r'   renamed            -        from, 0, to
 *   'u'   unlinked           -        path
 *   'k'   made a directory   -        path
 *   'l'   a line on standard output - the text
 *   '!'   a call that is not recorded - its name
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FDS_MAX 4096
#define MAPPINGS_MAX 256
#define PATH_BYTES_MAX 512

/* Of the synchronous writes, one in so many has a look at all mappings before it. */
#define LOOK_EVERY 8

struct header {
  uint32_t type;
  uint32_t length;
  int64_t call;
  int64_t first;
  int64_t second;
  int64_t file;
};

struct open_file {
  int64_t inode; /* 0: not recorded */
  int dsync;
  int directory;
  char path[PATH_BYTES_MAX];
};

struct mapping {
  char *address; /* NULL: free */
  size_t length;
  int64_t offset;
  int64_t inode;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct open_file files[FDS_MAX];
static struct mapping mappings[MAPPINGS_MAX];
static int record = -1;
static char root[PATH_BYTES_MAX];
static size_t root_length;
static int64_t calls;
static int64_t synchronous_writes;

__attribute__((constructor)) static void start(void) {
  const char *directory = getenv("VARVE_TRACE_DIRECTORY");
  const char *name = getenv("VARVE_TRACE_FILE");
  if (directory == NULL || name == NULL || strlen(directory) >= PATH_BYTES_MAX) {
    return;
  }
  strcpy(root, directory);
  root_length = strlen(root);
  record = (int) syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* The path below the directory, or NULL if it is elsewhere. "" is the directory itself. */
static const char *below(const char *path) {
  if (record < 0 || path == NULL || strncmp(path, root, root_length) != 0) {
    return NULL;
  }
  if (path[root_length] == 0) {
    return path + root_length;
  }
  return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

static void append(const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t written = syscall(SYS_write, record, at, length);
    if (written <= 0) {
      abort(); /* a record with holes proves nothing */
    }
    at += written;
    length -= (size_t) written;
  }
}

/* Caller holds the lock. */
static void note(char type, int64_t call, int64_t first, int64_t second, int64_t file,
                 const void *bytes, size_t length) {
  struct header header = {(uint32_t) type, (uint32_t) length, call, first, second, file};
  append(&header, sizeof header);
  append(bytes, length);
}

static int is_recorded(int fd) {
  return record >= 0 && fd >= 0 && fd < FDS_MAX && files[fd].inode != 0;
}

/* Caller holds the lock. */
static void look(void) {
  for (int i = 0; i < MAPPINGS_MAX; i++) {
    if (mappings[i].address != NULL) {
      note('s', 0, mappings[i].offset, 0, mappings[i].inode, mappings[i].address,
           mappings[i].length);
    }
  }
}

/* Notes the beginning of a call that moves data; returns its number. */
static int64_t begin(char type, int fd, int64_t first, const void *bytes, size_t length) {
  pthread_mutex_lock(&lock);
  int64_t call = ++calls;
  if (type == 'w' && files[fd].dsync && ++synchronous_writes % LOOK_EVERY == 0) {
    look();
  }
  note(type, call, first, files[fd].dsync, files[fd].inode, bytes, length);
  pthread_mutex_unlock(&lock);
  return call;
}

static void end(int64_t call, int64_t result) {
  int error = errno;
  pthread_mutex_lock(&lock);
  note('e', call, result, 0, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
}

static void refuse(int fd, const char *name) {
  if (is_recorded(fd)) {
    pthread_mutex_lock(&lock);
    note('!', 0, 0, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
  }
}

static int open_at(int directory, const char *path, int flags, mode_t mode) {
  const char *name = directory == AT_FDCWD || (path != NULL && path[0] == '/') ? below(path) : NULL;
  if (name == NULL) {
    return (int) syscall(SYS_openat, directory, path, flags, mode);
  }
  pthread_mutex_lock(&lock);
  struct stat before;
  int created = (flags & O_CREAT) != 0 && stat(path, &before) != 0;
  int fd = (int) syscall(SYS_openat, directory, path, flags, mode);
  int error = errno;
  struct stat status;
  if (fd >= FDS_MAX || strlen(name) >= PATH_BYTES_MAX) {
    note('!', 0, 0, 0, 0, "open", 4);
  } else if (fd >= 0 && fstat(fd, &status) == 0) {
    files[fd].inode = (int64_t) status.st_ino;
    files[fd].dsync = (flags & O_DSYNC) != 0;
    files[fd].directory = S_ISDIR(status.st_mode);
    strcpy(files[fd].path, name);
    if (!files[fd].directory) {
      note('o', 0, flags, created, files[fd].inode, name, strlen(name));
    }
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? (mode_t) va_arg(arguments, int) : 0;
}

#define OPEN(name)                                   \
  int name(const char *path, int flags, ...) {       \
    va_list arguments;                               \
    va_start(arguments, flags);                      \
    mode_t mode = mode_of(flags, arguments);         \
    va_end(arguments);                               \
    return open_at(AT_FDCWD, path, flags, mode);     \
  }
#define OPEN_AT(name)                                             \
  int name(int directory, const char *path, int flags, ...) {     \
    va_list arguments;                                            \
    va_start(arguments, flags);                                   \
    mode_t mode = mode_of(flags, arguments);                      \
    va_end(arguments);                                            \
    return open_at(directory, path, flags, mode);                 \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

int close(int fd) {
  if (is_recorded(fd)) {
    pthread_mutex_lock(&lock);
    files[fd].inode = 0;
    pthread_mutex_unlock(&lock);
  }
  return (int) syscall(SYS_close, fd);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (fd == STDOUT_FILENO && record >= 0) {
    pthread_mutex_lock(&lock);
    note('l', 0, 0, 0, 0, bytes, length);
    pthread_mutex_unlock(&lock);
  } else {
    refuse(fd, "write");
  }
  return syscall(SYS_write, fd, bytes, length);
}

static ssize_t write_at(int fd, const void *bytes, size_t length, off_t offset) {
  if (!is_recorded(fd)) {
    return syscall(SYS_pwrite64, fd, bytes, length, offset);
  }
  int64_t call = begin('w', fd, offset, bytes, length);
  ssize_t result = syscall(SYS_pwrite64, fd, bytes, length, offset);
  end(call, result);
  return result;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return write_at(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return write_at(fd, bytes, length, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  refuse(fd, "writev");
  return syscall(SYS_writev, fd, parts, count);
}

static int force(int fd, long number) {
  if (!is_recorded(fd)) {
    return (int) syscall(number, fd);
  }
  int64_t call = files[fd].directory
      ? begin('d', fd, 0, files[fd].path, strlen(files[fd].path))
      : begin('f', fd, 0, NULL, 0);
  int result = (int) syscall(number, fd);
  end(call, result);
  return result;
}

int fsync(int fd) {
  return force(fd, SYS_fsync);
}

int fdatasync(int fd) {
  return force(fd, SYS_fdatasync);
}

static int truncate_to(int fd, off_t size) {
  if (!is_recorded(fd)) {
    return (int) syscall(SYS_ftruncate, fd, size);
  }
  int64_t call = begin('t', fd, size, NULL, 0);
  int result = (int) syscall(SYS_ftruncate, fd, size);
  end(call, result);
  return result;
}

int ftruncate(int fd, off_t size) {
  return truncate_to(fd, size);
}

int ftruncate64(int fd, off64_t size) {
  return truncate_to(fd, size);
}

static void *map(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  void *mapped = (void *) syscall(SYS_mmap, address, length, protection, flags, fd, offset);
  if (mapped != MAP_FAILED && (flags & MAP_SHARED) != 0 && is_recorded(fd)) {
    int error = errno;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MAPPINGS_MAX && mappings[i].address != NULL) {
      i++;
    }
    if (i == MAPPINGS_MAX) {
      note('!', 0, 0, 0, 0, "mmap", 4);
    } else {
      mappings[i] = (struct mapping) {mapped, length, offset, files[fd].inode};
      note('s', 0, offset, 0, files[fd].inode, mapped, length);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
  }
  return mapped;
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(address, length, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
  return map(address, length, protection, flags, fd, offset);
}

int munmap(void *address, size_t length) {
  if (record >= 0) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAPPINGS_MAX; i++) {
      if (mappings[i].address == address) {
        mappings[i].address = NULL;
      }
    }
    pthread_mutex_unlock(&lock);
  }
  return (int) syscall(SYS_munmap, address, length);
}

int msync(void *address, size_t length, int flags) {
  char *start = address;
  int64_t call = 0;
  if (record >= 0) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAPPINGS_MAX && call == 0; i++) {
      struct mapping *in = &mappings[i];
      if (in->address != NULL && start >= in->address && start < in->address + in->length) {
        call = ++calls;
        note('m', call, in->offset + (start - in->address), 0, in->inode, start, length);
      }
    }
    pthread_mutex_unlock(&lock);
  }
  int result = (int) syscall(SYS_msync, address, length, flags);
  if (call != 0) {
    end(call, result);
  }
  return result;
}

/* Makes a call that changes names, and notes it if it succeeded. */
#define CHANGE_NAMES(type, is_recorded, bytes, length, call) \
  if (!(is_recorded)) {                                      \
    return (int) (call);                                     \
  }                                                          \
  pthread_mutex_lock(&lock);                                 \
  int result = (int) (call);                                 \
  int error = errno;                                         \
  if (result == 0) {                                         \
    note(type, 0, 0, 0, 0, bytes, length);                   \
  }                                                          \
  pthread_mutex_unlock(&lock);                               \
  errno = error;                                             \
  return result

int rename(const char *from, const char *to) {
  const char *old_name = below(from);
  const char *new_name = below(to);
  char names[2 * PATH_BYTES_MAX];
  size_t length = 0;
  if (old_name != NULL && new_name != NULL) {
    length = strlen(old_name) + 1 + strlen(new_name);
    strcpy(names, old_name);
    strcpy(names + strlen(old_name) + 1, new_name);
  }
  CHANGE_NAMES('r', length > 0, names, length,
               syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  if (from_directory == AT_FDCWD && to_directory == AT_FDCWD) {
    return rename(from, to);
  }
  return (int) syscall(SYS_renameat2, from_directory, from, to_directory, to, 0);
}

int unlinkat(int directory, const char *path, int flags) {
  const char *name = directory == AT_FDCWD ? below(path) : NULL;
  CHANGE_NAMES('u', name != NULL, name, strlen(name),
               syscall(SYS_unlinkat, directory, path, flags));
}

int unlink(const char *path) {
  return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path) {
  return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int mkdir(const char *path, mode_t mode) {
  const char *name = below(path);
  CHANGE_NAMES('k', name != NULL, name, strlen(name),
               syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
