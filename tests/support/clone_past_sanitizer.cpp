// In a build with the thread sanitizer: QProcess starts its child past the sanitizer's own clone(), which takes every
// child for one with a memory of its own. QProcess's shares that of the parent until it becomes another program, so
// what the sanitizer switches off for the child stays off in the parent: the thread that started it, and all threads
// that begin later, are no longer watched, and what they do in good order is reported as races.
#include <cstdarg>
#include <sched.h>
#include <sys/types.h>

// The C library's, by the name that the sanitizer leaves alone.
extern "C" int __clone(int (*run)(void*), void* stack, int flags,
                       void* argument,  // NOLINT(bugprone-reserved-identifier)
                       ...) noexcept;

extern "C" int clone(int (*run)(void*), void* stack, int flags, void* argument, ...) noexcept
{
    std::va_list rest;
    va_start(rest, argument);
    auto* parentsNumber = va_arg(rest, pid_t*);
    auto* ownData = va_arg(rest, void*);
    auto* childsNumber = va_arg(rest, pid_t*);
    va_end(rest);
    return __clone(run, stack, flags, argument, parentsNumber, ownData, childsNumber);
}
