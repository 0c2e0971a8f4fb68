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

// The thread sanitizer leaves out what Qt does itself, but only where Qt calls the C library: its blocks come through
// here, and what its threads hand over by them would be reported.
#ifdef __SANITIZE_THREAD__
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#else
static void AnnotateIgnoreWritesBegin(const char*, int) {}
static void AnnotateIgnoreWritesEnd(const char*, int) {}
#endif

static void* allocated(std::size_t bytes)
{
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    void* block = std::malloc(bytes);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    return block;
}

static void release(void* block)
{
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    std::free(block);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}

// NOLINTBEGIN(misc-new-delete-overloads): the forms for arrays and alignments stay in pairs of their own.
void* operator new(std::size_t bytes)
{
    if (bytes >= g_fromBytes && !t_spared) {
        ++g_refused;
        throw std::bad_alloc();
    }
    void* block = allocated(bytes == 0 ? 1 : bytes);
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
    release(block);
}

void operator delete(void* block, std::size_t) noexcept
{
    release(block);
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
