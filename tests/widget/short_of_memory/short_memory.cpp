#include "tests/widget/short_of_memory/short_memory.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace
{

std::atomic<std::size_t> g_fromBytes = SIZE_MAX;
std::atomic<int> g_refused = 0;
thread_local bool t_spared = false;

}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads): the forms for arrays and alignments stay in pairs of their own.
void* operator new(std::size_t bytes)
{
    if (bytes >= g_fromBytes && !t_spared) {
        ++g_refused;
        throw std::bad_alloc();
    }
    void* block = std::malloc(bytes == 0 ? 1 : bytes);
    if (block == nullptr)
        throw std::bad_alloc();
    return block;
}

// With a form of its own elsewhere (address sanitizer) its block would meet a delete of the other kind.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    try {
        return operator new(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void operator delete(void* block) noexcept
{
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept
{
    std::free(block);
}
// NOLINTEND(misc-new-delete-overloads)

namespace overlane
{

ShortMemory::ShortMemory(std::size_t fromBytes, Whose whose)
{
    t_spared = whose == Whose::OtherThreads;
    g_refused = 0;
    g_fromBytes = fromBytes;
}

ShortMemory::~ShortMemory()
{
    g_fromBytes = SIZE_MAX;
}

int ShortMemory::refused()
{
    return g_refused;
}

}  // namespace overlane
