/* What the compiler's own archives (libstdc++, libgcc) and its headers ask of glibc, and a glibc of 2.28 does not have.
 * Each is taken from the running system where that has it, so that nothing is lost on a newer one.
 * Linked into each program and library of a portable build; hidden, so that others never see these. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

/* glibc 2.32. Never true here: counters stay atomic. */
char __libc_single_threaded = 0;

/* glibc 2.36. */
uint32_t arc4random(void) {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
  }
  return value;
}

/* glibc 2.30. */
pid_t gettid(void) {
  return (pid_t)syscall(SYS_gettid);
}

/* glibc 2.34, Linux 5.9. */
int close_range(unsigned first, unsigned last, int flags) {
  if (syscall(SYS_close_range, first, last, flags) == 0) {
    return 0;
  }
  struct rlimit limit;
  if (errno != ENOSYS || flags != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return -1;
  }
  for (unsigned file = first; file <= last && file < limit.rlim_max; ++file) {
    close((int)file);
  }
  return 0;
}

/* glibc 2.29: there is no other way to it, so that it fails on 2.28. */
typedef int (*add_chdir_t)(posix_spawn_file_actions_t*, const char*);
/* glibc 2.30: waits on any clock. Older ones wait on the condition's own, the real-time clock. */
typedef int (*cond_clockwait_t)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
/* glibc 2.35: which loaded object an address lies in, for unwinding. */
typedef int (*find_object_t)(void*, struct dl_find_object*);

static add_chdir_t real_add_chdir;
static cond_clockwait_t real_cond_clockwait;
static find_object_t real_find_object;

__attribute__((constructor(101))) static void look_up(void) {
  real_add_chdir = (add_chdir_t)dlsym(RTLD_DEFAULT, "posix_spawn_file_actions_addchdir_np");
  real_cond_clockwait = (cond_clockwait_t)dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
  real_find_object = (find_object_t)dlsym(RTLD_DEFAULT, "_dl_find_object");
}

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t* actions, const char* directory) {
  return real_add_chdir ? real_add_chdir(actions, directory) : ENOSYS;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  if (real_cond_clockwait) {
    return real_cond_clockwait(condition, mutex, clock, until);
  }
  struct timespec now_there;
  struct timespec now;
  if (clock_gettime(clock, &now_there) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) {
    return EINVAL;
  }
  const int64_t second = 1000000000;
  const int64_t nanoseconds = (int64_t)now.tv_nsec + (int64_t)until->tv_nsec - (int64_t)now_there.tv_nsec;
  int64_t carry = nanoseconds / second;
  if (nanoseconds % second < 0) {
    carry -= 1;
  }
  struct timespec until_here;
  until_here.tv_sec = now.tv_sec + (until->tv_sec - now_there.tv_sec) + carry;
  until_here.tv_nsec = nanoseconds - carry * second;
  return pthread_cond_timedwait(condition, mutex, &until_here);
}

struct search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int visit(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct search* search = data;
  const ElfW(Phdr)* frames = NULL;
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
  int inside = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    const uintptr_t from = object->dlpi_addr + part->p_vaddr;
    const uintptr_t to = from + part->p_memsz;
    if (part->p_type == PT_GNU_EH_FRAME) {
      frames = part;
    } else if (part->p_type == PT_LOAD) {
      begin = from < begin ? from : begin;
      end = to > end ? to : end;
      inside |= search->address >= from && search->address < to;
    }
  }
  if (!inside || !frames) {
    return 0;
  }
  search->found->dlfo_flags = 0;
  search->found->dlfo_map_start = (void*)begin;
  search->found->dlfo_map_end = (void*)end;
  search->found->dlfo_link_map = NULL;
  search->found->dlfo_eh_frame = (void*)(object->dlpi_addr + frames->p_vaddr);
  return 1;
}

int _dl_find_object(void* address, struct dl_find_object* found) {
  if (real_find_object) {
    return real_find_object(address, found);
  }
  struct search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}
