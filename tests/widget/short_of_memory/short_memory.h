// Refuses allocations of the workers' threads, as a machine does that is out of memory.
//
// Replaces operator new of the whole program, so that what uses it is a program of its own. The GUI thread
// is spared: a process that cannot get a few bytes there is beyond help, and a job's memory is free again
// once it has failed.
#pragma once

#include <cstddef>

namespace overlane
{

class ShortMemory
{
public:
    enum class Whose : bool { OtherThreads, AllThreads };
    // While it lives, these threads get no block of `fromBytes` or more.
    explicit ShortMemory(std::size_t fromBytes, Whose whose = Whose::OtherThreads);
    ~ShortMemory();
    ShortMemory(const ShortMemory&) = delete;
    ShortMemory& operator=(const ShortMemory&) = delete;
    // How many were refused since it was made.
    static int refused();
};

}  // namespace overlane
